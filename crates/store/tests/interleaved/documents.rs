//! Documents with more tags than a transaction takes.

use crate::schedule::{Race, Schedule, sample, schedules};
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::{AnyOperation, Change, Create, Delete, MoveRow, Put, Store, Update};
use std::sync::{Arc, LazyLock};

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/formkiq/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_check::check(&text).model.unwrap()
});

/// More rows than one transaction moves.
const VALUES: usize = 60;

fn store(dynamo: Arc<dyn Dynamo>) -> Store {
    Store::new(MODEL.clone(), dynamo)
        .tenant("default")
        .as_program(Item::new().with("username", "ann"))
}

fn document() -> Item {
    Item::new().with("documentId", "D1")
}

fn tag(values: usize) -> Item {
    let values = (0..values).map(|value| format!("v{value}").as_str().into());
    document()
        .with("tagKey", "size")
        .with("tagValues", AttributeValue::L(values.collect()))
}

fn move_row(name: &str) -> AnyOperation {
    AnyOperation::MoveRow(MoveRow {
        name: name.to_owned(),
        key: document(),
        set: Item::new(),
    })
}

fn delete() -> AnyOperation {
    AnyOperation::Delete(Delete {
        entity: "Document".to_owned(),
        key: document(),
    })
}

fn create(path: &str) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: "Document".to_owned(),
        values: document().with("path", path),
    })
}

fn put_tag(values: usize) -> AnyOperation {
    AnyOperation::Put(Put {
        entity: "DocumentTagMultiValue".to_owned(),
        values: tag(values),
    })
}

/// Where the document is when the race begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    Live,
    Bin,
    /// Without tags.
    Bare,
}

async fn prepare(beginning: Beginning) -> Arc<Engine> {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = store(engine.clone());
    store.setup().await.unwrap();
    store.create("Document", document()).await.unwrap();
    if beginning != Beginning::Bare {
        store
            .create("DocumentTagMultiValue", tag(VALUES))
            .await
            .unwrap();
    }
    if beginning == Beginning::Bin {
        store
            .move_row("soft_delete", document(), Item::new())
            .await
            .unwrap();
    }
    engine
}

/// Nothing contradicts the model, and a document that is there has its tag whole.
async fn judge(engine: &Arc<Engine>, case: &str) {
    let store = store(engine.clone());
    let found = store.verify().await.unwrap();
    let wrong: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{case}: {}", wrong.join("\n"));
    assert_eq!(found.unknown, 0, "{case}: {:?}", found.unknown_items);
    let begun = &found.unfinished;
    assert!(begun.is_empty(), "{case}: {begun:?}");
    let raw = engine.scan(ScanInput::new("main")).await.unwrap();
    let items = raw.items.into_iter().flatten();
    let items: Vec<Item> = items.map(|item| item.to_item()).collect();
    let sort_key = |item: &Item| match item.get("SK") {
        Some(AttributeValue::S(text)) => text.clone(),
        _ => String::new(),
    };
    let is_there = items.iter().any(|item| {
        let key = sort_key(item);
        key == "document" || key == "softdelete#document#D1"
    });
    let tags = items
        .iter()
        .filter(|item| sort_key(item).contains("tags#size#idx"));
    let tags = tags.count();
    let is_whole = if is_there {
        tags == VALUES || tags == 1
    } else {
        tags == 0
    };
    assert!(is_whole, "{case}: {tags} rows of the tag");
}

/// A sample of the schedules that switch anywhere.
fn everywhere(first: usize, second: usize) -> Vec<Schedule> {
    sample(schedules(0..=first, 1..=second))
}

async fn race(
    name: &str,
    beginning: Beginning,
    (first, second): (&[AnyOperation], &[AnyOperation]),
    schedules: Vec<Schedule>,
) {
    for schedule in schedules {
        let engine = prepare(beginning).await;
        let race = Race {
            first: first.to_vec(),
            second: second.to_vec(),
        };
        race.run(&engine, store, schedule).await;
        if beginning == Beginning::Bare {
            let store = store(engine.clone());
            let found = store.verify().await.unwrap();
            let wrong: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
            assert!(wrong.is_empty(), "{name} {schedule:?}: {wrong:?}");
        } else {
            judge(&engine, &format!("{name} {schedule:?}")).await;
        }
    }
}

#[tokio::test]
async fn a_delete_and_a_soft_delete_lose_nothing() {
    let (moves, deletes) = (move_row("soft_delete"), delete());
    let both = (std::slice::from_ref(&moves), std::slice::from_ref(&deletes));
    race(
        "soft_delete, delete",
        Beginning::Live,
        both,
        everywhere(8, 8),
    )
    .await;
    race(
        "delete, soft_delete",
        Beginning::Live,
        (both.1, both.0),
        everywhere(8, 8),
    )
    .await;
}

#[tokio::test]
async fn a_restore_and_a_purge_lose_nothing() {
    let (restores, purges) = (move_row("restore"), move_row("purge"));
    let both = (
        std::slice::from_ref(&restores),
        std::slice::from_ref(&purges),
    );
    race("restore, purge", Beginning::Bin, both, everywhere(8, 8)).await;
    race(
        "purge, restore",
        Beginning::Bin,
        (both.1, both.0),
        everywhere(8, 8),
    )
    .await;
}

#[tokio::test]
async fn a_restore_and_a_shorter_tag_leave_no_row_over() {
    let (restores, puts) = (move_row("restore"), put_tag(1));
    let both = (std::slice::from_ref(&puts), std::slice::from_ref(&restores));
    // The tag is read when some of its rows are back.
    let known = schedules(0..=0, 9..=9);
    race("put, restore", Beginning::Bin, both, known).await;
    race("put, restore", Beginning::Bin, both, everywhere(4, 9)).await;
    let turned = (both.1, both.0);
    race("restore, put", Beginning::Bin, turned, everywhere(9, 4)).await;
}

#[tokio::test]
async fn a_document_that_is_made_anew_while_its_path_changes_has_one_leaf() {
    let update = AnyOperation::Update(Update {
        entity: "Document".to_owned(),
        key: document(),
        change: Change {
            set: Item::new().with("path", "b/new.pdf"),
            ..Change::default()
        },
    });
    let anew = [delete(), create("D1")];
    let both = (std::slice::from_ref(&update), anew.as_slice());
    race(
        "update, delete and create",
        Beginning::Bare,
        both,
        everywhere(5, 12),
    )
    .await;
    let again = [delete(), create("D1")];
    let deletes = [delete()];
    let both = (deletes.as_slice(), again.as_slice());
    race(
        "delete, delete and create",
        Beginning::Bare,
        both,
        everywhere(5, 12),
    )
    .await;
}
