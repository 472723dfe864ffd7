//! References: what they name is asked whenever they lead elsewhere, and a row with a tombstone is not there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Change, ErrorKind, Store};

const TASKS: &str = r##"
monotable = 1
model     = "tasks"

[table.Tasks]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Driver]
is        = { Type = "Driver" }
key       = ["TEAM#{team}", "DRIVER#{driver}"]
id        = "driver"
tombstone = { archived = true, deletedAt = "{now}" }

[entity.Driver.attributes]
team      = "text, matches = /[a-z0-9]{1,20}/"
driver    = "text, matches = /[a-z0-9]{1,20}/"
archived  = "boolean, default = false"
deletedAt = "timestamp?"

[entity.Goal]
is        = { Type = "Goal" }
key       = ["GOAL#{goal}", "GOAL"]
id        = "goal"
tombstone = { deletedAt = "{now}" }

[entity.Goal.attributes]
goal      = "text, matches = /[a-z0-9]{1,20}/"
deletedAt = "timestamp?"

[entity.Action]
is   = { Type = "Action" }
key  = ["ACTION#{action}", "ACTION"]
GSI1 = ["TEAM#{team}#{driver}", "ACTION#{action}"]

[entity.Action.attributes]
action = "text, matches = /[a-z0-9]{1,20}/"
team   = "text, matches = /[a-z0-9]{1,20}/"
driver = "-> Driver, on_delete = cascade"
goal   = "-> Goal?, on_delete = keep"

[access.actions_of_driver]
GSI1    = ["TEAM#{team}#{driver}"]
returns = ["Action"]
"##;

async fn store() -> Store {
    let read = monotable_model::read(TASKS);
    let model = read
        .model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store.create("Driver", driver()).await.unwrap();
    store.create("Goal", goal()).await.unwrap();
    store
}

fn driver() -> Item {
    Item::new().with("team", "red").with("driver", "d1")
}

fn goal() -> Item {
    Item::new().with("goal", "g1")
}

fn action(id: &str) -> Item {
    driver().with("action", id)
}

fn set(name: &str, value: &str) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

#[tokio::test]
async fn a_reference_is_asked_again_when_another_attribute_of_its_key_changes() {
    let store = store().await;
    store.create("Action", action("a1")).await.unwrap();
    let key = || Item::new().with("action", "a1");
    // There is no driver d1 in the blue team.
    let moved = store.update("Action", key(), set("team", "blue")).await;
    assert_eq!(moved.unwrap_err().kind(), ErrorKind::NotFound);
    let blue = Item::new().with("team", "blue").with("driver", "d1");
    store.create("Driver", blue).await.unwrap();
    store
        .update("Action", key(), set("team", "blue"))
        .await
        .unwrap();
}

#[tokio::test]
async fn an_action_below_a_deleted_driver_is_refused() {
    let store = store().await;
    store.create("Action", action("a1")).await.unwrap();
    store.delete("Driver", driver()).await.unwrap();
    let refused = store.create("Action", action("a2")).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotFound, "{refused}");
    // What was there before may still be changed.
    let key = Item::new().with("action", "a1");
    store
        .update("Action", key, set("goal", "g1"))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_row_whose_tombstone_is_a_time_is_not_referred_to() {
    let store = store().await;
    store.delete("Goal", goal()).await.unwrap();
    let refused = store.create("Action", action("a1").with("goal", "g1"));
    assert_eq!(refused.await.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn undoing_a_deletion_removes_the_whole_tombstone() {
    let store = store().await;
    store.delete("Driver", driver()).await.unwrap();
    let revive = Change {
        set: Item::new().with("archived", false),
        ..Change::default()
    };
    let row = store.update("Driver", driver(), revive).await.unwrap();
    assert_eq!(row.values.get("deletedAt"), None);
    store.create("Action", action("a1")).await.unwrap();
    store.delete("Goal", goal()).await.unwrap();
    let revive = Change {
        unset: vec!["deletedAt".to_owned()],
        ..Change::default()
    };
    let row = store.update("Goal", goal(), revive).await.unwrap();
    assert_eq!(row.values.get("deletedAt"), None);
    store.get("Goal", goal()).await.unwrap();
}
