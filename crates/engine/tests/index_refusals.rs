//! Values that an index cannot have as a key refuse the item, in AWS's words, however it is written.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BatchWriteItemInput, CreateTableInput, Error, GlobalSecondaryIndex, LocalSecondaryIndex,
    PutItemInput, ScalarAttributeType as Type, ScanInput, TransactPut, TransactUpdate,
    TransactWriteItem, TransactWriteItemsInput, UpdateItemInput, WriteRequest,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};

fn engine() -> Engine {
    let table = CreateTableInput::new("Items", "pk", Type::S)
        .range("sk", Type::N)
        .attribute("gs", Type::S)
        .attribute("gb", Type::B)
        .attribute("ln", Type::N)
        .attribute("ls", Type::S)
        .local_index(LocalSecondaryIndex::new("local-n", "pk", "ln"))
        .local_index(LocalSecondaryIndex::new("local-s", "pk", "ls"))
        .global_index(GlobalSecondaryIndex::new("global", "gs").range("gb"));
    let engine = Engine::in_memory().unwrap();
    engine.create_table(table).unwrap();
    let item = key().with("gs", "fine").with("a", 1);
    engine.put_item(PutItemInput::new("Items", item)).unwrap();
    engine
}

fn key() -> Item {
    Item::new().with("pk", "p").with("sk", 1)
}

fn contents(engine: &Engine) -> Vec<Item> {
    let page = engine.scan(ScanInput::new("Items")).unwrap();
    page.items
        .unwrap()
        .iter()
        .map(|item| item.to_item())
        .collect()
}

/// The reason of the second action, the one that is wrong.
fn second_reason(error: Error) -> String {
    assert_eq!(
        error.message(),
        "Transaction cancelled, please refer cancellation reasons for specific reasons \
         [None, ValidationError]"
    );
    match error {
        Error::TransactionCanceledException { reasons } => reasons[1].message.clone().unwrap(),
        other => panic!("{other}"),
    }
}

/// Writes the value in every way; each must be refused and change nothing. An update has its own words.
#[track_caller]
fn assert_refused(attribute: &str, value: AttributeValue, words: &str, update_words: &str) {
    let engine = engine();
    let before = contents(&engine);
    let item = key().with(attribute, value.clone());
    let good = Item::new().with("pk", "q").with("sk", 1);
    let expected = format!("ValidationException: {words}");

    let error = engine
        .put_item(PutItemInput::new("Items", item.clone()))
        .unwrap_err();
    assert_eq!(error.to_string(), expected, "put");

    let update = UpdateItemInput::new("Items", key()).update("SET #a = :v");
    let update = update.name("#a", attribute).value(":v", value.clone());
    let expected_update = format!("ValidationException: {update_words}");
    let error = engine.update_item(update).unwrap_err();
    assert_eq!(error.to_string(), expected_update, "update");

    let writes = [
        WriteRequest::put(good.clone()),
        WriteRequest::put(item.clone()),
    ];
    let error = engine
        .batch_write_item(BatchWriteItemInput::new("Items", writes))
        .unwrap_err();
    assert_eq!(error.to_string(), expected, "batch");

    let first = || TransactWriteItem::from(TransactPut::new("Items", good.clone()));
    let put = TransactPut::new("Items", item);
    let error = engine.transact_write_items(TransactWriteItemsInput::new([first()]).and(put));
    assert_eq!(
        second_reason(error.unwrap_err()),
        words,
        "put in a transaction"
    );

    let update = TransactUpdate::new("Items", key(), "SET #a = :v");
    let update = update.name("#a", attribute).value(":v", value);
    let error = engine.transact_write_items(TransactWriteItemsInput::new([first()]).and(update));
    assert_eq!(
        second_reason(error.unwrap_err()),
        update_words,
        "update in a transaction"
    );

    assert_eq!(contents(&engine), before);
    assert_eq!(engine.verify().unwrap().problem_count, 0);
}

const MISMATCH: &str = "One or more parameter values were invalid: Type mismatch for Index Key";
const UPDATE_MISMATCH: &str =
    "The update expression attempted to update the secondary index key to unsupported type";
const UPDATE_EMPTY: &str = "One or more parameter values are not valid. The update expression \
     attempted to update a secondary index key to a value that is not supported. The AttributeValue \
     for a key attribute cannot contain an empty";
const EMPTY: &str = "One or more parameter values are not valid. A value specified for a secondary \
     index key is not supported. The AttributeValue for a key attribute cannot contain an empty";

