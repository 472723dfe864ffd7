use super::super::{Operation, PatternPlan, PatternRequest, Repeat, requests};
use super::read;

const MODEL: &str = r#"
monotable = 1
model = "m"
[tenant]
name = "site"
type = "text, matches = /[a-z]+/"
prefix = "{site}/"
[table.T]
key = ["PK", "SK"]
GSI1 = ["G1PK", "G1SK"]
GSI2 = { key = ["G2PK", "rank"], name = "by-rank" }
name = "physical"

[entity.User]
is = { Type = "User" }
key = ["USER#{userId}", "USER"]
[entity.User.attributes]
userId = "uuid, generated"
email = "text"
[entity.User.unique]
email = "EMAIL#{email:lower}"

[entity.Note]
is = { Type = "Note" }
key = ["USER#{userId}", "NOTE#{noteId}"]
GSI1 = ["DAY#{at:date}", "{at}#{noteId}"]
GSI2 = ["K#{kind}", "{rank}"]
[entity.Note.attributes]
userId = "-> User, on_delete = cascade"
noteId = "uuid, generated"
at = "timestamp, created"
kind = "plain | rich"
rank = "integer(0..)"
body = "text?"

[entity.Link]
is = { Type = "Link" }
key = ["LINK#{parentId}", "TO#{childId}"]
GSI1 = ["LINK#{childId}", "FROM#{parentId}"]
[entity.Link.attributes]
parentId = "-> User, on_delete = cascade"
childId = "-> User, on_delete = cascade"
[entity.Link.relation]
ends = "parentId -> childId"
acyclic = true

[entity.Pointer]
is = { Type = "Pointer" }
key = ["POINTER#{pointerId}", "POINTER"]
[entity.Pointer.attributes]
pointerId = "uuid, generated"
notePk = "text"
noteSk = "text"

[entity.Folder]
key = ["FOLDER#{parent|}", "D#{name}"]
id = "folderId"
[entity.Folder.attributes]
parent = "uuid?, movable"
name = "text, movable, without = /"
folderId = "uuid, generated, immutable"
[entity.Leaf]
key = ["FOLDER#{parent|}", "L#{name}"]
[entity.Leaf.attributes]
parent = "uuid?, movable"
name = "text, movable, without = /"
[entity.File]
key = ["FILE#{fileId}", "FILE"]
[entity.File.attributes]
fileId = "uuid, generated"
path = "text"
[path.tree]
of = "File.path"
split = "/"
folder = "Folder"
leaf = "Leaf"

[entity.Head]
key = ["REPO#{repo}", "HEAD"]
writes = []
[entity.Head.attributes]
repo = "uuid, key_only"
rev = "-> Log, on_delete = keep"
[entity.Log]
key = ["REPO#{repo}", "REV#{revTs}#{revId}"]
writes = []
[entity.Log.attributes]
repo = "uuid, key_only"
revId = "ulid, generated"
revTs = "timestamp, created"
parentRevId = "-> Log?, on_delete = keep"
[entity.Leafage]
key = ["REPO#{repo}#{revId}", "LEAF#{leafId}"]
[entity.Leafage.attributes]
repo = "uuid, key_only"
revId = "ulid, key_only"
leafId = "uuid, generated"
[entity.Intent]
key = ["REPO#{repo}", "PENDING#{repository}#{revId}"]
writes = []
[entity.Intent.attributes]
repo = "uuid, key_only"
repository = "text, without = #"
revId = "ulid"
startedAt = "timestamp, created"
sweptAt = "timestamp?, deleting, internal"
[repository.data]
head = "Head"
log = "Log"
entities = ["Leafage"]
intent = "Intent"

