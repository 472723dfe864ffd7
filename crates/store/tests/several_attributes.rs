//! Indexes of several attributes: what is sent, what is found, in which order, and what verify and repair say of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{DescribeTableInput, DynamoExt, PutItemInput, ScanInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item, Number};
use monotable_store::{Change, ErrorKind, Page, RepairMode, RepairScope, Store, VerifyOptions};

const MODEL: &str = r##"
monotable = 1
model     = "jobs"

[tenant]
name   = "site"
type   = "text, matches = /[a-z]{1,20}/"
prefix = "{site}/"

[table.Jobs]
key     = ["PK", "SK"]
ByState = [["team", "state"], ["priority", "dueAt", "jobId"]]
ByPlace = [["place", "kind"], ["area", "placeSort"]]
Spread  = [["shard", "kind"], ["priority", "spreadSort"]]
ByOwner = [["owner", "kind"], "ownerSort"]

[entity.Owner]
is  = { Type = "Owner" }
key = ["OWNER#{ownerId}", "OWNER"]

[entity.Owner.attributes]
ownerId = "text, matches = /[a-z0-9]{1,8}/"
kind    = "repair | check, default = repair"

[entity.Job]
is      = { Type = "Job" }
id      = "jobId"
key     = ["JOB#{jobId}", "JOB"]
ByPlace = [["PLACE#{country}", "{kind}"], ["{city:lower}", "{dueAt}#{jobId}"]]
Spread  = [["S#{jobId:shard(4)}", "{kind}"], ["{priority}", "{jobId}"]]
ByOwner = [["OWNER#{ownerId}", "{kind}"], "{jobId}"]
accept.missing_tenant = "teams have their names in no two sites"
accept.index_decides  = "an owner goes when its jobs are done"

[entity.Job.attributes]
jobId    = "text, matches = /[a-z0-9]{1,8}/"
team     = "text(1..40), without = #"
state    = "open | busy | done, default = open"
priority = "integer(0..99), default = 5"
dueAt    = "timestamp"
kind     = "repair | check, default = repair"
country  = "text, matches = /[A-Z]{2}/"
city     = "text(1..60)?"
ownerId  = "-> Owner?, on_delete = clear, same = kind"

[access.jobs_of_team]
ByState = [["{team}", "{state}"]]
returns = ["Job"]

[access.jobs_by_priority]
ByState = [["{team}", "{state}"], "{priority..}"]
returns = ["Job"]

[access.jobs_due]
ByState = [["{team}", "{state}"], ["{priority}", "{dueAt..}"]]
returns = ["Job"]

[access.jobs_at_place]
ByPlace = [["PLACE#{country}", "{kind}"], ["{city:lower}", "{dueAt..}"]]
returns = ["Job"]

[access.places]
ByPlace = [["PLACE#{country}", "{kind}"], "{city:lower*}"]
returns = ["Job"]

[access.spread]
Spread  = [["S#{jobId:shard(4)..}", "{kind}"]]
returns = ["Job"]

[access.spread_of_priority]
Spread  = [["S#{jobId:shard(4)..}", "{kind}"], "{priority}"]
returns = ["Job"]

[access.spread_from]
Spread  = [["S#{jobId:shard(4)..}", "{kind}"], "{priority..}"]
returns = ["Job"]

[access.jobs_of_owner]
ByOwner = [["OWNER#{ownerId}", "{kind}"]]
returns = ["Job"]
"##;

struct World {
    engine: Engine,
    store: Store,
}

async fn world() -> World {
    let checked = monotable_check::check(MODEL);
    let found: Vec<_> = checked.diagnostics.iter().map(|one| &one.message).collect();
    let model = checked.model.unwrap_or_else(|| panic!("{found:?}"));
    let engine = Engine::in_memory().unwrap();
    let store = Store::new(model, engine.clone()).tenant("blue");
    store.setup().await.unwrap();
    World { engine, store }
}

fn number(value: i64) -> AttributeValue {
    AttributeValue::N(Number::from(value))
}

fn job(id: &str, priority: i64, due: &str) -> Item {
    Item::new()
        .with("jobId", id)
        .with("team", "red")
        .with("priority", number(priority))
        .with("dueAt", format!("2026-01-{due}T10:00:00.000Z"))
        .with("country", "DE")
        .with("city", "Berlin")
}

