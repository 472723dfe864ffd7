//! What a model can promise about things. Each mechanism is one file below `mechanisms/`.

use crate::case::Case;
use crate::design::{Design, Role};
use crate::finding::Finding;
use crate::items::Items;
use crate::mechanisms as all;
use monotable_item::Item;
use monotable_store::{AnyOperation, ErrorKind, NoteKind};

/// One of the rows that a thing can be made of: the values that each mechanism gives differ between states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    First,
    Second,
    /// Without everything that may be absent.
    Bare,
}

/// What a call must come to after a path.
pub(crate) enum Probe {
    Allowed(&'static str, AnyOperation),
    Refused(&'static str, AnyOperation, ErrorKind),
}

/// Something that is done to the raw items, behind the store's back.
pub(crate) struct Damage {
    pub(crate) name: &'static str,
    pub(crate) apply: fn(&mut Vec<Item>),
    pub(crate) outcome: Outcome,
}

/// Where verify tells of a damage, and what becomes of it.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    /// A violation that repairs put right.
    Mended,
    /// A violation that a person has to put right: verify still tells of it after a repair.
    Left,
    /// A note of this kind, which a repair leaves alone. In a snapshot, which never changes, it is a violation.
    Noted(NoteKind),
    /// An operation that has not ended: to finish it is to make this call.
    Finished(fn(&Case) -> AnyOperation),
}

/// A promise about things: how it is declared, which values it is about, and what contradicts it.
pub(crate) trait Mechanism: Sync {
    fn name(&self) -> &'static str;

    fn declare(&self, design: &mut Design);

    /// Rows that must be there before any of so many things.
    fn surroundings(&self, _role: Role, _things: u32) -> Vec<AnyOperation> {
        Vec::new()
    }

    /// What a thing has because of it.
    fn values(&self, thing: u32, state: State) -> Item;

    /// What names a thing beside its shelf and its id.
    fn key(&self, _thing: u32) -> Item {
        Item::new()
    }

    /// Rows that belong to a thing, made after it.
    fn attendants(&self, _thing: u32, _shelf: &str) -> Vec<AnyOperation> {
        Vec::new()
    }

    /// Rows that belong to a thing, more than a transaction takes.
    fn crowd(&self, _thing: u32, _shelf: &str) -> Vec<AnyOperation> {
        Vec::new()
    }

    /// What contradicts it, worked out from the raw items by code that shares nothing with the store's.
    fn judge(&self, items: &Items, findings: &mut Vec<Finding>);

    /// Calls that it refuses or allows in the end, whatever has happened before.
    fn probes(&self, _case: &Case) -> Vec<Probe> {
        Vec::new()
    }

    /// What can be broken, and whether it can be repaired.
    fn damages(&self) -> Vec<Damage> {
        Vec::new()
    }

    /// Attributes that depend on what happened before.
    fn volatile(&self) -> &'static [&'static str] {
        &[]
    }

    /// Items that depend on what happened before.
    fn is_history(&self, _item: &Item) -> bool {
        false
    }
}

/// All of them.
pub(crate) const MECHANISMS: &[&dyn Mechanism] = &[
    &all::values::Values,
    &all::numbers::Numbers,
    &all::times::Times,
    &all::keys::Keys,
    &all::claims::Claims,
    &all::references::References,
    &all::referrers::Referrers,
    &all::relations::RELATIONS,
    &all::relations::LINKS,
    &all::pairs::Pairs,
    &all::counters::Counters,
    &all::each::Each,
    &all::derived::Derived,
    &all::paths::Paths,
    &all::checks::Checks,
    &all::collections::Collections,
    &all::tombstones::Tombstones,
    &all::archive::Archive,
    &all::audit::Audit,
    &all::history::History,
    &all::singles::Singles,
    // It changes what others declare, so it comes last.
    &all::types::Types,
];

pub(crate) fn is_snapshot(design: &Design) -> bool {
    design.role == Role::Snapshot
}
