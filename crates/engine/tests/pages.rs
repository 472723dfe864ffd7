//! Where pages of Query and Scan end, and what goes on after them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/block_on.rs"]
mod block_on;
#[path = "support/cases.rs"]
mod cases;

use block_on::block_on;
use monotable_api::{
    CreateTableInput, Dynamo, PutItemInput, QueryInput, QueryOutput, Response,
    ScalarAttributeType as Type, ScanInput, Select,
};
use monotable_engine::Engine;
use monotable_item::Item;
use proptest::prelude::*;

const PAGE_BYTES: usize = 1024 * 1024;
/// `pk`, `p`, `sk`, two digits, `pad`.
const OVERHEAD: usize = 2 + 1 + 2 + 2 + 3;

/// An engine with one partition of items with these sizes, under the sort keys `00`, `01` and so on.
fn engine_with(sizes: &[usize]) -> Engine {
    let engine = Engine::in_memory().unwrap();
    let table = CreateTableInput::new("Pages", "pk", Type::S).range("sk", Type::S);
    engine.create_table(table).unwrap();
    for (number, size) in sizes.iter().enumerate() {
        let pad = "x".repeat(size - OVERHEAD);
        let item = key(number).with("pad", pad);
        engine.put_item(PutItemInput::new("Pages", item)).unwrap();
    }
    engine
}

fn key(number: usize) -> Item {
    Item::new()
        .with("pk", "p")
        .with("sk", format!("{number:02}"))
}

fn query() -> QueryInput {
    QueryInput::new("Pages", "pk = :p").value(":p", "p")
}

/// The sort keys of a page, as numbers.
fn numbers(page: &QueryOutput) -> Vec<usize> {
    let items = page.items.iter().flatten();
    let number = |item: Item| match item.get("sk") {
        Some(monotable_item::AttributeValue::S(text)) => text.parse().unwrap(),
        other => panic!("no sort key: {other:?}"),
    };
    items.map(|item| number(item.to_item())).collect()
}

/// All pages of a query.
fn all_pages(engine: &Engine, query: &QueryInput) -> Vec<QueryOutput> {
    let mut pages: Vec<QueryOutput> = Vec::new();
    for _ in 0..200 {
        let last = pages.last().map(|page| page.last_evaluated_key.clone());
        let next = match last {
            None => query.clone(),
            Some(Some(last)) => query.clone().start_after(last),
            Some(None) => return pages,
        };
        pages.push(engine.query(next).unwrap());
    }
    panic!("the pages do not end");
}

#[test]
fn a_page_that_hits_its_limit_exactly_says_where_to_go_on() {
    let engine = engine_with(&[100; 3]);
    let page = engine.query(query().limit(3)).unwrap();
    let last = page
        .last_evaluated_key
        .clone()
        .expect("the limit ended the page");
    assert_eq!(last.to_item(), key(2));
    let rest = engine.query(query().limit(3).start_after(last)).unwrap();
    assert_eq!((rest.count, rest.scanned_count), (0, 0));
    assert_eq!(rest.last_evaluated_key, None);
    assert_eq!(rest.items, Some(vec![]));

    let page = engine.query(query().limit(4)).unwrap();
    assert_eq!((page.count, page.last_evaluated_key), (3, None));
    let scan = engine.scan(ScanInput::new("Pages").limit(3)).unwrap();
    assert!(scan.last_evaluated_key.is_some());
}

#[test]
fn a_page_ends_with_the_item_that_makes_it_a_megabyte() {
    const EIGHTH: usize = PAGE_BYTES / 8;
    // Exactly a megabyte, one byte less, one byte more.
    for (eighth, expected) in [(EIGHTH, 8), (EIGHTH - 1, 9), (EIGHTH + 1, 8)] {
        let mut sizes = [EIGHTH; 12];
        sizes[7] = eighth;
        let engine = engine_with(&sizes);
        let page = engine.query(query()).unwrap();
        assert_eq!(
            page.scanned_count, expected,
            "with an item of {eighth} bytes"
        );
        let last = page.last_evaluated_key.unwrap().to_item();
        assert_eq!(last, key(expected as usize - 1));
    }
    let engine = engine_with(&[EIGHTH; 8]);
    let page = engine.query(query()).unwrap();
    assert!(
        page.last_evaluated_key.is_some(),
        "a full page has a next one, be it empty"
    );
}

#[test]
fn a_filter_and_a_count_do_not_make_pages_longer() {
    let engine = engine_with(&[200_000; 10]);
    let filtered = query()
        .filter("#p = :none")
        .name("#p", "pad")
        .value(":none", "");
    let pages = all_pages(&engine, &filtered);
    assert_eq!(pages.len(), 2);
    assert_eq!((pages[0].count, pages[0].scanned_count), (0, 6));
    assert_eq!(pages[0].items, Some(vec![]));
    let counted = QueryInput {
        select: Some(Select::Count.into()),
        ..query()
    };
    let pages = all_pages(&engine, &counted);
    assert_eq!((pages[0].count, pages[1].count), (6, 4));
    assert_eq!(pages[0].items, None);
    let narrow = query().projection("sk");
    assert_eq!(all_pages(&engine, &narrow)[0].count, 6);
}

/// Sizes around those where reads are handed over to another thread, and pages end.
fn sizes() -> impl Strategy<Value = Vec<usize>> {
    let size = prop_oneof![
        Just(OVERHEAD),
        100usize..3000,
        60_000usize..70_000,
        130_000usize..400_000,
    ];
    proptest::collection::vec(size, 0..24)
}

/// Where pages must end: once the limit or a megabyte is reached.
fn expected_pages(sizes: &[usize], order: &[usize], limit: Option<u32>) -> Vec<Vec<usize>> {
    let mut pages = vec![Vec::new()];
    let mut bytes = 0;
    for number in order {
        pages.last_mut().unwrap().push(*number);
        bytes += sizes[*number];
        let counted = pages.last().unwrap().len() as u32;
        if bytes >= PAGE_BYTES || limit == Some(counted) {
            pages.push(Vec::new());
            bytes = 0;
        }
    }
    pages
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases::cases(40),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn pages_are_what_sizes_and_limit_make_them(
        sizes in sizes(),
        limit in proptest::option::of(1u32..8),
    ) {
        let engine = engine_with(&sizes);
        let forwards: Vec<usize> = (0..sizes.len()).collect();
        let backwards: Vec<usize> = forwards.iter().rev().copied().collect();
        for (order, mut query) in [(forwards, query()), (backwards, query().backward())] {
            query.limit = limit.map(i64::from);
            let pages = all_pages(&engine, &query);
            let found: Vec<Vec<usize>> = pages.iter().map(numbers).collect();
            prop_assert_eq!(found, expected_pages(&sizes, &order, limit));
            // The async way hands long pages to other threads; the answer is the same.
            let Ok(Response::Query(page)) = block_on(engine.call(query.into())) else {
                panic!("the query failed");
            };
            prop_assert_eq!(&page, &pages[0]);
        }
    }
}
