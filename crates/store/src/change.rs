//! What a write does to rows: each path describes its work as changes of items, and the pipeline does the rest.
//!
//! An item is one row, or several rows that stand for the elements of a list. A change says what the rows were, what they
//! will be and why; which mechanisms that concerns is said by the [matrix] alone.

mod direction;
pub(crate) mod matrix;
mod run;

use crate::address::Address;
use crate::draft::{Blame, Demand};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::scope::Scope;
pub(crate) use direction::{Direction, MoveToOther, find_direction};
pub(crate) use matrix::CauseKind;
use monotable_item::Item;
use monotable_model::model::EntityId;
pub(crate) use run::Run;
use std::collections::BTreeSet;

/// A row as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredRow {
    pub(crate) address: Address,
    pub(crate) record: Record,
    pub(crate) item: Item,
}

impl StoredRow {
    /// A row that was read from where its own key says that it stands.
    pub(crate) fn locate(scope: &Scope, record: Record, item: Item) -> Result<Self, Interrupt> {
        let table = scope.entity(record.entity).table;
        let address = scope.addressing().locate_item(table, &item);
        let address =
            address.ok_or_else(|| Error::integrity("an item without its key was read"))?;
        Ok(Self {
            address,
            record,
            item,
        })
    }

    /// A row that is stored as its values say, without being read.
    pub(crate) fn presume(scope: &Scope, record: Record) -> Result<Self, Interrupt> {
        Ok(Self {
            address: scope.row_address(&record)?,
            item: scope.encode(&record)?,
            record,
        })
    }
}

/// What becomes of one row.
#[derive(Clone, Debug)]
pub(crate) struct RowChange {
    pub(crate) old: Option<StoredRow>,
    pub(crate) new: Option<Record>,
    /// What must hold of the old row beside that it is there and unchanged.
    pub(crate) demands: Vec<(Demand, Blame)>,
}

impl RowChange {
    pub(crate) const fn new(old: Option<StoredRow>, new: Option<Record>) -> Self {
        Self {
            old,
            new,
            demands: Vec::new(),
        }
    }
}

/// What a caller does to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteKind {
    Create,
    Update,
    Delete,
}

/// Why a row changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A caller names it.
    Caller(WriteKind),
    /// What it refers to is deleted: it goes too, or loses the reference. With the references by which it goes.
    Cascade(Vec<(String, EntityId)>),
    /// The move of this name gives it another key.
    Rekeyed(String),
    /// The move of this name gives another row another key, and this one goes along.
    Carried(String),
    /// A move of the model makes it a row of another entity, or takes it back.
    Moved(Direction),
    /// It is the other half of a pair that old data holds twice.
    Mirrored,
    /// It follows from another row.
    Derived,
    /// It is a folder or a leaf of another row's path.
    Path,
    /// It tells of another row: an archive or an audit.
    Noted,
    /// It makes a revision known: the log row or the head.
    Committed,
    /// It is in the snapshot of a revision.
    Snapshot,
}

/// What becomes of the rows of one item.
#[derive(Clone, Debug)]
pub(crate) struct ItemChange {
    pub(crate) cause: Cause,
    pub(crate) rows: Vec<RowChange>,
    /// The item before and after, if it is stored as several rows.
    joined: Option<(Option<Record>, Option<Record>)>,
    /// The attributes of the old rows that the write demands unchanged.
    pub(crate) decided_by: BTreeSet<String>,
    /// Every attribute of the old rows must be unchanged: they are copied, or replaced as a whole.
    pub(crate) is_whole: bool,
}

impl ItemChange {
    pub(crate) fn new(cause: Cause, old: Option<StoredRow>, new: Option<Record>) -> Self {
        Self {
            cause,
            rows: vec![RowChange::new(old, new)],
            joined: None,
            decided_by: BTreeSet::new(),
            is_whole: false,
        }
    }

    pub(crate) fn create(row: Record) -> Self {
        Self::new(Cause::Caller(WriteKind::Create), None, Some(row))
    }

    /// The change of an item that is stored as several rows.
    pub(crate) fn spread(
        kind: WriteKind,
        rows: Vec<RowChange>,
        (before, after): (Option<Record>, Option<Record>),
    ) -> Self {
        Self {
            cause: Cause::Caller(kind),
            rows,
            joined: Some((before, after)),
            decided_by: BTreeSet::new(),
            is_whole: kind == WriteKind::Update,
        }
    }

    /// With attributes that what is written was decided from.
    pub(crate) fn decided_by(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.decided_by.extend(names);
        self
    }

    /// If nothing of the old rows has changed.
    pub(crate) const fn of_whole_rows(mut self) -> Self {
        self.is_whole = true;
        self
    }

    pub(crate) fn kind(&self) -> CauseKind {
        CauseKind::of(&self.cause)
    }

    /// The item before.
    pub(crate) fn before(&self) -> Option<&Record> {
        match &self.joined {
            Some((before, _)) => before.as_ref(),
            None => self.old_rows().next(),
        }
    }

    /// The item after.
    pub(crate) fn after(&self) -> Option<&Record> {
        match &self.joined {
            Some((_, after)) => after.as_ref(),
            None => self.new_rows().next(),
        }
    }

    pub(crate) fn old_rows(&self) -> impl Iterator<Item = &Record> {
        self.rows
            .iter()
            .filter_map(|row| row.old.as_ref().map(|old| &old.record))
    }

    pub(crate) fn new_rows(&self) -> impl Iterator<Item = &Record> {
        self.rows.iter().filter_map(|row| row.new.as_ref())
    }

    /// The first row that was stored.
    pub(crate) fn first_old(&self) -> Option<&StoredRow> {
        self.rows.iter().find_map(|row| row.old.as_ref())
    }

    /// The item after, for an answer.
    pub(crate) fn into_after(self) -> Option<Record> {
        match self.joined {
            Some((_, after)) => after,
            None => self.rows.into_iter().find_map(|row| row.new),
        }
    }
}
