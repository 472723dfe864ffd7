//! Table files: their blocks are read, and checked, when they are needed.

use crate::outcome::Outcome;
use crate::store::{Store, contents, scan};
use monotable_api::{Error, GetItemInput};
use monotable_item::Item;
use std::fs;
use std::path::Path;

/// The largest table file of a keyspace: those of items and indexes have hundreds of kilobytes.
fn table_file(store: &Store, keyspace: &str) -> String {
    let files = contents(store.path()).into_iter();
    let below = format!("data/keyspaces/{keyspace}/tables/");
    let files = files.filter(|(name, _)| name.starts_with(&below));
    files.max_by_key(|(_, bytes)| bytes.len()).unwrap().0
}

fn flipped(keyspace: &str, tenths: usize) -> Store {
    let store = Store::new();
    let path = store.file(&table_file(&store, keyspace));
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.len() * tenths / 10;
    bytes[at] ^= 0x04;
    fs::write(path, bytes).unwrap();
    store
}

/// fjall numbers its keyspaces in the order in which they are made: its own, meta, items, indexes.
const ITEMS: &str = "2";
const INDEXES: &str = "3";

#[test]
fn a_damaged_block_of_items_fails_the_reads_that_need_it_and_no_others() {
    let store = flipped(ITEMS, 5);
    let engine = store.open().unwrap();
    let scanned = scan(&engine).unwrap_err();
    assert!(
        matches!(scanned, Error::InternalServerError { .. }),
        "{scanned}"
    );
    let (mut read, mut failed) = (0, 0);
    for number in 0..1560 {
        let key = Item::new().with("pk", format!("item-{number:05}"));
        match engine.get_item(GetItemInput::new("items", key)) {
            Ok(output) => {
                assert!(output.item.is_some(), "item {number} is lost in silence");
                read += 1;
            }
            Err(error) => {
                assert!(
                    matches!(error, Error::InternalServerError { .. }),
                    "{error}"
                );
                failed += 1;
            }
        }
    }
    assert!(read > 1000 && failed > 0, "{read} read, {failed} failed");
    engine.verify().unwrap_err();
}

#[test]
fn a_damaged_block_of_an_index_is_found_by_verify() {
    for tenths in [1, 5, 8] {
        let store = flipped(INDEXES, tenths);
        let outcome = Outcome::of(&store);
        assert!(matches!(outcome, Outcome::Reported(_)), "{outcome:?}");
    }
}

#[test]
fn damage_anywhere_in_table_files_is_told() {
    let files = contents(Store::new().path());
    let tables = files
        .into_iter()
        .filter(|(name, _)| name.contains("/tables/"));
    let mut wrong = Vec::new();
    for (name, bytes) in tables {
        let mut note = |what: &str, damage: &dyn Fn(&Path)| {
            let store = Store::new();
            damage(&store.file(&name));
            let outcome = Outcome::of_damaged(&store, &name, &bytes);
            println!("{name} {what}: {outcome:?}");
            if !outcome.is_right() {
                wrong.push(format!("{name} {what}: {outcome:?}"));
            }
        };
        let end = bytes.len();
        // The last kilobytes hold the index of blocks, the filter and the directory of sections.
        let tail = [3000, 700, 300, 100, 20, 1].map(|back: usize| end.saturating_sub(back));
        for at in [0, end / 3].into_iter().chain(tail) {
            note(&format!("byte {at} of {end} flipped"), &|path| {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x55;
                fs::write(path, damaged).unwrap();
            });
        }
        note("cut in half", &|path| {
            fs::write(path, &bytes[..end / 2]).unwrap()
        });
        note("removed", &|path| fs::remove_file(path).unwrap());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
