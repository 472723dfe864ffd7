//! What a judge found, before it is believed.

use super::fact::{self, Fields, SubjectKey, Topic};
use super::report::{NoteKind, UnfinishedKind, ViolationKind};
use crate::address::Address;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::BTreeMap;

/// In which list it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Told {
    Violation(ViolationKind),
    Unfinished(UnfinishedKind),
    Note(NoteKind),
}

impl From<ViolationKind> for Told {
    fn from(kind: ViolationKind) -> Self {
        Self::Violation(kind)
    }
}

impl From<UnfinishedKind> for Told {
    fn from(kind: UnfinishedKind) -> Self {
        Self::Unfinished(kind)
    }
}

impl From<NoteKind> for Told {
    fn from(kind: NoteKind) -> Self {
        Self::Note(kind)
    }
}

/// Something that a judge found about a subject.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) told: Told,
    pub(crate) subject: SubjectKey,
    pub(crate) entity: EntityId,
    /// The row that it is about.
    pub(crate) address: Address,
    pub(crate) message: String,
    pub(crate) confirmation: Confirmation,
    pub(crate) remedy: Option<Remedy>,
}

/// How to know that a candidate is still so.
#[derive(Clone, Debug)]
pub(crate) enum Confirmation {
    /// These rows are read again, and the subject is judged by what they say.
    Rejudge(Vec<Address>),
    /// These rows are read again, and must still state these facts. For what no key leads to: whoever adds something to the
    /// subject also changes one of them.
    Unchanged {
        reads: Vec<Address>,
        facts: Vec<Vec<u8>>,
    },
    /// It has to be asked first.
    Ask(Ask),
}

/// What is decided by reads.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// A check of the model about a row: its position in the model.
    Check(usize),
    /// The rows of a snapshot, of which the candidate names one, taken together.
    Snapshot {
        /// The repository's position.
        repository: usize,
        /// How many rows the log says there are.
        counted: Option<u64>,
    },
    /// The head that the candidate names, with its log, its intents and its snapshots.
    History {
        /// The repository's position.
        repository: usize,
        /// Rows of revisions that the log does not lead to.
        rows: Vec<Address>,
    },
    /// Folders and leaf of a row's path: the path's position.
    Path(usize),
    /// Whether the row of a leaf has its path: the path's position.
    Leaf(usize),
}

/// What a repair does.
#[derive(Clone, Debug)]
pub(crate) enum Remedy {
    /// Sets a number that the store keeps.
    SetCounter {
        counter: String,
        before: Option<AttributeValue>,
        after: u64,
    },
    /// Writes the row as the model writes it.
    Rewrite,
    /// Puts the guards that the row lacks.
    PutGuards,
    /// Puts the guards that the row lacks, one in the place of a guard that no row has.
    ReplaceGuard(Address),
    /// Deletes an item that nothing needs.
    Delete(Address),
    /// Takes a value out of a reference.
    ClearReference {
        attribute: String,
        id: AttributeValue,
    },
    /// Puts the rows that follow from the row.
    PutDerived,
    /// Writes the rows of the item that are missing, or say another element than their own.
    SpreadRows,
    /// Makes the folders and the leaf of the row's path: the path's position.
    MakePath(usize),
    /// Sets what a tombstone lacks.
    SetTombstone,
}

/// What a judge finds. Facts that it states again are judged in the next round.
pub(crate) struct Findings<'s> {
    /// For names and messages; it is of no tenant.
    pub(crate) scope: &'s Scope,
    /// How often facts were sorted before.
    pub(crate) round: usize,
    /// What was read to confirm.
    lookups: Option<&'s BTreeMap<Address, Option<Item>>>,
    candidates: Vec<Candidate>,
    again: Vec<Vec<u8>>,
    is_moving: bool,
}

impl<'s> Findings<'s> {
    pub(crate) const fn new(scope: &'s Scope, round: usize) -> Self {
        Self {
            scope,
            round,
            lookups: None,
            candidates: Vec::new(),
            again: Vec::new(),
            is_moving: false,
        }
    }

    /// With rows that were read to confirm.
    pub(crate) const fn confirming(mut self, lookups: &'s BTreeMap<Address, Option<Item>>) -> Self {
        self.lookups = Some(lookups);
        self
    }

    /// Whether what is judged was read to confirm.
    pub(crate) const fn is_confirming(&self) -> bool {
        self.lookups.is_some()
    }

    /// The item at a place, if it is there: known only when a candidate that names it is confirmed.
    pub(crate) fn lookup(&self, address: &Address) -> Option<&'s Item> {
        self.lookups?.get(address)?.as_ref()
    }

    pub(crate) fn push(&mut self, candidate: Candidate) {
        self.candidates.push(candidate);
    }

    /// States a fact for the next round. A fact that is not `is_moving` only goes along with others.
    pub(crate) fn state_again(
        &mut self,
        (topic, subject): (Topic, Fields),
        rank: u8,
        fields: &Fields,
        is_moving: bool,
    ) {
        let subject = SubjectKey {
            topic,
            key: subject.into_bytes(),
        };
        self.again.push(fact::encode(&subject, rank, fields));
        self.is_moving |= is_moving;
    }

    pub(crate) fn take_candidates(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.candidates)
    }

    pub(crate) fn take_again(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.again)
    }

    /// Whether the next round has anything to find.
    pub(crate) const fn is_moving(&self) -> bool {
        self.is_moving
    }
}