[access.get]
key = ["USER#{userId}", "USER"]
returns = ["User"]
consistent = true
[access.prefix]
key = ["USER#{userId}", "NOTE#*"]
returns = ["Note"]
order = "desc"
limit = 20
follow = "userId"
filter = "kind = 'plain' AND rank > param.rank"
[access.range]
key = ["USER#{userId}", "NOTE#{noteId..}"]
returns = ["Note"]
[access.open]
key = ["USER#{userId}", "NOTE#{noteId*}"]
returns = ["Note"]
[access.optional]
GSI1 = ["LINK#{childId}", "FROM#{parentId?}#*"]
returns = ["Link"]
[access.one]
GSI1 = ["LINK#{childId}", "FROM#{parentId}"]
returns = ["Link"]
one = true
[access.fan_out]
GSI1 = ["DAY#{at:date..}", "{at..}"]
returns = ["Note"]
[access.by_rank]
GSI2 = ["K#{kind}", "{rank..}"]
returns = ["Note"]
[access.through]
through = "User.email"
returns = ["User"]
[access.both]
union = ["get", "prefix"]
[access.steps]
steps = ["one", "prefix"]
set = { userId = "{parentId}" }
[access.walk]
walk = ["Link.parentId"]
[access.resolve]
resolve = "tree"
[access.diff]
diff = "data"
[access.pointer]
pointer = ["Pointer.notePk", "Pointer.noteSk"]
returns = ["Note"]
"#;

fn plan(name: &str) -> PatternPlan {
    let model = read(MODEL);
    let (_, access) = model.pattern_named(name).expect(name);
    requests(&model, access)
}

fn only(name: &str) -> PatternRequest {
    let plan = plan(name);
    assert_eq!(plan.requests.len(), 1, "{plan}");
    plan.requests.into_iter().next().unwrap()
}

fn value<'r>(request: &'r PatternRequest, name: &str) -> &'r str {
    let mut all = request.values.iter().chain(&request.key);
    &all.find(|value| value.name == name).expect(name).text
}

#[test]
fn a_whole_key_is_a_get() {
    assert_eq!(
        only("get").to_string(),
        r#"GetItem {
  "TableName": "physical",
  "Key": {
    "PK": { "S": "{site}/USER#{userId}" },
    "SK": { "S": "USER" }
  },
  "ConsistentRead": true
}"#
    );
}

#[test]
fn a_prefix_is_a_query_with_filter_and_hydration() {
    let plan = plan("prefix");
    assert_eq!(
        plan.requests[0].to_string(),
        r##"Query {
  "TableName": "physical",
  "KeyConditionExpression": "#pk = :pk AND begins_with(#sk, :sk)",
  "FilterExpression": "#kind = :v1 AND #rank > :rank",
  "ExpressionAttributeNames": {
    "#pk": "PK",
    "#sk": "SK",
    "#kind": "kind",
    "#rank": "rank"
  },
  "ExpressionAttributeValues": {
    ":pk": { "S": "{site}/USER#{userId}" },
    ":sk": { "S": "NOTE#" },
    ":v1": { "S": "plain" },
    ":rank": { "N": "{rank}" }
  },
  "ScanIndexForward": false,
  "Limit": 20
}"##
    );
    assert_eq!(plan.requests[1].operation, Operation::BatchGetItem);
    assert_eq!(plan.requests[1].repeat, Repeat::EachRow { of: vec![1] });
    assert_eq!(
        value(&plan.requests[1], "PK"),
        "{site}/USER#<read 1: userId>"
    );
}

#[test]
fn a_range_is_between_and_stays_in_its_prefix() {
    let request = only("range");
    let condition = request.key_condition.as_deref();
    assert_eq!(condition, Some("#pk = :pk AND #sk BETWEEN :from AND :to"));
    assert_eq!(value(&request, ":from"), "NOTE#{noteId.from}");
    assert_eq!(value(&request, ":to"), "NOTE#{noteId.to}");
    assert_eq!(request.variants[1].without, "noteId.to");
    assert_eq!(request.variants[1].values[2].text, "NOTE#\u{10FFFF}");
}

