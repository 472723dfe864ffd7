//! What the mechanisms work on while a change is applied.

use super::ItemChange;
use crate::address::Address;
use crate::draft::Draft;
use crate::reader::Reader;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A draft, the changes that still have to be added to it, and what they may look at.
pub(crate) struct Run<'a> {
    pub(crate) reader: Reader<'a>,
    pub(crate) draft: &'a mut Draft,
    /// What will be written together with the draft: new times make way for its rows.
    pub(crate) beside: Option<&'a Draft>,
    /// Rows that are gone already: nothing is counted there any more.
    pub(crate) gone: BTreeSet<Address>,
    /// Where rows stood that move with this change, and where they will stand.
    pub(crate) moved: BTreeMap<Address, Address>,
    before: VecDeque<ItemChange>,
    with: VecDeque<ItemChange>,
}

impl<'a> Run<'a> {
    pub(crate) const fn new(reader: Reader<'a>, draft: &'a mut Draft) -> Self {
        Self {
            reader,
            draft,
            beside: None,
            gone: BTreeSet::new(),
            moved: BTreeMap::new(),
            before: VecDeque::new(),
            with: VecDeque::new(),
        }
    }

    /// Adds a change that follows from another one: it is written with it.
    pub(crate) fn push(&mut self, change: ItemChange) {
        self.with.push_back(change);
    }

    /// Adds a change that must be there before: it is a transaction of its own.
    pub(crate) fn push_before(&mut self, change: ItemChange) {
        self.before.push_back(change);
    }

    pub(crate) fn next_before(&mut self) -> Option<ItemChange> {
        self.before.pop_front()
    }

    pub(crate) fn next(&mut self) -> Option<ItemChange> {
        self.with.pop_front()
    }

    /// How many changes wait.
    pub(crate) fn count_waiting(&self) -> u64 {
        (self.before.len() + self.with.len()) as u64
    }

    /// Whether a row goes already, by the draft or beside it.
    pub(crate) fn is_removed(&self, address: &Address) -> bool {
        self.draft.deletes(address) || self.beside.is_some_and(|beside| beside.deletes(address))
    }

    /// Whether an item is written by the draft, beside it, or by a change that waits.
    pub(crate) fn is_written(&self, address: &Address) -> bool {
        let waits = |change: &ItemChange| {
            let mut rows = change.new_rows();
            rows.any(|row| self.reader.row_address(row).is_ok_and(|at| at == *address))
        };
        self.draft.decides(address)
            || self.beside.is_some_and(|beside| beside.decides(address))
            || self.with.iter().any(waits)
    }
}