/// Jobs whose priorities sort otherwise as texts than as numbers.
async fn filled() -> World {
    let world = world().await;
    for number in 0..24_i64 {
        let id = format!("j{number:02}");
        let due = format!("{:02}", 1 + (number * 7) % 20);
        let mut values = job(&id, 2 + (number * 5) % 12, &due);
        if number % 6 == 5 {
            values.remove("city");
        }
        values.insert("kind", if number % 4 == 3 { "check" } else { "repair" });
        world.store.create("Job", values).await.unwrap();
    }
    world
}

fn ids(rows: &[monotable_store::Row]) -> Vec<String> {
    rows.iter()
        .map(|row| row.text("jobId").to_owned())
        .collect()
}

/// All rows of a pattern, in pages of this many.
async fn paged(store: &Store, pattern: &str, given: &Item, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..100 {
        let mut query = store.query(pattern, given.clone()).limit(most);
        if let Some(cursor) = &cursor {
            query = query.after(cursor.clone());
        }
        let page: Page = query.await.unwrap();
        assert!(page.rows.len() <= most);
        found.extend(ids(&page.rows));
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => return found,
        }
    }
    panic!("{pattern} never ends");
}

/// The stored items of jobs, without the tenant's prefix looked at: what a naive reader sorts.
fn stored(world: &World) -> Vec<Item> {
    let scanned = world.engine.scan(ScanInput::new("Jobs")).unwrap();
    let items = scanned.items.unwrap_or_default();
    let items = items.iter().map(|item| item.to_item());
    items
        .filter(|item| item.get("Type") == Some(&AttributeValue::from("Job")))
        .collect()
}

fn text(item: &Item, name: &str) -> Option<String> {
    match item.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    }
}

