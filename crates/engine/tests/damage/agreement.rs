//! What keeps a store from being opened is what the doctor says, too.

use crate::store::{SONGS, Store, expected, open, put, read_songs};
use monotable_engine::{DataLoss, Doctor, Examination, UnknownRows};
use std::fs;
use std::path::{Path, PathBuf};

fn examine(store: &Store) -> Examination {
    Doctor::new(store.path(), |_| ()).examine().unwrap()
}

/// Both name the file, with the same words about it.
fn assert_both_say(store: &Store, path: &Path, what: &str) {
    let error = store.open().unwrap_err().to_string();
    assert!(error.contains(&path.display().to_string()), "{error}");
    assert!(error.contains(what), "{error}");
    let examined = examine(store);
    let [damage] = examined.damages.as_slice() else {
        panic!("{examined:#?}");
    };
    assert_eq!(damage.path, path, "{examined:#?}");
    assert_eq!(damage.loss, DataLoss::Nothing, "{examined:#?}");
    assert!(damage.what.contains(what), "{examined:#?}");
}

fn assert_repaired(store: &Store) {
    let out = store.beside("copy");
    let mut doctor = Doctor::new(store.path(), |_| ());
    doctor.repair(&out, UnknownRows::Refuse).unwrap();
    let (found, _) = read_songs(&open(&out).unwrap());
    for number in 0..SONGS {
        let expected = if number == 1 {
            Some(4)
        } else {
            expected(number)
        };
        assert_eq!(found.get(&number).copied(), expected, "song {number}");
    }
}

/// A store whose journal has two versions of a song.
fn make() -> (Store, PathBuf) {
    let store = Store::make();
    let engine = store.open().unwrap();
    put(&engine, 1, 3);
    put(&engine, 1, 4);
    engine.close();
    drop(engine);
    let files = fs::read_dir(store.path().join("data")).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let journal = files.filter(|path| path.extension().is_some_and(|end| end == "jnl"));
    (store, journal.max().unwrap())
}

#[test]
fn a_copy_of_a_journal_beside_it() {
    let (store, journal) = make();
    let number: u64 = journal
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    let copy = journal.with_file_name(format!("{}.jnl", number + 1));
    fs::copy(&journal, &copy).unwrap();
    assert_both_say(&store, &copy, "the journal is a copy of another one");
    assert_repaired(&store);
    fs::remove_file(copy).unwrap();
    assert!(examine(&store).is_sound());
    store.open().unwrap();
}

#[test]
fn a_journal_with_another_name() {
    let (store, journal) = make();
    let copy = journal.with_file_name("0 (copy).jnl");
    fs::copy(&journal, &copy).unwrap();
    assert_both_say(&store, &copy, "move it elsewhere");
    assert_repaired(&store);
}

#[test]
fn a_format_that_is_missing() {
    let (store, _) = make();
    let format = store.path().join("FORMAT");
    fs::remove_file(&format).unwrap();
    assert_both_say(&store, &format, "it is missing");
    assert_repaired(&store);
    assert!(!format.exists(), "nothing is changed");
}

/// Where this process may do everything, such as in a container, permissions keep it from nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_can_only_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let (store, _) = make();
    let folder = store.path().join("data");
    let set = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    set(0o500);
    if fs::write(folder.join("probe"), "").is_ok() {
        fs::remove_file(folder.join("probe")).unwrap();
        set(0o700);
        return;
    }
    let error = store.open().unwrap_err().to_string();
    let examined = examine(&store);
    set(0o700);
    assert!(examined.is_sound(), "{examined:#?}");
    assert_eq!(examined.obstacles, std::slice::from_ref(&error));
    assert!(error.contains(&folder.display().to_string()), "{error}");
    assert!(error.contains("chmod"), "{error}");
    store.open().unwrap();
}
