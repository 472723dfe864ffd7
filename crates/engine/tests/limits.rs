//! The largest item, the longest keys, the largest transaction: taken at the limit, refused past it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/stores.rs"]
mod stores;

use monotable_api::{
    BatchWriteItemInput, CreateTableInput, Error, Get, GetItemInput, PutItemInput, QueryInput,
    ScalarAttributeType as Type, ScanInput, TransactGetItemsInput, TransactPut, TransactUpdate,
    TransactWriteItemsInput, UpdateItemInput, WriteRequest,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{AttributeValue, EncodedItem, Item};

const MAX_ITEM: usize = 400 * 1024;

fn create(engine: &Engine) {
    let table = CreateTableInput::new("Items", "pk", Type::S).range("sk", Type::B);
    engine.create_table(table).unwrap();
}

fn engine() -> Engine {
    let engine = Engine::in_memory().unwrap();
    create(&engine);
    engine
}

fn key(number: u8) -> Item {
    Item::new()
        .with("pk", "p")
        .with("sk", AttributeValue::B(vec![number]))
}

/// An item of exactly this many bytes.
fn sized(number: u8, bytes: usize) -> Item {
    let used = EncodedItem::from(key(number)).view().size() + "pad".len();
    key(number).with("pad", "x".repeat(bytes - used))
}

#[track_caller]
fn assert_invalid<T: std::fmt::Debug>(result: Result<T, Error>, words: &str) {
    assert_eq!(
        result.unwrap_err().to_string(),
        format!("ValidationException: {words}")
    );
}

#[test]
fn an_item_has_400_kb_at_most() {
    const WORDS: &str = "Item size has exceeded the maximum allowed size";
    stores::on_each(EngineOptions::new, |engine| {
        create(engine);
        let largest = sized(1, MAX_ITEM);
        engine
            .put_item(PutItemInput::new("Items", largest.clone()))
            .unwrap();
        let found = engine
            .get_item(GetItemInput::new("Items", key(1)))
            .unwrap()
            .item
            .unwrap();
        assert_eq!(found.to_item(), largest);
        let larger = || sized(2, MAX_ITEM + 1);
        assert_invalid(engine.put_item(PutItemInput::new("Items", larger())), WORDS);
        let batch = BatchWriteItemInput::new("Items", [WriteRequest::put(larger())]);
        assert_invalid(engine.batch_write_item(batch), WORDS);
        let put = TransactPut::new("Items", larger());
        assert_invalid(
            engine.transact_write_items(TransactWriteItemsInput::new([put])),
            WORDS,
        );
        assert_eq!(engine.scan(ScanInput::new("Items")).unwrap().count, 1);
    });
}

#[test]
fn an_update_does_not_grow_an_item_past_400_kb() {
    const WORDS: &str = "Item size to update has exceeded the maximum allowed size";
    let engine = engine();
    engine
        .put_item(PutItemInput::new("Items", sized(1, MAX_ITEM - 2)))
        .unwrap();
    let update = |value: &str| {
        let update = UpdateItemInput::new("Items", key(1)).update("SET a = :v");
        engine.update_item(update.value(":v", value))
    };
    assert_invalid(update("xx"), WORDS);
    update("x").unwrap();
    assert_invalid(update("xy"), WORDS);
    let update = TransactUpdate::new("Items", key(1), "SET a = :v").value(":v", "xy");
    let error = engine.transact_write_items(TransactWriteItemsInput::new([update]));
    let Error::TransactionCanceledException { reasons } = error.unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(reasons[0].message.as_deref(), Some(WORDS));
    let found = engine
        .get_item(GetItemInput::new("Items", key(1)))
        .unwrap()
        .item
        .unwrap();
    assert_eq!(found.view().size(), MAX_ITEM);
}

#[test]
fn keys_have_2048_and_1024_bytes_at_most() {
    const HASH: &str = "One or more parameter values were invalid: \
         Size of hashkey has exceeded the maximum size limit of2048 bytes";
    const RANGE: &str = "One or more parameter values were invalid: \
         Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
    let engine = engine();
    let long = |hash: usize, range: usize| {
        // Zeros take two bytes each in a row key.
        let zeros = AttributeValue::B(vec![0; range]);
        Item::new()
            .with("pk", "\u{0}".repeat(hash))
            .with("sk", zeros)
    };
    let put = |item| engine.put_item(PutItemInput::new("Items", item));
    put(long(2048, 1024)).unwrap();
    assert_invalid(put(long(2049, 1)), HASH);
    assert_invalid(put(long(1, 1025)), RANGE);
    let get = |key| engine.get_item(GetItemInput::new("Items", key));
    assert!(get(long(2048, 1024)).unwrap().item.is_some());
    assert_invalid(get(long(2049, 1)), HASH);
    assert_invalid(get(long(1, 1025)), RANGE);
    let query = QueryInput::new("Items", "pk = :p").value(":p", "\u{0}".repeat(2048));
    assert_eq!(engine.query(query).unwrap().count, 1);
}

#[test]
fn a_transaction_has_4_mb_at_most() {
    const WRITTEN: &str = "Transaction request size cannot exceed 4 MB";
    const READ: &str =
        "Item sizes in the transaction request exceed the maximum allowed aggregate size of 4 MB";
    let engine = engine();
    let puts = |last: usize| {
        let sizes = std::iter::repeat_n(MAX_ITEM, 10).chain([last]);
        let items = (0u8..)
            .zip(sizes)
            .map(|(number, bytes)| sized(number, bytes));
        let puts = items.map(|item| TransactPut::new("Items", item));
        engine.transact_write_items(TransactWriteItemsInput::new(puts))
    };
    let rest = 4 * 1024 * 1024 - 10 * MAX_ITEM;
    assert_invalid(puts(rest + 1), WRITTEN);
    assert_eq!(engine.scan(ScanInput::new("Items")).unwrap().count, 0);
    puts(rest).unwrap();

    let gets = |count: u8| {
        let gets = (0..count).map(|number| Get::new("Items", key(number)));
        engine.transact_get_items(TransactGetItemsInput::new(gets))
    };
    assert_eq!(gets(11).unwrap().responses.unwrap().len(), 11);
    let one_more = sized(11, 1000);
    engine
        .put_item(PutItemInput::new("Items", one_more))
        .unwrap();
    assert_invalid(gets(12), READ);
}

#[test]
fn a_batch_of_the_largest_items_is_written_whole() {
    let engine = engine();
    let writes = (0..25u8).map(|number| WriteRequest::put(sized(number, MAX_ITEM)));
    let output = engine
        .batch_write_item(BatchWriteItemInput::new("Items", writes))
        .unwrap();
    assert!(output.unprocessed_items.is_empty());
    assert_eq!(engine.verify().unwrap().items, 25);
}