fn natural(item: &Item, name: &str) -> Option<i64> {
    match item.get(name) {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// What stands in an index, by a plain sort of the items that have all its attributes.
fn naive(
    world: &World,
    equal: &[(&str, &str)],
    sort: impl Fn(&Item) -> Option<(i64, String, String)>,
    keep: impl Fn(&Item) -> bool,
) -> Vec<String> {
    let mut rows: Vec<_> = stored(world)
        .into_iter()
        .filter(|item| {
            let mut equal = equal.iter();
            equal.all(|(name, value)| text(item, name).as_deref() == Some(*value)) && keep(item)
        })
        .filter_map(|item| Some((sort(&item)?, text(&item, "jobId")?)))
        .collect();
    rows.sort();
    rows.into_iter().map(|(_, id)| id).collect()
}

fn by_state(item: &Item) -> Option<(i64, String, String)> {
    Some((
        natural(item, "priority")?,
        text(item, "dueAt")?,
        text(item, "jobId")?,
    ))
}

#[tokio::test]
async fn setup_makes_the_key_schema() {
    let world = world().await;
    let described = world.engine.describe_table(DescribeTableInput::new("Jobs"));
    let table = described.unwrap().table.unwrap();
    let indexes = table.global_secondary_indexes.unwrap();
    let named = |name: &str| {
        let index = indexes
            .iter()
            .find(|index| index.index_name.as_deref() == Some(name));
        format!("{:?}", index.unwrap().key_schema)
    };
    let shown = named("ByState");
    for name in ["team", "state", "priority", "dueAt", "jobId"] {
        assert!(shown.contains(name), "{shown}");
    }
    let types = format!("{:?}", table.attribute_definitions);
    let priority = types.split("priority").nth(1).unwrap();
    assert!(priority[..60.min(priority.len())].contains('N'), "{types}");
    // The same model on the same table: nothing differs.
    world.store.setup().await.unwrap();
    // Another order of the attributes is another index.
    let other = MODEL
        .replace(
            "ByState = [[\"team\", \"state\"], [\"p",
            "ByState = [[\"state\", \"team\"], [\"p",
        )
        .replace("[[\"{team}\", \"{state}\"]", "[[\"{state}\", \"{team}\"]");
    let model = monotable_check::check(&other).model.unwrap();
    let store = Store::new(model, world.engine.clone()).tenant("blue");
    let error = store.setup().await.unwrap_err();
    assert!(error.to_string().contains("with another key"), "{error}");
}

#[tokio::test]
async fn patterns_find_what_a_plain_sort_finds() {
    let world = filled().await;
    let team = Item::new().with("team", "red").with("state", "open");
    let equal = [("team", "red"), ("state", "open")];
    let all = naive(&world, &equal, by_state, |_| true);
    assert_eq!(all.len(), 24);
    for most in [1, 3, 7, 100] {
        let found = paged(&world.store, "jobs_of_team", &team, most).await;
        assert_eq!(found, all, "{most}");
    }
    // Priorities are numbers: 9 comes before 10.
    let range = team
        .clone()
        .with("priority.from", number(4))
        .with("priority.to", number(11));
    let wanted = naive(&world, &equal, by_state, |item| {
        natural(item, "priority").is_some_and(|priority| (4..=11).contains(&priority))
    });
    for most in [2, 100] {
        let found = paged(&world.store, "jobs_by_priority", &range, most).await;
        assert_eq!(found, wanted, "{most}");
    }
    let due = team
        .clone()
        .with("priority", number(7))
        .with("dueAt.from", "2026-01-03");
    let wanted = naive(&world, &equal, by_state, |item| {
        natural(item, "priority") == Some(7)
            && text(item, "dueAt").unwrap().as_str() >= "2026-01-03"
    });
    assert!(!wanted.is_empty());
    assert_eq!(paged(&world.store, "jobs_due", &due, 1).await, wanted);
    let page = world.store.query("jobs_of_team", team).descending();
    let mut reversed = all;
    reversed.reverse();
    assert_eq!(ids(&page.await.unwrap().rows), reversed);
}

#[tokio::test]
async fn a_row_without_one_attribute_is_not_in_the_index() {
    let world = filled().await;
    let place = Item::new().with("country", "DE").with("kind", "repair");
    let by_place = |item: &Item| Some((0, text(item, "area")?, text(item, "placeSort")?));
    let wanted = naive(
        &world,
        &[("place", "blue/PLACE#DE"), ("kind", "repair")],
        by_place,
        |_| true,
    );
    assert!(!wanted.is_empty() && wanted.len() < 18, "{wanted:?}");
    let city = place.clone().with("city", "Berlin");
    assert_eq!(paged(&world.store, "jobs_at_place", &city, 2).await, wanted);
    let begun = place.clone().with("city", "BER");
    assert_eq!(paged(&world.store, "places", &begun, 100).await, wanted);
    // No attribute of the key is written where one is absent.
    for item in stored(&world) {
        let has = |name: &str| item.get(name).is_some();
        let is_in = has("city");
        for name in ["place", "area", "placeSort"] {
            assert_eq!(has(name), is_in, "{item:?}");
        }
    }
    // A city that goes takes the row out of the index, one that comes puts it in.
    let key = |id: &str| Item::new().with("jobId", id);
    let (first, second) = (wanted[0].as_str(), "j05");
    let gone = Change {
        unset: vec!["city".to_owned()],
        ..Change::default()
    };
    world.store.update("Job", key(first), gone).await.unwrap();
    let mut come = Change::default();
    come.set.insert("city", "Bern");
    come.set.insert("kind", "repair");
    world.store.update("Job", key(second), come).await.unwrap();
    let found = paged(&world.store, "places", &begun, 100).await;
    assert!(!found.contains(&first.to_owned()), "{found:?}");
    assert!(found.contains(&second.to_owned()), "{found:?}");
    assert_eq!(found.len(), wanted.len());
    let verified = world.store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
}

#[tokio::test]
async fn shards_are_merged_by_all_sort_attributes() {
    let world = filled().await;
    let by_priority = |item: &Item| {
        let spread = text(item, "spreadSort")?;
        Some((natural(item, "priority")?, spread, String::new()))
    };
    let kind = Item::new().with("kind", "repair");
    let equal = [("kind", "repair")];
    let all = naive(&world, &equal, by_priority, |_| true);
    for most in [1, 2, 5, 100] {
        let found = paged(&world.store, "spread", &kind, most).await;
        assert_eq!(found, all, "{most}");
        let seven = |item: &Item| natural(item, "priority") == Some(7);
        let given = kind.clone().with("priority", number(7));
        let found = paged(&world.store, "spread_of_priority", &given, most).await;
        assert_eq!(found, naive(&world, &equal, by_priority, seven), "{most}");
        let from = |item: &Item| natural(item, "priority") >= Some(5);
        let given = kind.clone().with("priority.from", number(5));
        let found = paged(&world.store, "spread_from", &given, most).await;
        assert_eq!(found, naive(&world, &equal, by_priority, from), "{most}");
    }
}

#[tokio::test]
async fn rows_that_refer_are_found_by_the_whole_partition_key() {
    let world = world().await;
    let owner = Item::new().with("ownerId", "o1").with("kind", "check");
    world.store.create("Owner", owner).await.unwrap();
    let values = job("j1", 3, "02")
        .with("ownerId", "o1")
        .with("kind", "check");
    world.store.create("Job", values).await.unwrap();
    let other = job("j2", 3, "02").with("kind", "check");
    world.store.create("Job", other).await.unwrap();
    let given = Item::new().with("ownerId", "o1").with("kind", "check");
    let found = paged(&world.store, "jobs_of_owner", &given, 5).await;
    assert_eq!(found, ["j1"]);
    let key = Item::new().with("ownerId", "o1");
    world.store.delete("Owner", key).await.unwrap();
    let row = world.store.get("Job", Item::new().with("jobId", "j1"));
    assert!(row.await.unwrap().values.get("ownerId").is_none());
    let verified = world.store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
}

/// `Own` is on attributes that rows have anyway, `Filled` is filled by templates.
const LONG: &str = r##"
monotable = 1
model     = "long"

[table.Main]
key    = ["PK", "SK"]
Own    = [["id", "first"], ["second", "third"]]
Filled = ["filled", ["one", "two"]]

[entity.Text]
key    = ["TEXT#{id}", "TEXT"]
Filled = ["FILLED#{id}", ["{second}", "2{third}"]]
accept.long_key = "most texts are short"

[entity.Text.attributes]
id     = "text, matches = /[a-z]{1,9}/"
first  = "text(1..3000), matches = /[a-z]*/"
second = "text(1..3000), matches = /[a-z]*/"
third  = "text(1..3000), matches = /[a-z]*/"
"##;

#[tokio::test]
async fn a_key_that_is_too_long_together_is_refused() {
    let checked = monotable_check::check(LONG);
    let found: Vec<_> = checked.diagnostics.iter().map(|one| &one.message).collect();
    let model = checked.model.unwrap_or_else(|| panic!("{found:?}"));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let text = |lengths: [usize; 3]| {
        let [first, second, third] = lengths.map(|length| "x".repeat(length));
        Item::new()
            .with("id", "a")
            .with("first", first)
            .with("second", second)
            .with("third", third)
    };
    // With the id, 2048 and 1024 bytes: the most that DynamoDB takes. The template has one byte more.
    for (lengths, refused) in [
        ([2048, 1, 1], Some("id")),
        ([2047, 513, 511], Some("one")),
        ([2047, 513, 512], Some("one")),
        ([1, 1, 1024], Some("one")),
        ([2047, 512, 511], None),
    ] {
        let created = store.create("Text", text(lengths)).await;
        match (created, refused) {
            (Ok(_), None) => {}
            (Err(error), Some(name)) => {
                assert_eq!(error.kind(), ErrorKind::Validation, "{error}");
                assert!(error.to_string().contains(&format!("`{name}`")), "{error}");
            }
            (created, _) => panic!("{lengths:?}: {created:?}"),
        }
    }
}

#[tokio::test]
async fn a_changed_attribute_is_found_and_mended() {
    let world = filled().await;
    let damages: &[(&str, Option<&str>)] = &[
        ("area", Some("bonn")),
        ("placeSort", None),
        ("place", Some("blue/PLACE#FR")),
        ("ownerSort", Some("extra")),
    ];
    for (name, value) in damages {
        let mut item = stored(&world)
            .into_iter()
            .find(|item| item.get("area").is_some())
            .unwrap();
        let whole = item.clone();
        match value {
            Some(value) => drop(item.insert(*name, *value)),
            None => drop(item.remove(name)),
        }
        let put = PutItemInput::new("Jobs", item);
        DynamoExt::put_item(&world.engine, put).await.unwrap();
        let verified = world.store.verify().await.unwrap();
        let found: Vec<_> = verified
            .violations
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            found.iter().any(|one| one.contains(name)),
            "{name}: {found:?}"
        );
        let options = VerifyOptions::default();
        let repair = world
            .store
            .repair(&options, RepairScope::All, RepairMode::Write);
        assert_eq!(repair.await.unwrap().written, 1, "{name}");
        assert!(stored(&world).contains(&whole), "{name}");
        let verified = world.store.verify().await.unwrap();
        assert!(verified.violations.is_empty(), "{:?}", verified.violations);
    }
}
