use crate::store::{
    INDEXES, ITEMS, SONGS, Store, data_blocks, expected, open, put, read_songs, spoil,
};
use monotable_engine::{DataLoss, Doctor, DoctorError, Examination, UnknownRows};
use std::fs;

fn examine(store: &Store) -> Examination {
    Doctor::new(store.path(), |_| ()).examine().unwrap()
}

fn repair(store: &Store, name: &str) -> Examination {
    let out = store.beside(name);
    Doctor::new(store.path(), |_| ())
        .repair(&out, UnknownRows::Refuse)
        .unwrap()
}

#[test]
fn a_sound_store_is_found_sound() {
    let store = Store::make();
    let mut files = 0;
    let examined = Doctor::new(store.path(), |_| files += 1).examine().unwrap();
    assert!(examined.is_sound(), "{examined:#?}");
    let there = (0..SONGS)
        .filter(|number| expected(*number).is_some())
        .count() as u64;
    assert_eq!((examined.items, examined.entries), (there, there));
    assert!(files >= 4, "{files}");
}

#[test]
fn a_copy_of_a_sound_store_is_the_same() {
    let store = Store::make();
    repair(&store, "copy");
    let engine = open(&store.beside("copy")).unwrap();
    let (found, failed) = read_songs(&engine);
    assert!(failed.is_empty());
    for number in 0..SONGS {
        assert_eq!(
            found.get(&number).copied(),
            expected(number),
            "song {number}"
        );
    }
    put(&engine, 0, 3);
    assert_eq!(engine.verify().unwrap().problem_count, 0);
}

#[test]
fn one_flipped_bit_costs_nothing() {
    let store = Store::make();
    for file in store.tables(ITEMS) {
        let mut bytes = fs::read(&file).unwrap();
        bytes[data_blocks(&file)[0] + 100] ^= 0x10;
        fs::write(&file, bytes).unwrap();
    }
    let examined = repair(&store, "copy");
    assert!(!examined.damages.is_empty());
    assert!(
        examined
            .damages
            .iter()
            .all(|damage| damage.loss == DataLoss::Nothing)
    );
    let (found, _) = read_songs(&open(&store.beside("copy")).unwrap());
    for number in 0..SONGS {
        assert_eq!(
            found.get(&number).copied(),
            expected(number),
            "song {number}"
        );
    }
}

/// Songs whose newest version is in a lost block have an older one in another file, or were deleted. Neither comes back.
#[test]
fn rows_of_a_lost_block_do_not_come_back_in_an_older_version() {
    let original = Store::make();
    let newest = original.tables(ITEMS).remove(0);
    let blocks = data_blocks(&newest);
    assert!(original.tables(ITEMS).len() > 1 && blocks.len() > 2);
    for place in [0, 1, blocks.len() - 1] {
        // What a block holds, its head, and both.
        for (at, length) in [(60, 40), (0, 20), (0, 80)] {
            let store = Store::make();
            let file = store.tables(ITEMS).remove(0);
            spoil(&file, data_blocks(&file)[place] + at, length);
            let what = format!("block {place} spoiled at {at}");
            let repaired = repair(&store, "copy");
            let [lost] = repaired.lost.as_slice() else {
                panic!("{what}: {repaired:#?}");
            };
            assert_eq!(lost.path, file, "{what}");
            assert!(
                lost.to.contains("table `Songs`, item Artist="),
                "{what}: {lost:?}"
            );
            assert!(lost.older_versions > 0, "{what}: {lost:?}");
            let engine = open(&store.beside("copy")).unwrap();
            let (found, failed) = read_songs(&engine);
            assert!(failed.is_empty(), "{what}: {failed:?}");
            let mut missing = 0;
            for number in 0..SONGS {
                match (found.get(&number).copied(), expected(number)) {
                    (None, Some(_)) => missing += 1,
                    (found, expected) => assert_eq!(found, expected, "{what}: song {number}"),
                }
            }
            assert!(
                (1..SONGS / 2).contains(&missing),
                "{what}: {missing} are missing"
            );
            assert_eq!(engine.verify().unwrap().problem_count, 0, "{what}");
        }
    }
}