#[test]
fn a_value_of_another_type() {
    let cases: [(&str, AttributeValue, &str); 4] = [
        ("gs", 7.into(), "gs Expected: S Actual: N IndexName: global"),
        (
            "gb",
            "text".into(),
            "gb Expected: B Actual: S IndexName: global",
        ),
        (
            "ln",
            true.into(),
            "ln Expected: N Actual: BOOL IndexName: local-n",
        ),
        (
            "ls",
            AttributeValue::Null,
            "ls Expected: S Actual: NULL IndexName: local-s",
        ),
    ];
    for (attribute, value, words) in cases {
        let words = format!("{MISMATCH} {words}");
        assert_refused(attribute, value, &words, &words);
    }
}

/// AWS knows the type of what a request brings before it reads the item, and then has PutItem's words.
#[test]
fn a_value_of_another_type_that_an_update_makes() {
    let engine = engine();
    let update = |text: &str| {
        let update = UpdateItemInput::new("Items", key()).update(text);
        let update = if text.contains(":one") {
            update.value(":one", 1)
        } else {
            update
        };
        let update = if text.contains(":list") {
            update.value(":list", AttributeValue::L(vec![]))
        } else {
            update
        };
        engine.update_item(update).unwrap_err().to_string()
    };
    let put = |actual: &str| {
        format!("ValidationException: {MISMATCH} gs Expected: S Actual: {actual} IndexName: global")
    };
    let item = key().with("numeral", 1);
    engine.put_item(PutItemInput::new("Items", item)).unwrap();
    assert_eq!(update("SET gs = numeral + :one"), put("N"));
    assert_eq!(update("ADD gs :one"), put("N"));
    assert_eq!(update("SET gs = list_append(:list, :list)"), put("L"));
    let copied = format!("ValidationException: {UPDATE_MISMATCH}");
    assert_eq!(update("SET gs = numeral"), copied);
    assert_eq!(update("SET gs = if_not_exists(gs, :one)"), copied);
}

#[test]
fn an_empty_string_or_binary() {
    assert_refused(
        "gs",
        "".into(),
        &format!("{EMPTY} string value. IndexName: global, IndexKey: gs"),
        &format!("{UPDATE_EMPTY} string value."),
    );
    assert_refused(
        "gb",
        AttributeValue::B(vec![]),
        &format!("{EMPTY} binary value. IndexName: global, IndexKey: gb"),
        &format!("{UPDATE_EMPTY} binary value."),
    );
    assert_refused(
        "ls",
        "".into(),
        &format!("{EMPTY} string value. IndexName: local-s, IndexKey: ls"),
        &format!("{UPDATE_EMPTY} string value."),
    );
}

#[test]
fn a_value_that_is_too_long_for_a_key() {
    let hash = "One or more parameter values were invalid: \
         Size of hashkey has exceeded the maximum size limit of2048 bytes";
    assert_refused("gs", "x".repeat(2049).into(), hash, hash);
    let range = "One or more parameter values were invalid: \
         Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
    assert_refused("gb", AttributeValue::B(vec![1; 1025]), range, range);
    assert_refused("ls", "x".repeat(1025).into(), range, range);
}

#[test]
fn the_longest_values_are_taken_and_found() {
    let engine = engine();
    let item = key()
        .with("gs", "x".repeat(2048))
        .with("gb", AttributeValue::B(vec![0; 1024]))
        .with("ls", "y".repeat(1024));
    engine
        .put_item(PutItemInput::new("Items", item.clone()))
        .unwrap();
    for index in ["global", "local-s"] {
        let page = engine.scan(ScanInput::new("Items").index(index)).unwrap();
        let found: Vec<Item> = page
            .items
            .unwrap()
            .iter()
            .map(|item| item.to_item())
            .collect();
        assert_eq!(found, std::slice::from_ref(&item), "{index}");
    }
}

#[test]
fn a_missing_key_only_leaves_the_item_out_of_the_index() {
    let engine = engine();
    assert_eq!(engine.scan(ScanInput::new("Items")).unwrap().count, 1);
    for index in ["global", "local-n", "local-s"] {
        let page = engine.scan(ScanInput::new("Items").index(index)).unwrap();
        assert_eq!(page.count, 0, "{index}");
    }
}

#[test]
fn nothing_looks_into_a_key_of_an_index() {
    let engine = engine();
    let update = UpdateItemInput::new("Items", key())
        .update("SET gs.b = :v")
        .value(":v", 1);
    assert_eq!(
        engine.update_item(update).unwrap_err().to_string(),
        "ValidationException: Key attributes must be scalars; list random access '[]' and map \
         lookup '.' are not allowed: IndexKey: gs"
    );
}
