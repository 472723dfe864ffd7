//! Files and folders that are whole, and in the places of others.

use crate::store::{INDEXES, ITEMS, META, SONGS, Store, expected, open, read_songs};
use monotable_engine::{DataLoss, Doctor, DoctorError, Examination, UnknownRows};
use std::fs;
use std::path::{Path, PathBuf};

fn exchange(one: &Path, other: &Path) {
    let aside = one.with_extension("aside");
    fs::rename(one, &aside).unwrap();
    fs::rename(other, one).unwrap();
    fs::rename(aside, other).unwrap();
}

fn keyspace(store: &Store, number: u32) -> PathBuf {
    store.path().join(format!("data/keyspaces/{number}"))
}

fn examine(store: &Store) -> Examination {
    Doctor::new(store.path(), |_| ()).examine().unwrap()
}

/// The store is not served, and the error names one of the files or folders and what to do.
fn assert_refused(store: &Store, named: &[&Path]) {
    let error = store.open().unwrap_err().to_string();
    let names = |path: &&Path| error.contains(&path.display().to_string());
    assert!(named.iter().any(names), "{error}");
    assert!(error.contains("exchanged"), "{error}");
    let advice = format!("monotable doctor --store {}", store.path().display());
    assert!(error.contains(&advice), "{error}");
}

fn assert_complete(store: &Path) {
    let (found, failed) = read_songs(&open(store).unwrap());
    assert!(failed.is_empty(), "{failed:?}");
    for number in 0..SONGS {
        assert_eq!(
            found.get(&number).copied(),
            expected(number),
            "song {number}"
        );
    }
}

/// A table file whose number a file of another keyspace has, too.
fn pair(store: &Store, one: u32, other: u32) -> (PathBuf, PathBuf) {
    let others = store.tables(other);
    let with_same_name = |path: &PathBuf| {
        let other = others
            .iter()
            .find(|other| other.file_name() == path.file_name());
        other.map(|other| (path.clone(), other.clone()))
    };
    store.tables(one).iter().find_map(with_same_name).unwrap()
}

#[test]
fn exchanged_table_files_of_a_keyspace_are_noticed_and_cost_nothing() {
    let store = Store::make();
    let files = store.tables(ITEMS);
    let [newer, older, ..] = files.as_slice() else {
        panic!("too few table files: {files:?}");
    };
    exchange(newer, older);
    assert_refused(&store, &[newer, older]);
    let examined = Doctor::new(store.path(), |_| ())
        .repair(&store.beside("copy"), UnknownRows::Refuse)
        .unwrap();
    let named: Vec<_> = examined.damages.iter().map(|damage| &damage.path).collect();
    assert!(
        named.contains(&newer) && named.contains(&older),
        "{examined:#?}"
    );
    assert!(examined.lost.is_empty(), "{examined:#?}");
    assert_complete(&store.beside("copy"));
    exchange(newer, older);
    assert_complete(&store.path());
    assert!(examine(&store).is_sound());
}

#[test]
fn exchanged_table_files_of_two_keyspaces_are_noticed_and_cost_nothing() {
    for (one, other) in [(ITEMS, INDEXES), (META, ITEMS), (META, INDEXES)] {
        let store = Store::make();
        let (first, second) = pair(&store, one, other);
        exchange(&first, &second);
        assert_refused(&store, &[&first, &second]);
        let examined = Doctor::new(store.path(), |_| ())
            .repair(&store.beside("copy"), UnknownRows::Refuse)
            .unwrap();
        assert_eq!(examined.damages.len(), 2, "{examined:#?}");
        for damage in &examined.damages {
            assert!(damage.what.contains("belongs here is"), "{examined:#?}");
            assert_eq!(damage.loss, DataLoss::Nothing);
        }
        assert_complete(&store.beside("copy"));
    }
}

#[test]
fn a_table_file_that_is_lost_and_replaced_by_another_one_is_not_read() {
    let store = Store::make();
    let (items, entries) = pair(&store, ITEMS, INDEXES);
    fs::copy(&entries, &items).unwrap();
    assert_refused(&store, &[&items]);
    let examined = examine(&store);
    assert_eq!(examined.damages[0].path, items);
    assert_eq!(examined.damages[0].loss, DataLoss::Rows, "{examined:#?}");
    assert!(!examined.lost.is_empty(), "{examined:#?}");
}

#[test]
fn exchanged_folders_of_keyspaces_are_noticed() {
    for (one, other) in [(ITEMS, INDEXES), (META, ITEMS), (META, INDEXES)] {
        let store = Store::make();
        let (first, second) = (keyspace(&store, one), keyspace(&store, other));
        exchange(&first, &second);
        assert_refused(&store, &[&first, &second]);
        let examined = examine(&store);
        let folder = |damage: &monotable_engine::Damage| {
            [&first, &second].contains(&&damage.path) && damage.what.contains("exchanged")
        };
        assert!(examined.damages.iter().any(folder), "{examined:#?}");
        let refused = Doctor::new(store.path(), |_| ())
            .repair(&store.beside("copy"), UnknownRows::Refuse)
            .unwrap_err();
        assert!(
            matches!(refused, DoctorError::UnknownRows { .. }),
            "{refused}"
        );
        exchange(&first, &second);
        assert!(examine(&store).is_sound());
        assert_complete(&store.path());
    }
}
