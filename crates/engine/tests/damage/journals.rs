use crate::store::{SONGS, Store, expected, open, put, read_songs};
use monotable_engine::{DataLoss, Doctor, DoctorError, UnknownRows};
use std::fs;
use std::path::PathBuf;

/// A store whose last writes are in the journal only: songs 1, 3, 7, 9 of the third generation, one batch each.
fn make() -> (Store, PathBuf, Vec<usize>) {
    let store = Store::make();
    let engine = store.open().unwrap();
    for number in [1, 3, 7, 9] {
        put(&engine, number, 3);
    }
    engine.close();
    drop(engine);
    let journals = fs::read_dir(store.path().join("data")).unwrap();
    let journals = journals.map(|entry| entry.unwrap().path());
    let journal = journals.filter(|path| path.extension().is_some_and(|end| end == "jnl"));
    let journal = journal.max().unwrap();
    let bytes = fs::read(&journal).unwrap();
    let ends = bytes.windows(4).enumerate();
    let ends = ends
        .filter(|(_, window)| *window == b"FJL\x03")
        .map(|(at, _)| at + 4);
    (store, journal, ends.collect())
}

fn expected_now(number: u32) -> Option<u32> {
    match number {
        1 | 3 | 7 | 9 => Some(3),
        _ => expected(number),
    }
}

#[test]
fn one_flipped_bit_in_the_journal_costs_nothing() {
    let (store, journal, ends) = make();
    let whole = fs::read(&journal).unwrap();
    // The batch of song 3: the second of the four.
    let batch = ends[ends.len() - 4]..ends[ends.len() - 3];
    for (place, at) in batch.clone().step_by(batch.len() / 7).enumerate() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x08;
        fs::write(&journal, bytes).unwrap();
        let error = store.open().unwrap_err().to_string();
        assert!(error.contains(&journal.display().to_string()), "{error}");
        let out = store.beside(&format!("copy-{place}"));
        let mut doctor = Doctor::new(store.path(), |_| ());
        let examined = doctor.repair(&out, UnknownRows::Refuse).unwrap();
        assert_eq!(examined.damages.len(), 1, "byte {at}: {examined:#?}");
        assert_eq!(examined.damages[0].loss, DataLoss::Nothing);
        let (found, _) = read_songs(&open(&out).unwrap());
        for number in 0..SONGS {
            assert_eq!(
                found.get(&number).copied(),
                expected_now(number),
                "byte {at}, song {number}"
            );
        }
    }
}

#[test]
fn a_damaged_batch_whose_rows_are_known_costs_these_rows() {
    let (store, journal, ends) = make();
    let mut bytes = fs::read(&journal).unwrap();
    // Two bytes of a value.
    let end = ends[ends.len() - 3];
    let text = b"la la la la";
    let start = ends[ends.len() - 4];
    let at = bytes[start..end]
        .windows(text.len())
        .position(|window| window == text)
        .unwrap();
    bytes[start + at] ^= 0x11;
    bytes[start + at + 3] ^= 0x11;
    fs::write(&journal, bytes).unwrap();
    let out = store.beside("copy");
    let mut doctor = Doctor::new(store.path(), |_| ());
    let examined = doctor.repair(&out, UnknownRows::Refuse).unwrap();
    let lost: Vec<_> = examined
        .lost
        .iter()
        .filter(|lost| !lost.is_recomputed)
        .collect();
    assert_eq!(lost.len(), 1, "{examined:#?}");
    assert!(lost[0].from.contains("Song=3"), "{examined:#?}");
    let (found, _) = read_songs(&open(&out).unwrap());
    for number in 0..SONGS {
        let expected = if number == 3 {
            None
        } else {
            expected_now(number)
        };
        assert_eq!(found.get(&number).copied(), expected, "song {number}");
    }
}

#[test]
fn a_batch_that_cannot_be_read_at_all_is_refused_unless_that_is_accepted() {
    let (store, journal, ends) = make();
    let mut bytes = fs::read(&journal).unwrap();
    let (start, end) = (ends[ends.len() - 4], ends[ends.len() - 3]);
    bytes[start..end].fill(0x77);
    fs::write(&journal, bytes).unwrap();
    let mut doctor = Doctor::new(store.path(), |_| ());
    let refused = doctor
        .repair(&store.beside("copy"), UnknownRows::Refuse)
        .unwrap_err();
    assert!(
        matches!(refused, DoctorError::UnknownRows { .. }),
        "{refused}"
    );
    doctor
        .repair(&store.beside("copy"), UnknownRows::Accept)
        .unwrap();
    let (found, _) = read_songs(&open(&store.beside("copy")).unwrap());
    assert_eq!(found.get(&7), Some(&3));
}