#[test]
fn an_examination_tells_what_a_repair_leaves_out() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    spoil(&file, data_blocks(&file)[1] + 60, 40);
    let examined = examine(&store);
    let repaired = repair(&store, "copy");
    assert_eq!(examined.lost, repaired.lost);
    assert_eq!(examined.damages, repaired.damages);
    assert_eq!(examined.left_out, repaired.left_out);
    assert!(!examined.left_out.is_empty());
}

#[test]
fn lost_index_entries_are_worked_out_anew() {
    let store = Store::make();
    let file = store.tables(INDEXES).remove(0);
    spoil(&file, data_blocks(&file)[0] + 60, 500);
    let examined = repair(&store, "copy");
    assert!(
        examined.lost.iter().all(|lost| lost.is_recomputed),
        "{examined:#?}"
    );
    let engine = open(&store.beside("copy")).unwrap();
    let (found, _) = read_songs(&engine);
    for number in 0..SONGS {
        assert_eq!(
            found.get(&number).copied(),
            expected(number),
            "song {number}"
        );
    }
    assert_eq!(engine.verify().unwrap().problem_count, 0);
}

#[test]
fn damage_of_index_filter_and_directory_of_a_table_file_loses_no_row() {
    let store = Store::make();
    let file = store.tables(ITEMS).remove(0);
    let whole = fs::read(&file).unwrap();
    let data_end = {
        let last = data_blocks(&file).pop().unwrap();
        let length = u32::from_le_bytes(whole[last + 21..last + 25].try_into().unwrap());
        last + 33 + length as usize
    };
    let step = (whole.len() - data_end) / 11;
    for (place, at) in (data_end..whole.len()).step_by(step).enumerate() {
        fs::write(&file, &whole).unwrap();
        spoil(&file, at, 6);
        let examined = repair(&store, &format!("copy-{place}"));
        assert!(!examined.is_sound(), "byte {at} of {}", whole.len());
        assert!(examined.lost.is_empty(), "byte {at}: {examined:#?}");
        let (found, _) = read_songs(&open(&store.beside(&format!("copy-{place}"))).unwrap());
        for number in 0..SONGS {
            assert_eq!(
                found.get(&number).copied(),
                expected(number),
                "byte {at}, song {number}"
            );
        }
    }
}

#[test]
fn a_lost_list_of_table_files_is_found_out_or_refused() {
    let store = Store::make();
    let folder = store.path().join(format!("data/keyspaces/{ITEMS}"));
    let current = folder.join("current");
    spoil(&current, 2, 1);
    let examined = repair(&store, "copy");
    assert_eq!(examined.damages.len(), 1, "{examined:#?}");
    spoil(&current, 2, 1);
    let version = u64::from_le_bytes(fs::read(&current).unwrap()[..8].try_into().unwrap());
    let path = folder.join(format!("v{version}"));
    spoil(&path, 30, 1);
    let examined = repair(&store, "second");
    assert_eq!(examined.damages[0].path, path);
    spoil(&path, 10, 200);
    let refused = Doctor::new(store.path(), |_| ())
        .repair(&store.beside("third"), UnknownRows::Refuse)
        .unwrap_err();
    assert!(
        matches!(refused, DoctorError::UnknownRows { .. }),
        "{refused}"
    );
    assert!(!store.beside("third").exists() && !store.beside("third.unfinished").exists());
}

#[test]
fn a_copy_is_never_written_over_something() {
    let store = Store::make();
    for out in [store.path(), store.path().join("copy")] {
        let refused = Doctor::new(store.path(), |_| ()).repair(&out, UnknownRows::Refuse);
        assert!(matches!(refused, Err(DoctorError::Occupied { .. })));
    }
}

#[test]
fn a_store_that_is_open_is_left_alone() {
    let store = Store::make();
    let engine = store.open().unwrap();
    let refused = Doctor::new(store.path(), |_| ()).examine().unwrap_err();
    assert!(
        refused.to_string().contains("open in another process"),
        "{refused}"
    );
    drop(engine);
}
