//! Injected conflicts: what a program sees when another transaction is at work on an item.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BatchWriteItemInput, CancellationCode, CreateTableInput, DeleteItemInput, Error, Get,
    GetItemInput, PutItemInput, ScalarAttributeType as Type, ScanInput, TransactConditionCheck,
    TransactDelete, TransactGetItemsInput, TransactPut, TransactUpdate, TransactWriteItem,
    TransactWriteItemsInput, UpdateItemInput, WriteRequest,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{Item, ValueView};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An engine where the item `busy` of table `Tasks` is in conflict while the switch is on.
fn engine() -> (Engine, Arc<AtomicBool>) {
    let on = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&on);
    let options = EngineOptions::new().conflicts(Arc::new(move |table, item| {
        let is_busy = item.get("pk") == Some(ValueView::S("busy"));
        switch.load(Ordering::SeqCst) && table == "Tasks" && is_busy
    }));
    let engine = options.in_memory().unwrap();
    for table in ["Tasks", "Other"] {
        engine
            .create_table(CreateTableInput::new(table, "pk", Type::S))
            .unwrap();
        for name in ["busy", "idle"] {
            engine
                .put_item(PutItemInput::new(table, key(name).with("n", 1)))
                .unwrap();
        }
    }
    (engine, on)
}

fn key(name: &str) -> Item {
    Item::new().with("pk", name)
}

fn contents(engine: &Engine) -> Vec<Item> {
    let page = engine.scan(ScanInput::new("Tasks")).unwrap();
    page.items
        .unwrap()
        .iter()
        .map(|item| item.to_item())
        .collect()
}

#[track_caller]
fn assert_conflict<T: std::fmt::Debug>(result: Result<T, Error>) {
    let error = result.unwrap_err();
    assert_eq!(
        error.to_string(),
        "TransactionConflictException: Transaction is ongoing for the item"
    );
    assert!(error.retryable());
}

#[test]
fn single_writes_and_batches_meet_the_conflict() {
    let (engine, on) = engine();
    let before = contents(&engine);
    on.store(true, Ordering::SeqCst);
    assert_conflict(engine.put_item(PutItemInput::new("Tasks", key("busy"))));
    assert_conflict(engine.delete_item(DeleteItemInput::new("Tasks", key("busy"))));
    let update = UpdateItemInput::new("Tasks", key("busy")).update("REMOVE n");
    assert_conflict(engine.update_item(update));
    let writes = [
        WriteRequest::put(key("idle")),
        WriteRequest::delete(key("busy")),
    ];
    assert_conflict(engine.batch_write_item(BatchWriteItemInput::new("Tasks", writes)));
    assert_eq!(
        contents(&engine),
        before,
        "nothing of the batch was written"
    );
    // Plain reads do not conflict; neither do other items and tables.
    assert!(
        engine
            .get_item(GetItemInput::new("Tasks", key("busy")))
            .unwrap()
            .item
            .is_some()
    );
    engine
        .put_item(PutItemInput::new("Tasks", key("idle")))
        .unwrap();
    engine
        .put_item(PutItemInput::new("Other", key("busy")))
        .unwrap();
}

#[test]
fn a_transaction_is_cancelled_with_a_reason_for_each_action_in_order() {
    let (engine, on) = engine();
    let before = contents(&engine);
    on.store(true, Ordering::SeqCst);
    let request = || {
        TransactWriteItemsInput::new([TransactWriteItem::from(TransactPut::new(
            "Other",
            key("new"),
        ))])
        .and(TransactDelete::new("Tasks", key("busy")))
        .and(TransactUpdate::new("Tasks", key("idle"), "REMOVE n"))
        .and(TransactConditionCheck::new(
            "Other",
            key("busy"),
            "attribute_exists(pk)",
        ))
    };
    let error = engine
        .transact_write_items(request().token("t"))
        .unwrap_err();
    assert_eq!(
        error.message(),
        "Transaction cancelled, please refer cancellation reasons for specific reasons \
         [None, TransactionConflict, None, None]"
    );
    let Error::TransactionCanceledException { reasons } = error else {
        panic!("another error");
    };
    assert_eq!(reasons[1].code, CancellationCode::TransactionConflict);
    assert_eq!(
        reasons[1].message.as_deref(),
        Some("Transaction is ongoing for the item")
    );
    assert_eq!(reasons[0].message, None);
    assert_eq!(contents(&engine), before);
    // The conflict is over; the token is free.
    on.store(false, Ordering::SeqCst);
    engine.transact_write_items(request().token("t")).unwrap();
    assert_eq!(contents(&engine), [key("idle")]);
}

#[test]
fn transactional_reads_meet_the_conflict() {
    let (engine, on) = engine();
    on.store(true, Ordering::SeqCst);
    let gets = [
        Get::new("Tasks", key("idle")),
        Get::new("Tasks", key("busy")),
    ];
    let error = engine
        .transact_get_items(TransactGetItemsInput::new(gets))
        .unwrap_err();
    assert_eq!(
        error.message(),
        "Transaction cancelled, please refer cancellation reasons for specific reasons \
         [None, TransactionConflict]"
    );
}
