//! What a local index returns, and what it only fetches.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    CreateTableInput, IndexProjection, LocalSecondaryIndex, PutItemInput, QueryInput,
    ScalarAttributeType, ScanInput, Select,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};

fn engine() -> Engine {
    let index = LocalSecondaryIndex::new("by-year", "artist", "year");
    let index = index.projection(IndexProjection::include(["label"]));
    let table = CreateTableInput::new("Music", "artist", ScalarAttributeType::S)
        .range("song", ScalarAttributeType::S)
        .attribute("year", ScalarAttributeType::N)
        .local_index(index);
    let engine = Engine::in_memory().unwrap();
    engine.create_table(table).unwrap();
    engine.put_item(PutItemInput::new("Music", song())).unwrap();
    engine
}

fn song() -> Item {
    projected().with("genre", "jazz").with("length", 174)
}

fn projected() -> Item {
    Item::new()
        .with("artist", "Nina")
        .with("song", "Feeling Good")
        .with("year", 1965)
        .with("label", "Philips")
}

fn query() -> QueryInput {
    let query = QueryInput::new("Music", "artist = :a").value(":a", "Nina");
    query.index("by-year")
}

fn plain(items: Option<Vec<EncodedItem>>) -> Vec<Item> {
    items.unwrap().iter().map(EncodedItem::to_item).collect()
}

#[test]
fn a_filter_fetches_what_it_needs_but_the_answer_is_what_the_index_holds() {
    let engine = engine();
    let filtered = query().filter("genre = :g").value(":g", "jazz");
    assert_eq!(plain(engine.query(filtered).unwrap().items), [projected()]);
    let scan = ScanInput::new("Music").index("by-year");
    let scan = scan.filter("genre = :g").value(":g", "jazz");
    assert_eq!(plain(engine.scan(scan).unwrap().items), [projected()]);
}

#[test]
fn a_filter_on_what_the_index_lacks_sees_the_item() {
    let filtered = query().filter("genre <> :g").value(":g", "jazz");
    let page = engine().query(filtered).unwrap();
    assert_eq!((page.count, page.scanned_count), (0, 1));
}

#[test]
fn all_attributes_are_fetched_when_they_are_asked_for() {
    let engine = engine();
    let all = QueryInput {
        select: Some(Select::AllAttributes.into()),
        ..query()
    };
    assert_eq!(plain(engine.query(all).unwrap().items), [song()]);
    let some = plain(engine.query(query().projection("genre")).unwrap().items);
    assert_eq!(some, [Item::new().with("genre", "jazz")]);
    assert_eq!(plain(engine.query(query()).unwrap().items), [projected()]);
}
