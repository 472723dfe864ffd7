use crate::outcome::Outcome;
use crate::store::{Store, acknowledged, contents, scan};
use monotable_api::PutItemInput;
use monotable_engine::OpenError;
use monotable_item::Item;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

/// The journal that was written last.
fn journal(store: &Store) -> PathBuf {
    let data = fs::read_dir(store.file("data")).unwrap();
    let journals = data.map(|entry| entry.unwrap().path());
    let numbered = journals.filter(|path| path.extension().is_some_and(|end| end == "jnl"));
    numbered
        .max_by_key(|path| {
            path.file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .parse::<u64>()
                .unwrap()
        })
        .unwrap()
}

fn damaged(damage: impl FnOnce(&mut Vec<u8>)) -> Store {
    let store = Store::new();
    let path = journal(&store);
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(path, bytes).unwrap();
    store
}

fn assert_refused(store: &Store, what: &str) {
    let before = contents(store.path());
    let refused = store.open().unwrap_err();
    assert!(
        matches!(
            refused,
            OpenError::JournalTruncated { .. } | OpenError::Damaged { .. }
        ),
        "{what}: {refused}"
    );
    let after = contents(store.path());
    let same = |name: &String| before.get(name) == after.get(name);
    let changed = before.keys().chain(after.keys()).find(|name| !same(name));
    assert_eq!(changed, None, "{what}");
}

#[test]
fn a_flipped_bit_in_the_journal_is_not_the_end_of_it() {
    for part in 1..10 {
        let store = damaged(|bytes| {
            let at = bytes.len() * part / 10;
            bytes[at] ^= 0x10;
        });
        assert_refused(&store, &format!("{part} tenths in"));
    }
}

#[test]
fn a_journal_cut_short_is_noticed() {
    for part in [1, 5, 9] {
        let store = damaged(|bytes| bytes.truncate(bytes.len() * part / 10));
        assert_refused(&store, &format!("{part} tenths left"));
    }
    let store = damaged(|bytes| bytes.truncate(bytes.len() - 1));
    assert_refused(&store, "one byte missing");
}

/// Such a journal looks whole; only the note and the rows know that there was more. They are read when
/// fjall has opened the store, and may have removed what it no longer needs, but nothing else.
#[test]
fn a_journal_that_ends_early_between_batches_is_noticed() {
    let end_of_batch = b"FJL\x03";
    for tenths in [0, 3, 9] {
        let store = Store::new();
        let path = journal(&store);
        let whole = fs::read(&path).unwrap();
        let half = &whole[..whole.len() * tenths / 10];
        let ends = half.windows(end_of_batch.len());
        let end = ends.into_iter().rposition(|bytes| bytes == end_of_batch);
        let end = end.map_or(0, |at| at + end_of_batch.len());
        fs::write(&path, &whole[..end]).unwrap();
        let name = path.strip_prefix(store.path()).unwrap().to_str().unwrap();
        let outcome = Outcome::of_damaged(&store, name, &whole);
        assert!(
            matches!(&outcome, Outcome::Refused(why) if why.starts_with("JournalTruncated")),
            "{outcome:?}"
        );
    }
}

#[test]
fn a_journal_with_a_hole_is_noticed() {
    let store = damaged(|bytes| {
        let at = bytes.len() / 2;
        bytes[at..at + 4096].fill(0);
    });
    assert_refused(&store, "a hole of 4096 zeros");
}

#[test]
fn a_journal_that_is_gone_is_noticed() {
    let store = Store::new();
    fs::remove_file(journal(&store)).unwrap();
    let outcome = Outcome::of(&store);
    assert!(matches!(outcome, Outcome::Refused(_)), "{outcome:?}");
}

#[test]
fn what_follows_the_last_acknowledged_group_is_a_torn_tail() {
    let tails: [&[u8]; 4] = [
        &[1],
        &[1, 9, 0, 0, 0, 1, 2, 3],
        b"anything at all",
        &[0; 70_000],
    ];
    for tail in tails {
        let store = damaged(|bytes| bytes.extend(tail));
        assert_eq!(Outcome::of(&store), Outcome::Harmless, "{tail:?}");
    }
}

#[test]
fn after_a_torn_tail_writes_go_on_and_stay() {
    let store = damaged(|bytes| bytes.extend(b"\x01half a batch"));
    let mut expected = acknowledged();
    let item = expected
        .values()
        .next()
        .unwrap()
        .clone()
        .with("pk", "item-new");
    let engine = store.open().unwrap();
    engine.put_item(PutItemInput::new("items", &item)).unwrap();
    engine.close();
    drop(engine);
    expected.insert("item-new".into(), item);
    assert_eq!(scan(&store.open().unwrap()).unwrap(), expected);
}

/// Once everything is in table files a journal begins anew, and no group in it says how far writes were
/// acknowledged. What a crash tore off its first batch was never acknowledged.
#[test]
fn the_first_batch_of_a_fresh_journal_may_be_torn() {
    let torn: [&[u8]; 3] = [
        b"\x01\x05\0\0\0half a batch",
        b"\0\0\0\0\0\0\0\0the first half is lost",
        b"garbage",
    ];
    let original = Store::flushed();
    let items = scan(&original.copy().open().unwrap()).unwrap();
    for torn in torn {
        let store = original.copy();
        let mut journal = File::options().write(true).open(journal(&store)).unwrap();
        journal.write_all(torn).unwrap();
        let engine = store.open().unwrap();
        assert!(scan(&engine).unwrap() == items, "items are lost");
        assert_eq!(engine.verify().unwrap().problem_count, 0);
    }
}

/// A removal is durable only once its folder is synced: the copy of a torn journal that an open has set
/// aside and removed may be there again, beside the groups acknowledged since.
#[test]
fn a_copy_that_a_power_cut_brought_back_is_not_put_over_new_groups() {
    let store = Store::flushed();
    let path = journal(&store);
    let mut torn = fs::read(&path).unwrap();
    torn[..7].copy_from_slice(b"garbage");
    fs::write(&path, &torn).unwrap();
    let engine = store.open().unwrap();
    let item = Item::new().with("pk", "item-new");
    engine.put_item(PutItemInput::new("items", item)).unwrap();
    let items = scan(&engine).unwrap();
    engine.close();
    drop(engine);
    let name = path.file_name().unwrap().to_str().unwrap();
    fs::write(store.file(&format!("ASIDE-{name}")), &torn).unwrap();
    let engine = store.open().unwrap();
    assert!(
        scan(&engine).unwrap() == items,
        "acknowledged items are lost"
    );
}
