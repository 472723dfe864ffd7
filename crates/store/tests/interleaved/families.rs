//! Persons that are counted by their tree.

use crate::schedule::{Race, Schedule, schedules};
use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Create, Delete, Store};
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
