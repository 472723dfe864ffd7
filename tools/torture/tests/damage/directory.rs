use crate::outcome::Outcome;
use crate::store::Store;
use monotable_engine::{Engine, OpenError};
use monotable_torture::machine::Machine;
use monotable_torture::record::Record;
use std::fs;
use std::path::Path;

#[test]
fn without_the_note_the_store_opens() {
    let store = Store::new();
    fs::remove_file(store.file("NOTED")).unwrap();
    assert_eq!(Outcome::of(&store), Outcome::Harmless);
}

#[test]
fn a_damaged_note_is_no_note() {
    let length = fs::read(Store::new().file("NOTED")).unwrap().len();
    for at in 0..length {
        let store = Store::new();
        let mut bytes = fs::read(store.file("NOTED")).unwrap();
        bytes[at] ^= 0x41;
        fs::write(store.file("NOTED"), bytes).unwrap();
        assert_eq!(Outcome::of(&store), Outcome::Harmless, "byte {at}");
    }
}

#[test]
fn a_newer_format_is_named() {
    let store = Store::new();
    let format = fs::read_to_string(store.file("FORMAT")).unwrap();
    let newer = format.replace(char::is_numeric, "7");
    fs::write(store.file("FORMAT"), newer).unwrap();
    let refused = store.open().unwrap_err();
    assert!(
        matches!(refused, OpenError::NewerFormat { found: 7, .. }),
        "{refused}"
    );
}

#[test]
fn a_format_that_says_nothing_is_damage() {
    for garbage in ["", "garbage", "monotable store, format x", "\u{1}\u{2}"] {
        let store = Store::new();
        fs::write(store.file("FORMAT"), garbage).unwrap();
        let refused = store.open().unwrap_err();
        assert!(
            matches!(refused, OpenError::Damaged { .. }),
            "{garbage:?}: {refused}"
        );
    }
}

#[test]
fn a_directory_with_other_things_is_not_a_store() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("letter.txt"), "Dear Sir").unwrap();
    let refused = Engine::open(folder.path()).unwrap_err();
    assert!(matches!(refused, OpenError::NotAStore { .. }), "{refused}");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn a_store_is_open_once() {
    let store = Store::new();
    let engine = store.open().unwrap();
    let refused = store.open().unwrap_err();
    assert!(matches!(refused, OpenError::Locked { .. }), "{refused}");
    engine.close();
    drop(engine);
    assert_eq!(Outcome::of(&store), Outcome::Harmless);
}

#[test]
fn a_store_is_open_in_one_process() {
    let store = Store::new();
    let engine = store.open().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_torture"));
    let mut machine = Machine::with_store(program, folder.path(), store.path());
    let arguments = ["sync".to_owned(), "1".to_owned()];
    let other = machine.start("check", &arguments, &[]).unwrap();
    let Record::OpenFailed(error) = other.expect().unwrap().record else {
        panic!("the other process opened the store too");
    };
    assert!(error.contains("is open in another process"), "{error}");
    drop(engine);
}
