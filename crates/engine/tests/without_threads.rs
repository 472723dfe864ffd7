//! An engine that starts no thread: whoever writes commits, and the program gives the background its turns.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use monotable_api::{
    CreateTableInput, DeleteTableInput, GetItemInput, PutItemInput, QueryInput,
    ScalarAttributeType, ScanInput,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::Item;

fn open() -> Engine {
    let engine = EngineOptions::new().without_threads().in_memory().unwrap();
    let table = CreateTableInput::new("Music", "Artist", ScalarAttributeType::S)
        .range("Song", ScalarAttributeType::S);
    engine.create_table(table).unwrap();
    engine
}

fn song(name: &str) -> Item {
    Item::new().with("Artist", "Nina Simone").with("Song", name)
}

#[test]
fn writes_are_committed_by_whoever_asks() {
    let engine = open();
    engine
        .put_item(PutItemInput::new("Music", song("Sinnerman")))
        .unwrap();
    let again =
        PutItemInput::new("Music", song("Sinnerman")).condition("attribute_not_exists(Artist)");
    engine.put_item(again).expect_err("it is there");
    let found = engine
        .get_item(GetItemInput::new("Music", song("Sinnerman")))
        .unwrap();
    assert_eq!(found.item.unwrap().to_item(), song("Sinnerman"));
    let page = QueryInput::new("Music", "Artist = :a").value(":a", "Nina Simone");
    assert_eq!(engine.query(page).unwrap().count, 1);
}

#[test]
fn threads_of_the_program_may_write_side_by_side() {
    let engine = open();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let engine = engine.clone();
            scope.spawn(move || {
                for number in 0..50 {
                    let song = song(&format!("{writer}/{number}"));
                    engine.put_item(PutItemInput::new("Music", song)).unwrap();
                }
            });
        }
    });
    assert_eq!(engine.scan(ScanInput::new("Music")).unwrap().count, 200);
}

#[test]
fn the_background_works_when_it_is_given_its_turn() {
    let engine = open();
    engine
        .put_item(PutItemInput::new("Music", song("Sinnerman")))
        .unwrap();
    engine.delete_table(DeleteTableInput::new("Music")).unwrap();
    engine.background_step().unwrap();
    let verified = engine.verify().unwrap();
    assert_eq!(verified.items, 0, "rows of dropped tables are gone");
}

#[test]
fn nothing_is_written_after_it_was_closed() {
    let engine = open();
    engine.close();
    engine
        .put_item(PutItemInput::new("Music", song("Sinnerman")))
        .expect_err("it is closed");
}
