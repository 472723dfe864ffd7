//! Every file of fjall that is not a journal or a table file: the versions of a tree, the pointer to the
//! current one, the marker of the format.

use crate::outcome::Outcome;
use crate::store::{Store, contents};
use std::fmt::Write;
use std::fs;

/// A way to damage a file; none if it is too short for that.
type Damage = (&'static str, fn(Vec<u8>) -> Option<Vec<u8>>);

const DAMAGES: [Damage; 6] = [
    // In a pointer to a version that is the version before, which may still be there.
    ("first byte less one", |mut bytes| {
        let first = bytes.first_mut()?;
        *first = first.wrapping_sub(1);
        Some(bytes)
    }),
    ("first byte flipped", |bytes| flip(bytes, 0)),
    ("middle byte flipped", |bytes| {
        let middle = bytes.len() / 2;
        flip(bytes, middle)
    }),
    ("last byte flipped", |bytes| {
        let last = bytes.len().checked_sub(1)?;
        flip(bytes, last)
    }),
    ("cut in half", |mut bytes| {
        bytes.truncate(bytes.len() / 2);
        Some(bytes)
    }),
    ("emptied", |_| Some(Vec::new())),
];

fn flip(mut bytes: Vec<u8>, at: usize) -> Option<Vec<u8>> {
    *bytes.get_mut(at)? ^= 0x55;
    Some(bytes)
}

fn is_metadata(name: &str) -> bool {
    name.starts_with("data/") && !name.ends_with(".jnl") && !name.contains("/tables/")
}

/// Damages every metadata file in turn; returns the report, and what was not right.
fn survey(damages: &[Damage], remove: bool) -> (String, Vec<String>) {
    let (mut report, mut wrong) = (String::new(), Vec::new());
    let mut note = |what: String, store: &Store, name: &str, original: &[u8]| {
        let outcome = Outcome::of_damaged(store, name, original);
        writeln!(report, "{what}: {outcome:?}").unwrap();
        if !outcome.is_right() {
            wrong.push(format!("{what}: {outcome:?}"));
        }
    };
    let files = contents(Store::new().path());
    for (name, bytes) in files.into_iter().filter(|(name, _)| is_metadata(name)) {
        for (how, damage) in damages {
            let Some(damaged) = damage(bytes.clone()).filter(|damaged| *damaged != bytes) else {
                continue;
            };
            let store = Store::new();
            fs::write(store.file(&name), damaged).unwrap();
            note(format!("{name} {how}"), &store, &name, &bytes);
        }
        if remove {
            let store = Store::new();
            fs::remove_file(store.file(&name)).unwrap();
            note(format!("{name} removed"), &store, &name, &bytes);
        }
    }
    (report, wrong)
}

#[test]
fn damaged_metadata_is_told() {
    let (report, wrong) = survey(&DAMAGES, false);
    println!("{report}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn missing_metadata_is_told() {
    let (report, wrong) = survey(&[], true);
    println!("{report}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
