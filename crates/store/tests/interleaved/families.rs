//! Persons that are counted by their tree.

use crate::schedule::{Race, Schedule, sample, schedules};
use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Create, Delete, MoveRow, Store};
use std::sync::{Arc, LazyLock};

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/yggdrasil/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_check::check(&text).model.unwrap()
});

fn store(dynamo: Arc<dyn Dynamo>) -> Store {
    // The credential that is not hashed: bcrypt would take all the time.
    Store::new(MODEL.clone(), dynamo).with_settings(Item::new().with("auth", "aws"))
}

fn create(entity: &str, values: Item) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values,
    })
}

fn user() -> AnyOperation {
    let values = Item::new().with("UserId", "u").with("Email", "u@x.org");
    create("User", values.with("CognitoUsername", "c"))
}

fn in_tree() -> Item {
    Item::new().with("UserId", "u").with("TreeId", "t")
}

fn tree() -> AnyOperation {
    create("Tree", in_tree().with("TreeName", "tree"))
}

fn person(id: &str) -> AnyOperation {
    let values = in_tree().with("PersonId", id).with("FirstName", "F");
    let values = values.with("LastName", "L").with("Gender", "Other");
    create("Person", values)
}

#[tokio::test]
async fn a_tree_that_is_made_anew_counts_its_own_persons() {
    let deletes = AnyOperation::Delete(Delete {
        entity: "User".to_owned(),
        key: Item::new().with("UserId", "u"),
    });
    // Between the queries of the delete, which come in any order, and between its transaction and its last look.
    let orders = |schedule: Schedule| (0..6).map(move |seed| Schedule { seed, ..schedule });
    for schedule in schedules(3..=4, 3..=4).into_iter().flat_map(orders) {
        let engine = Arc::new(Engine::in_memory().unwrap());
        let calm = store(engine.clone());
        calm.setup().await.unwrap();
        for made in [user(), tree(), person("p1")] {
            calm.run(made, monotable_store::Options::default())
                .await
                .unwrap();
        }
        let race = Race {
            first: vec![deletes.clone()],
            second: vec![person("p2"), user(), tree(), person("p3")],
        };
        race.run(&engine, store, schedule).await;
        let found = calm.verify().await.unwrap();
        let wrong: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
        assert!(wrong.is_empty(), "{schedule:?}: {}", wrong.join("\n"));
    }
}

/// More rows than one transaction deletes.
const PERSONS: usize = 60;

fn giver() -> AnyOperation {
    let values = Item::new().with("UserId", "v").with("Email", "v@x.org");
    create("User", values.with("CognitoUsername", "d"))
}

#[tokio::test]
async fn a_tree_that_is_given_away_keeps_its_persons_or_goes() {
    let deletes = AnyOperation::Delete(Delete {
        entity: "User".to_owned(),
        key: Item::new().with("UserId", "u"),
    });
    let gives = AnyOperation::MoveRow(MoveRow {
        name: "transfer_tree".to_owned(),
        key: in_tree(),
        set: Item::new().with("UserId", "v"),
    });
    for schedule in sample(schedules(0..=9, 0..=9)) {
        for is_turned in [false, true] {
            let engine = Arc::new(Engine::in_memory().unwrap());
            let calm = store(engine.clone());
            calm.setup().await.unwrap();
            let persons = (0..PERSONS).map(|id| person(&format!("p{id}")));
            for made in [user(), giver(), tree()].into_iter().chain(persons) {
                let options = monotable_store::Options::default();
                calm.run(made, options).await.unwrap();
            }
            let mut race = Race {
                first: vec![deletes.clone()],
                second: vec![gives.clone()],
            };
            if is_turned {
                std::mem::swap(&mut race.first, &mut race.second);
            }
            race.run(&engine, store, schedule).await;
            // What one of them has begun and left to the other is ended.
            for again in [gives.clone(), deletes.clone()] {
                let options = monotable_store::Options::default();
                let _refused = calm.run(again, options).await;
            }
            let found = calm.verify().await.unwrap();
            let wrong: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
            assert!(wrong.is_empty(), "{schedule:?}: {}", wrong.join("\n"));
            assert!(
                found.unfinished.is_empty(),
                "{schedule:?}: {:?}",
                found.unfinished
            );
            let of_tree = Item::new().with("TreeId", "t");
            let rows = calm.query("whole_tree", of_tree).await.unwrap().rows.len();
            let is_whole = rows == PERSONS + 1 || rows == 0;
            assert!(is_whole, "{schedule:?} {is_turned}: {rows} rows are left");
        }
    }
}
