use super::super::{json, markdown};
use super::read;
use monotable_model::plan::{
    Listing, Operation, PlannedRequest, PlannedValue, Plans, Repeat, list_requests,
};

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

fn plan(name: &str) -> Listing {
    let plans = Plans::new(&read(MODEL));
    list_requests(&plans, plans.pattern_named(name).expect(name))
}

fn only(name: &str) -> PlannedRequest {
    let plan = plan(name);
    assert_eq!(plan.requests.len(), 1, "{plan:?}");
    plan.requests.into_iter().next().unwrap()
}

fn find(values: &[PlannedValue], name: &str) -> String {
    let mut values = values.iter();
    let value = values.find(|value| value.name == name);
    value.expect(name).text.to_string()
}

fn value(request: &PlannedRequest, name: &str) -> String {
    let keys = request.keys.iter().flatten();
    let all: Vec<_> = request.values.iter().chain(keys).cloned().collect();
    find(&all, name)
}

#[test]
fn a_whole_key_is_a_get() {
    assert_eq!(
        json(&only("get")),
        r#"{
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
fn a_prefix_is_a_query_with_rows_that_come_along() {
    let plan = plan("prefix");
    assert_eq!(
        json(&plan.requests[0]),
        r##"{
  "TableName": "physical",
  "KeyConditionExpression": "#pk = :pk AND begins_with(#sk, :sk)",
  "ExpressionAttributeNames": {
    "#pk": "PK",
    "#sk": "SK"
  },
  "ExpressionAttributeValues": {
    ":pk": { "S": "{site}/USER#{userId}" },
    ":sk": { "S": "NOTE#" }
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
fn a_filter_is_a_sentence_and_no_request() {
    let page = markdown(&read(MODEL));
    assert!(!page.contains("FilterExpression"), "{page}");
    assert!(
        page.contains("kind = 'plain' AND rank > param.rank"),
        "{page}"
    );
    assert!(page.contains("no filter is sent"), "{page}");
}

#[test]
fn a_range_is_between_and_stays_in_its_prefix() {
    let request = only("range");
    let condition = request.key_condition.as_deref();
    assert_eq!(condition, Some("#pk = :pk AND #sk BETWEEN :from AND :to"));
    assert_eq!(value(&request, ":from"), "NOTE#{noteId.from}");
    assert_eq!(value(&request, ":to"), "NOTE#{noteId.to}");
    assert_eq!(request.variants[1].without, ["noteId.to"]);
    let behind = find(&request.variants[1].values, ":to");
    assert_eq!(behind, "NOTE#\u{10FFFF}");
    let neither = &request.variants[2];
    assert_eq!(neither.without, ["noteId.from", "noteId.to"]);
    assert_eq!(neither.key_condition, "#pk = :pk AND begins_with(#sk, :sk)");
}

#[test]
fn a_number_is_a_number_in_an_index() {
    let request = only("by_rank");
    assert_eq!(request.index.as_deref(), Some("by-rank"));
    assert!(json(&request).contains(r#"":from": { "N": "{rank.from}" }"#));
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
    assert_eq!(optional.variants[0].without, ["parentId"]);
    assert_eq!(find(&optional.variants[0].values, ":sk"), "FROM#");
}

#[test]
fn one_row_asks_for_two() {
    let request = only("one");
    assert_eq!(request.limit, Some(2));
    assert_eq!(
        request.key_condition.as_deref(),
        Some("#pk = :pk AND #sk = :sk")
    );
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
    let [start, links, rows] = plan.requests.as_slice() else {
        panic!("{plan:?}");
    };
    assert_eq!(value(start, "PK"), "{site}/USER#{userId}");
    assert_eq!(links.index.as_deref(), Some("GSI1"));
    assert_eq!(value(links, ":pk"), "{site}/LINK#<current: userId>");
    assert_eq!(value(rows, "PK"), "{site}/USER#<read 2: parentId>");
    assert_eq!(rows.repeat, Repeat::UntilNothingNew { from: 2 });
}

#[test]
fn a_path_is_a_get_for_each_segment() {
    let plan = plan("resolve");
    assert_eq!(plan.requests[0].repeat, Repeat::EachSegment);
    assert_eq!(
        value(&plan.requests[0], "PK"),
        "{site}/FOLDER#<read 1: folderId|>"
    );
    let last = &plan.requests[1];
    assert_eq!(last.operation, Operation::BatchGetItem);
    assert_eq!(find(&last.keys[0], "SK"), "D#{last segment of path}");
    assert_eq!(find(&last.keys[1], "SK"), "L#{last segment of path}");
}

#[test]
fn a_diff_reads_two_rows_of_the_log_and_two_snapshots() {
    let plan = plan("diff");
    let log = value(&plan.requests[0], "SK");
    assert_eq!(log, "REV#<time of from>#{from}");
    assert_eq!(value(&plan.requests[2], ":pk"), "{site}/REPO#{repo}#{from}");
    assert_eq!(value(&plan.requests[3], ":pk"), "{site}/REPO#{repo}#{to}");
}

#[test]
fn a_pointer_is_a_get_by_a_stored_key() {
    let request = only("pointer");
    assert_eq!(request.operation, Operation::GetItem);
    assert_eq!(value(&request, "PK"), "{notePk}");
    assert_eq!(value(&request, "SK"), "{noteSk}");
}

/// Jobs of a team, in an index of several attributes, one of which is a number that jobs have anyway.
const JOBS: &str = r#"
monotable = 1
model = "jobs"
[tenant]
name = "site"
type = "text, matches = /[a-z]+/"
prefix = "{site}/"
[table.T]
key = ["PK", "SK"]
ByState = [["team", "state"], ["priority", "dueAt"]]
[entity.Job]
key = ["JOB#{jobId}", "JOB"]
ByState = [["TEAM#{teamId}", "{state}"], ["{priority}", "{dueAt}"]]
[entity.Job.attributes]
jobId = "uuid, generated"
teamId = "uuid"
state = "open | done"
priority = "integer(0..9)"
dueAt = "timestamp"
[access.due]
ByState = [["TEAM#{teamId}", "{state}"], ["{priority}", "{dueAt..}"]]
returns = ["Job"]
[access.of_team]
ByState = [["TEAM#{teamId}", "{state}"], "{priority}"]
returns = ["Job"]
"#;

#[test]
fn an_index_of_several_attributes_is_asked_by_all_of_them() {
    let model = read(JOBS);
    let plans = Plans::new(&model);
    let list = |name: &str| {
        let listing = list_requests(&plans, plans.pattern_named(name).unwrap());
        listing.requests.into_iter().next().unwrap()
    };
    let due = list("due");
    assert_eq!(
        due.key_condition.as_deref(),
        Some("#pk = :pk AND #pk2 = :pk2 AND #sk = :sk AND #sk2 BETWEEN :from AND :to")
    );
    assert_eq!(value(&due, ":pk"), "{site}/TEAM#{teamId}");
    assert_eq!(value(&due, ":pk2"), "{state}");
    assert!(json(&due).contains(r#"":sk": { "N": "{priority}" }"#));
    assert!(json(&due).contains(r##""#sk2": "dueAt""##));
    let from = due.variants.iter().find(|one| one.without == ["dueAt.to"]);
    assert_eq!(
        from.unwrap().key_condition,
        "#pk = :pk AND #pk2 = :pk2 AND #sk = :sk AND #sk2 >= :from"
    );
    assert_eq!(
        list("of_team").to_string(),
        "Query ByState: team = {site}/TEAM#{teamId} AND state = {state} AND priority = {priority}"
    );
    let page = markdown(&model);
    assert!(
        page.contains("| `ByState` | `team`, `state` | `priority`, `dueAt` |"),
        "{page}"
    );
    assert!(page.contains("`TEAM#{teamId}`, `{state}`"), "{page}");
}
