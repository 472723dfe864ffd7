use crate::store::{ITEMS, SONGS, Store, data_blocks, expected, put, read_songs, song_key, spoil};
use monotable_api::PutItemInput;
use monotable_engine::{Engine, Impediment};
use std::path::Path;

fn put_error(engine: &Engine) -> String {
    let song = PutItemInput::new(crate::store::TABLE, song_key(1));
    engine.put_item(song).unwrap_err().to_string()
}

/// The error names the file and says what to do.
fn assert_names(error: &str, file: &Path, store: &Store) {
    assert!(error.contains(&file.display().to_string()), "{error}");
    let advice = format!("monotable doctor --store {}", store.path().display());
    assert!(error.contains(&advice), "{error}");
}

#[test]
fn a_sound_store_is_scrubbed_without_a_word() {
    let store = Store::make();
    let engine = store.open().unwrap();
    let progress = engine.scrub();
    assert!(progress.passes > 0 && progress.files > 3, "{progress:?}");
    assert_eq!(progress.damaged, 0);
    assert!(engine.health().writable);
    put(&engine, 1, 3);
}

#[test]
fn one_rotten_bit_in_a_table_file_is_found_by_the_scrub_and_stops_writes_only() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    let block = data_blocks(&file)[1];
    spoil(&file, block + 60, 1);
    let engine = store.open().unwrap();
    assert_eq!(engine.scrub().damaged, 1);
    let health = engine.health();
    assert!(!health.writable);
    let [Impediment::DamagedFile { path, .. }] = health.reasons.as_slice() else {
        panic!("{health:?}");
    };
    assert_eq!(*path, file);
    assert_names(&health.reasons[0].to_string(), &file, &store);
    assert_names(&put_error(&engine), &file, &store);
    // Whatever the damaged block does not hold is read, and in its newest version.
    let (found, failed) = read_songs(&engine);
    assert!(
        !failed.is_empty() && failed.len() < SONGS as usize / 2,
        "{failed:?}"
    );
    for number in (0..SONGS).filter(|number| !failed.contains_key(number)) {
        assert_eq!(
            found.get(&number).copied(),
            expected(number),
            "song {number}"
        );
    }
    for error in failed.values() {
        assert_names(error, &file, &store);
    }
}

#[test]
fn a_read_that_meets_the_damage_first_names_the_file() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    spoil(&file, data_blocks(&file)[0] + 60, 1);
    let engine = store.open().unwrap();
    let (_, failed) = read_songs(&engine);
    assert!(!failed.is_empty());
    for error in failed.values() {
        assert_names(error, &file, &store);
    }
    assert_names(&put_error(&engine), &file, &store);
}

#[test]
fn a_compaction_that_meets_the_damage_first_names_the_file() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    for block in data_blocks(&file) {
        spoil(&file, block + 60, 1);
    }
    let engine = store.open().unwrap();
    // Table files of all songs come on top of each other until they are merged.
    let mut error = None;
    for generation in 3..20 {
        for number in 0..SONGS {
            let song = song_key(number)
                .with("Year", 1999)
                .with("generation", generation);
            if let Err(refused) = engine.put_item(PutItemInput::new(crate::store::TABLE, song)) {
                error = Some(refused.to_string());
            }
        }
        if error.is_some() || engine.settle().is_err() {
            break;
        }
    }
    let error = error.unwrap_or_else(|| put_error(&engine));
    assert_names(&error, &file, &store);
    let _ = engine.background_step();
    assert!(!engine.health().writable);
}

#[test]
fn a_store_that_was_found_damaged_takes_no_writes_when_it_is_opened_again() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    spoil(&file, data_blocks(&file)[0] + 60, 1);
    let engine = store.open().unwrap();
    engine.scrub();
    drop(engine);
    let engine = store.open().unwrap();
    assert_names(&put_error(&engine), &file, &store);
    assert_eq!(engine.health().reasons.len(), 1);
    let (found, _) = read_songs(&engine);
    assert!(found.len() > 50);
    engine.close();
    drop(engine);
    // Once the file is as it was and the doctor has seen it, writes are taken again.
    spoil(&file, data_blocks(&file)[0] + 60, 1);
    assert!(!store.open().unwrap().health().writable);
    let examined = monotable_engine::Doctor::new(store.path(), |_| ())
        .examine()
        .unwrap();
    assert!(examined.is_sound(), "{examined:?}");
    let engine = store.open().unwrap();
    assert!(engine.health().writable);
    put(&engine, 1, 9);
}

#[test]
fn damage_that_keeps_a_store_from_opening_is_named() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    let length = std::fs::metadata(&file).unwrap().len() as usize;
    spoil(&file, length - 20, 1);
    let error = store.open().unwrap_err().to_string();
    assert_names(&error, &file, &store);
}

#[test]
fn a_damaged_list_of_table_files_is_noticed() {
    let store = Store::make();
    let folder = store.path().join(format!("data/keyspaces/{ITEMS}"));
    let current = std::fs::read(folder.join("current")).unwrap();
    let version = u64::from_le_bytes(current[..8].try_into().unwrap());
    let list = folder.join(format!("v{version}"));
    let whole = std::fs::read(&list).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x01;
        std::fs::write(&list, bytes).unwrap();
        let error = store.open().unwrap_err().to_string();
        assert_names(&error, &list, &store);
    }
}

#[test]
fn a_store_without_a_journal_is_not_opened() {
    let store = Store::make();
    for entry in std::fs::read_dir(store.path().join("data")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jnl") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let error = store.open().unwrap_err().to_string();
    assert!(error.contains("journal"), "{error}");
}
