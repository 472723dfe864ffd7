//! BatchGetItem past 16 MB.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BatchGetItemInput, CreateTableInput, KeysAndAttributes, PutItemInput, ReturnConsumedCapacity,
    ScalarAttributeType as Type,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeSet;

const TABLES: [&str; 2] = ["Left", "Right"];
const EACH: usize = 30;
const PAD: usize = 350_000;

fn engine() -> Engine {
    let engine = Engine::in_memory().unwrap();
    for table in TABLES {
        engine
            .create_table(CreateTableInput::new(table, "pk", Type::N))
            .unwrap();
        let pad = "x".repeat(PAD);
        for number in 0..EACH {
            let item = key(number).with("pad", &*pad).with("n", number);
            engine.put_item(PutItemInput::new(table, item)).unwrap();
        }
    }
    engine
}

fn key(number: usize) -> Item {
    Item::new().with("pk", number)
}

#[test]
fn what_does_not_fit_comes_back_and_completes_when_asked_for_again() {
    let engine = engine();
    // Keys without an item, too: they cost nothing of the 16 MB.
    let keys = || KeysAndAttributes::new((0..EACH + 5).map(key)).consistent();
    let mut input = BatchGetItemInput::new(TABLES[0], keys()).and(TABLES[1], keys());
    let mut found = BTreeSet::new();
    let mut requests = 0;
    loop {
        let output = engine.batch_get_item(input).unwrap();
        requests += 1;
        let mut bytes = 0;
        for (table, items) in output.responses {
            for item in items {
                bytes += item.view().size();
                let number = item.to_item().get("n").cloned().unwrap();
                assert!(
                    found.insert((table.clone(), format!("{number:?}"))),
                    "an item came twice"
                );
            }
        }
        assert!(
            bytes > 0 && bytes <= 16 * 1024 * 1024,
            "{bytes} bytes in one answer"
        );
        if output.unprocessed_keys.is_empty() {
            break;
        }
        for request in output.unprocessed_keys.values() {
            assert_eq!(
                request.consistent_read,
                Some(true),
                "the rest of the request comes back"
            );
        }
        input = BatchGetItemInput {
            request_items: Some(output.unprocessed_keys),
            ..BatchGetItemInput::default()
        };
        assert!(requests < 10, "the keys never come to an end");
    }
    assert_eq!(found.len(), 2 * EACH);
    assert_eq!(requests, 2, "21 MB are two answers");
}

#[test]
fn a_projection_comes_back_with_the_unprocessed_keys_and_does_not_make_room() {
    let engine = engine();
    let keys = || {
        let keys = KeysAndAttributes::new((0..EACH).map(key));
        keys.projection("#n").name("#n", "n")
    };
    let input = BatchGetItemInput::new(TABLES[0], keys()).and(TABLES[1], keys());
    let output = engine.batch_get_item(input).unwrap();
    let items: usize = output.responses.values().map(Vec::len).sum();
    // What is read counts, not what is returned.
    assert_eq!(items, 16 * 1024 * 1024 / (PAD + 10));
    let rest = &output.unprocessed_keys[TABLES[1]];
    assert_eq!(rest.projection_expression.as_deref(), Some("#n"));
    assert_eq!(rest.expression_attribute_names.as_ref().unwrap()["#n"], "n");
    assert_eq!(rest.keys.as_ref().unwrap().len(), 2 * EACH - items);
}

#[test]
fn only_what_was_read_is_paid_for() {
    let engine = engine();
    let keys = || KeysAndAttributes::new((0..EACH).map(key)).consistent();
    let input = BatchGetItemInput {
        return_consumed_capacity: Some(ReturnConsumedCapacity::Total.into()),
        ..BatchGetItemInput::new(TABLES[0], keys()).and(TABLES[1], keys())
    };
    let output = engine.batch_get_item(input).unwrap();
    let items: usize = output.responses.values().map(Vec::len).sum();
    let consumed = output.consumed_capacity.unwrap();
    let units: f64 = consumed
        .iter()
        .filter_map(|table| table.capacity_units)
        .sum();
    // 350 KB are 86 units.
    assert_eq!(units, 86.0 * items as f64);
}

#[test]
fn an_item_is_not_read_twice_in_one_request() {
    let engine = engine();
    let keys = KeysAndAttributes::new([key(1), key(2), key(1)]);
    let error = engine
        .batch_get_item(BatchGetItemInput::new("Left", keys))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "ValidationException: Provided list of item keys contains duplicates"
    );
    // The same number in other words is the same key.
    let one = |text: &str| Item::new().with("pk", AttributeValue::N(text.parse().unwrap()));
    let keys = KeysAndAttributes::new([one("1"), one("1.0E0")]);
    assert!(
        engine
            .batch_get_item(BatchGetItemInput::new("Left", keys))
            .is_err()
    );
}
