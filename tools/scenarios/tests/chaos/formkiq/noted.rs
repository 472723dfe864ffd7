//! What clients were told, and in which order their calls can have happened.

use super::asked::{Asked, Deed, Written};
use monotable_store::{Error, ErrorKind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// It may have happened, wholly or in part.
    Unsure,
    /// Nothing has happened.
    Refused,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) site: &'static str,
    pub(super) user: String,
    pub(super) asked: Asked,
    pub(super) began: u64,
    /// What is finished by somebody else has no end here.
    pub(super) ended: u64,
    pub(super) end: End,
}

/// All calls.
#[derive(Default)]
pub(super) struct Book {
    clock: AtomicU64,
    entries: Mutex<Vec<Entry>>,
}

/// Whether a document or all that belongs to it goes elsewhere: such a call can break off in the middle.
pub(super) const fn is_whole(deed: &Deed) -> bool {
    matches!(
        deed,
        Deed::Hides | Deed::Restores | Deed::Purges | Deed::Deletes
    )
}

impl Book {
    pub(super) fn now(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    pub(super) fn enter(&self, entry: Entry) {
        self.entries.lock().unwrap().push(entry);
    }

    pub(super) fn entries(&self) -> Vec<Entry> {
        self.entries.lock().unwrap().clone()
    }
}

/// What an error says about what has happened.
pub(super) fn end_of(deed: &Deed, error: &Error, died: bool) -> End {
    let broken = died || error.kind() == ErrorKind::Retryable;
    // A move that others kept from its end has begun.
    let begun = is_whole(deed) && error.kind() == ErrorKind::Conflict;
    if broken || begun {
        End::Unsure
    } else {
        End::Refused
    }
}

impl Entry {
    fn is_of(&self, other: &Self) -> bool {
        self.site == other.site && self.asked.document == other.asked.document
    }

    /// Whether this may have happened after that.
    fn may_follow(&self, other: &Self) -> bool {
        self.end != End::Refused && self.is_of(other) && self.ended > other.began
    }

    fn writes(&self) -> &[Written] {
        match &self.asked.deed {
            Deed::Writes(written) | Deed::Makes(written) => written,
            _ => &[],
        }
    }
}

/// What must be in a document's rows.
pub(super) struct Expected<'e> {
    pub(super) entry: &'e Entry,
    pub(super) written: &'e Written,
}

/// The writes that were acknowledged and that nothing can have undone.
pub(super) fn lasting(entries: &[Entry]) -> Vec<Expected<'_>> {
    let mut lasting = Vec::new();
    for entry in entries.iter().filter(|entry| entry.end == End::Done) {
        let others: Vec<&Entry> = entries
            .iter()
            .filter(|other| !std::ptr::eq(*other, entry) && other.may_follow(entry))
            .collect();
        if may_be_gone(&others) {
            continue;
        }
        for written in entry.writes() {
            let again = |other: &&Entry| {
                let mut writes = other.writes().iter();
                writes.any(|other| other.register == written.register)
            };
            // What was deleted may be in the bin, of a document that was there before.
            let moved = written.value.is_none() && others.iter().any(|other| is_place(other));
            if !others.iter().any(again) && !moved {
                lasting.push(Expected { entry, written });
            }
        }
    }
    lasting
}

/// Whether calls may have deleted a document and its rows. A purge takes what was moved to the bin before, no more.
fn may_be_gone(others: &[&Entry]) -> bool {
    others.iter().any(|other| match other.asked.deed {
        Deed::Deletes => true,
        Deed::Purges => others
            .iter()
            .any(|hides| matches!(hides.asked.deed, Deed::Hides) && other.ended > hides.began),
        _ => false,
    })
}

const fn is_place(entry: &Entry) -> bool {
    is_whole(&entry.asked.deed) || matches!(entry.asked.deed, Deed::Makes(_))
}

/// Where a document must be.
pub(super) struct Stand<'e> {
    pub(super) entry: &'e Entry,
    pub(super) live: Option<bool>,
    pub(super) deleted: Option<bool>,
}

/// The acknowledged moves that no other can have followed.
pub(super) fn standing(entries: &[Entry]) -> Vec<Stand<'_>> {
    let mut standing = Vec::new();
    for entry in entries.iter().filter(|entry| entry.end == End::Done) {
        let (live, deleted) = match entry.asked.deed {
            Deed::Makes(_) => (Some(true), None),
            Deed::Hides => (Some(false), Some(true)),
            Deed::Restores => (Some(true), Some(false)),
            Deed::Purges => (None, Some(false)),
            Deed::Deletes => (Some(false), None),
            Deed::Reads | Deed::Writes(_) => continue,
        };
        let followed = entries
            .iter()
            .any(|other| !std::ptr::eq(other, entry) && is_place(other) && other.may_follow(entry));
        if !followed {
            standing.push(Stand {
                entry,
                live,
                deleted,
            });
        }
    }
    standing
}