#[test]
fn a_number_is_a_number_in_an_index() {
    let request = only("by_rank");
    assert_eq!(request.index.as_deref(), Some("by-rank"));
    assert!(
        request
            .json()
            .contains(r#"":from": { "N": "{rank.from}" }"#)
    );
    assert_eq!(
        request.variants[0].key_condition,
        "#pk = :pk AND #sk <= :to"
    );
}

#[test]
fn a_beginning_and_an_optional_part_are_prefixes() {
    let open = only("open");
    assert_eq!(value(&open, ":sk"), "NOTE#{noteId}");
    let optional = only("optional");
    assert_eq!(value(&optional, ":sk"), "FROM#{parentId}#");
    assert_eq!(optional.variants[0].without, "parentId");
    assert_eq!(optional.variants[0].values[1].text, "FROM#");
}

#[test]
fn one_row_asks_for_two() {
    let request = only("one");
    assert_eq!(request.limit, Some(2));
    assert_eq!(
        request.key_condition.as_deref(),
        Some("#pk = :pk AND #sk = :sk")
    );
    assert!(plan("one").afterwards[0].contains("a second is an error"));
}

#[test]
fn days_are_asked_one_after_the_other() {
    let request = only("fan_out");
    assert_eq!(value(&request, ":pk"), "{site}/DAY#<day>");
    assert_eq!(value(&request, ":to"), "{at.to}\u{10FFFF}");
    assert!(matches!(request.repeat, Repeat::EachDay { .. }));
    assert!(request.variants.is_empty());
}

#[test]
fn through_a_claim_reads_the_guard_and_then_the_row() {
    let plan = plan("through");
    assert_eq!(
        value(&plan.requests[0], "PK"),
        "{site}/EMAIL#{email:nfkc:lower}"
    );
    assert_eq!(value(&plan.requests[0], "SK"), "EMAIL#{email:nfkc:lower}");
    assert_eq!(
        value(&plan.requests[1], "PK"),
        "{site}/USER#<read 1: userId>"
    );
    assert!(plan.requests.iter().all(|request| request.consistent));
}

#[test]
fn a_union_is_all_requests_of_its_patterns() {
    let plan = plan("both");
    let operations: Vec<_> = plan
        .requests
        .iter()
        .map(|request| request.operation)
        .collect();
    assert_eq!(operations, [Operation::GetItem, Operation::Query]);
}

#[test]
fn steps_feed_rows_to_the_next() {
    let plan = plan("steps");
    assert_eq!(value(&plan.requests[0], ":pk"), "{site}/LINK#{childId}");
    assert_eq!(
        value(&plan.requests[1], ":pk"),
        "{site}/USER#<read 1: parentId>"
    );
    assert_eq!(plan.requests[1].repeat, Repeat::EachRow { of: vec![1] });
}

#[test]
fn a_walk_asks_for_links_and_then_for_rows_until_nothing_is_new() {
    let plan = plan("walk");
    assert_eq!(plan.requests[0].index.as_deref(), Some("GSI1"));
    assert_eq!(
        value(&plan.requests[0], ":pk"),
        "{site}/LINK#<current: userId>"
    );
    assert_eq!(
        value(&plan.requests[1], "PK"),
        "{site}/USER#<read 1: parentId>"
    );
    assert_eq!(plan.requests[1].repeat, Repeat::UntilNothingNew { from: 1 });
}

#[test]
fn a_path_is_a_get_for_each_segment() {
    let plan = plan("resolve");
    assert_eq!(plan.requests[0].repeat, Repeat::EachSegment);
    assert_eq!(
        value(&plan.requests[0], "PK"),
        "{site}/FOLDER#<read 1: folderId|>"
    );
    assert_eq!(value(&plan.requests[1], "SK"), "L#{last segment of path}");
}

#[test]
fn a_diff_reads_two_snapshots() {
    let plan = plan("diff");
    assert_eq!(value(&plan.requests[0], ":pk"), "{site}/REPO#{repo}#{from}");
    assert_eq!(value(&plan.requests[1], ":pk"), "{site}/REPO#{repo}#{to}");
}

#[test]
fn a_pointer_is_a_get_by_a_stored_key() {
    let request = only("pointer");
    assert_eq!(request.operation, Operation::GetItem);
    assert_eq!(value(&request, "PK"), "{notePk}");
    assert_eq!(value(&request, "SK"), "{noteSk}");
}
