//! Items that an added index cannot take stay in the table, and out of the index.

use crate::{TABLE, addition, assert_index_is_the_tables, await_status, order, put, table};
use monotable_api::{IndexStatus, UpdateItemInput};
use monotable_engine::EngineOptions;
use monotable_item::Item;

fn item(id: &str) -> Item {
    Item::new().with("id", id)
}

#[test]
fn they_are_left_out_until_they_fit() {
    let engine = EngineOptions::new().in_memory().unwrap();
    engine.create_table(table()).unwrap();
    for unfit in [
        item("number").with("state", 7).with("n", 1),
        item("text").with("state", "PAID").with("n", "one"),
        item("empty").with("state", "").with("n", 1),
        item("long").with("state", "x".repeat(2_049)).with("n", 1),
        item("without").with("state", "PAID"),
    ] {
        put(&engine, unfit).unwrap();
    }
    put(&engine, order(1)).unwrap();
    engine.update_table(addition()).unwrap();
    await_status(&engine, Some(IndexStatus::Active));
    let entries = || engine.verify().unwrap().entries;
    assert_eq!(entries(), 1);
    // AWS refuses every write that leaves them unfit, also of something else; one that has no key of the index is fit.
    let touch = |id: &str| {
        let update = UpdateItemInput::new(TABLE, item(id)).update("SET touched = :yes");
        engine.update_item(update.value(":yes", true))
    };
    for id in ["number", "text"] {
        assert_eq!(
            touch(id).unwrap_err().message(),
            "The update expression attempted to update the secondary index key to unsupported type"
        );
    }
    for id in ["empty", "long"] {
        touch(id).unwrap_err();
    }
    touch("without").unwrap();
    assert_eq!(entries(), 1);
    // What is written for the index must fit.
    put(&engine, item("new").with("state", 7).with("n", 1)).unwrap_err();
    let wrong = UpdateItemInput::new(TABLE, item("text")).update("SET #s = n");
    engine
        .update_item(wrong.name("#s", "state").value(":x", 1))
        .unwrap_err();
    let wrong = UpdateItemInput::new(TABLE, item("without")).update("SET n = #s");
    engine.update_item(wrong.name("#s", "state")).unwrap_err();
    let right = UpdateItemInput::new(TABLE, item("number")).update("SET #s = :s");
    engine
        .update_item(right.name("#s", "state").value(":s", "PAID"))
        .unwrap();
    assert_eq!(entries(), 2);
    for id in ["text", "long"] {
        put(&engine, item(id).with("state", "SENT").with("n", 3)).unwrap();
    }
    assert_eq!(entries(), 4);
    crate::stores::assert_sound(&engine);
    put(&engine, item("long")).unwrap();
    assert_eq!(entries(), 3);
    crate::stores::assert_sound(&engine);
    put(&engine, item("empty")).unwrap();
    assert_index_is_the_tables(&engine);
}
