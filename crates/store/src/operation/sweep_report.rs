//! What a sweep tells: what goes, what stays, and why.

use crate::wire;
use monotable_item::Item;
use serde::Serialize;
use std::fmt;

/// Whether a sweep deletes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepMode {
    /// It only lists what it would delete.
    #[default]
    List,
    /// It deletes.
    Delete,
}

/// What a sweep found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SweepReport {
    /// What was deleted; of a dry run and of a list, what would be.
    pub removed: Vec<SweptRevision>,
    /// What was looked at and left.
    pub kept: Vec<KeptRevision>,
}

/// A revision whose rows, or whose intent, a sweep deletes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweptRevision {
    /// The key of the head that it belongs to.
    #[serde(serialize_with = "wire::item::serialize")]
    pub owner: Item,
    /// Its id.
    pub revision: String,
    /// How many rows of its snapshot go.
    pub rows: u64,
    /// Why.
    pub reason: SweepReason,
}

/// Why a sweep deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SweepReason {
    /// Its commit began long ago and never finished: snapshot and intent go.
    Unfinished,
    /// It is in the log, or the head or another revision names it: only an intent that was left behind goes.
    Committed,
    /// Neither an intent nor the log nor the head knows it: its snapshot goes.
    Orphaned,
}

/// A revision that a sweep leaves alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeptRevision {
    /// What is known of the key of the head that it belongs to.
    #[serde(serialize_with = "wire::item::serialize")]
    pub owner: Item,
    /// Its id; none if all revisions of the owner are meant.
    pub revision: Option<String>,
    /// Why.
    pub reason: KeepReason,
}

/// Why a sweep leaves something alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeepReason {
    /// It is not old enough: its commit may be under way.
    TooYoung,
    /// Neither an intent nor its id tells when it was made.
    UnknownAge,
    /// The intent contradicts its own key, or does not lead to a snapshot.
    Contradiction(String),
    /// The head or the log is not understood, so nobody knows what is reachable.
    BrokenHistory(String),
}

impl SweepReport {
    /// How many intents go.
    #[must_use]
    pub fn intents(&self) -> u64 {
        let orphaned = |swept: &&SweptRevision| swept.reason != SweepReason::Orphaned;
        self.removed.iter().filter(orphaned).count() as u64
    }

    /// How many rows of snapshots go.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.removed.iter().map(|swept| swept.rows).sum()
    }

    /// How many commits are not old enough.
    #[must_use]
    pub fn young(&self) -> u64 {
        let young = |kept: &&KeptRevision| kept.reason == KeepReason::TooYoung;
        self.kept.iter().filter(young).count() as u64
    }

    /// What somebody has to mend before a sweep can decide about it.
    pub fn problems(&self) -> impl Iterator<Item = &KeptRevision> {
        self.kept.iter().filter(|kept| match kept.reason {
            KeepReason::Contradiction(_) | KeepReason::BrokenHistory(_) => true,
            KeepReason::TooYoung | KeepReason::UnknownAge => false,
        })
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.removed.extend(other.removed);
        self.kept.extend(other.kept);
    }
}

impl fmt::Display for SweepReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unfinished => "its commit never finished",
            Self::Committed => "it is committed; only an intent was left behind",
            Self::Orphaned => "neither an intent nor the log nor the head knows it",
        })
    }
}

impl fmt::Display for KeepReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooYoung => f.write_str("it is not old enough"),
            Self::UnknownAge => {
                f.write_str("it has no intent, and its id does not tell when it was made")
            }
            Self::Contradiction(message) | Self::BrokenHistory(message) => f.write_str(message),
        }
    }
}
