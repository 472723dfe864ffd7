//! Parallel scans: the segments have every item, and each only once.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/cases.rs"]
mod cases;

use monotable_api::{
    BatchWriteItemInput, CreateTableInput, GlobalSecondaryIndex, PutItemInput,
    ScalarAttributeType as Type, ScanInput, WriteRequest,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use proptest::prelude::*;

fn engine_with(items: usize) -> Engine {
    let engine = Engine::in_memory().unwrap();
    let table = CreateTableInput::new("Parts", "pk", Type::N)
        .range("sk", Type::N)
        .attribute("kind", Type::S)
        .global_index(GlobalSecondaryIndex::new("by-kind", "kind"));
    engine.create_table(table).unwrap();
    let all: Vec<usize> = (0..items).collect();
    for batch in all.chunks(25) {
        let writes = batch.iter().map(|number| WriteRequest::put(item(*number)));
        let batch = BatchWriteItemInput::new("Parts", writes);
        engine.batch_write_item(batch).unwrap();
    }
    engine
}

/// Some items share a partition, most do not; every third is not in the index.
fn item(number: usize) -> Item {
    let item = Item::new().with("pk", number * 2 / 3).with("sk", number);
    match number % 3 {
        0 => item,
        rest => item.with("kind", format!("kind-{}", number % (5 * rest))),
    }
}

/// Every item of one segment, page by page.
fn scan_segment(engine: &Engine, scan: &ScanInput) -> Vec<EncodedItem> {
    let mut items = Vec::new();
    let mut scan = scan.clone();
    for _ in 0..1000 {
        let page = engine.scan(scan.clone()).unwrap();
        items.extend(page.items.unwrap());
        match page.last_evaluated_key {
            Some(last) => scan.exclusive_start_key = Some(last.into()),
            None => return items,
        }
    }
    panic!("the segment does not end");
}

fn sorted(items: Vec<EncodedItem>) -> Vec<Vec<u8>> {
    let mut items: Vec<_> = items.iter().map(|item| item.as_bytes().to_vec()).collect();
    items.sort();
    items
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases::cases(60),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn segments_cover_everything_exactly_once(
        count in 0usize..120,
        total in 1u32..12,
        limit in proptest::option::of(1u32..20),
    ) {
        let engine = engine_with(count);
        for index in [None, Some("by-kind".to_owned())] {
            let whole = ScanInput { index_name: index, ..ScanInput::new("Parts") };
            let mut found = Vec::new();
            for segment in 0..total {
                let mut scan = whole.clone().segment(segment, total);
                scan.limit = limit.map(i64::from);
                found.extend(scan_segment(&engine, &scan));
            }
            let expected = (0..count)
                .map(item)
                .filter(|item| whole.index_name.is_none() || item.get("kind").is_some());
            prop_assert_eq!(sorted(found), sorted(expected.map(EncodedItem::from).collect()));
        }
    }
}

#[test]
fn the_last_of_a_million_segments_is_a_segment() {
    let engine = engine_with(30);
    let last = ScanInput::new("Parts").segment(999_999, 1_000_000);
    assert!(engine.scan(last).unwrap().count <= 30);
}

#[test]
fn a_segment_goes_on_only_after_a_key_of_its_own() {
    let engine = engine_with(40);
    let own = scan_segment(&engine, &ScanInput::new("Parts").segment(0, 2));
    let start = own[0].to_item();
    let start = Item::new()
        .with("pk", start.get("pk").unwrap().clone())
        .with("sk", start.get("sk").unwrap().clone());
    let rest = ScanInput::new("Parts")
        .segment(0, 2)
        .start_after(start.clone());
    assert_eq!(engine.scan(rest).unwrap().count as usize, own.len() - 1);
    let other = ScanInput::new("Parts").segment(1, 2).start_after(start);
    let error = engine.scan(other).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ValidationException: The provided starting key is invalid: Invalid ExclusiveStartKey. \
         Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: 1"
    );
}

#[test]
fn a_scan_goes_on_after_an_item_that_was_deleted_meanwhile() {
    let engine = engine_with(20);
    let page = engine.scan(ScanInput::new("Parts").limit(7)).unwrap();
    let last = page.last_evaluated_key.unwrap();
    let gone = monotable_api::DeleteItemInput::new("Parts", last.to_item());
    engine.delete_item(gone).unwrap();
    let extra = Item::new().with("pk", 1000).with("sk", 1);
    engine.put_item(PutItemInput::new("Parts", extra)).unwrap();
    let rest = engine
        .scan(ScanInput::new("Parts").start_after(last))
        .unwrap();
    assert!(
        (13..=14).contains(&rest.count),
        "{} items after 7 of 20",
        rest.count
    );
}
