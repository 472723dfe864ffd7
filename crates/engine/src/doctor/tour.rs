//! Goes through all rows of a store once: checks them against each other, and writes them to a copy if there is to be one.

use super::copy::CopyWriter;
use super::patient::Patient;
use super::relations::Relation;
use super::{Damage, DoctorError, Examination, LostRange};
use crate::catalog::{BackupDefinition, BackupRows, BackupState, CatalogRows, Table, to_row};
use crate::store::{BATCH_MARK_KEY, Direction, KeyRange, LostRows, SEQUENCE_KEY, Space};
use crate::{index, keys};
use bytes::Bytes;
use monotable_item::EncodedItem;
use std::collections::BTreeMap;
use std::ops::Bound;
use xxhash_rust::xxh3::xxh3_128;

/// Keys of rows that are left out and contradictions are listed up to this many.
const MOST_LISTED: usize = 1000;

pub(super) struct Tour<'a> {
    patient: &'a Patient,
    found: Examination,
    /// For each lost range, how many older versions are in it.
    older: Vec<u64>,
    /// For each index, by its number, what its entries add up to and what they should.
    sums: BTreeMap<u32, IndexSums>,
    /// Rows that belong to nothing, by their number.
    strangers: BTreeMap<[u8; 4], u64>,
    /// Rows that stand in another space than the one that they belong to.
    misplaced: u64,
    /// Items of each backup, by its number.
    backups: BTreeMap<[u8; 4], u64>,
    highest_id: u32,
}

/// Sums of hashes do not depend on the order in which entries come.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct EntrySum {
    entries: u64,
    sum: u128,
}

#[derive(Clone, Copy, Default)]
struct IndexSums {
    expected: EntrySum,
    stored: EntrySum,
}

impl EntrySum {
    fn add(&mut self, key: &[u8], value: &[u8]) {
        self.entries += 1;
        let row = [&(key.len() as u64).to_le_bytes()[..], key, value].concat();
        self.sum = self.sum.wrapping_add(xxh3_128(&row));
    }
}

impl<'a> Tour<'a> {
    pub(super) fn new(patient: &'a Patient) -> Self {
        Self {
            patient,
            found: Examination::default(),
            older: vec![0; patient.salvage.lost.len()],
            sums: BTreeMap::new(),
            strangers: BTreeMap::new(),
            misplaced: 0,
            backups: BTreeMap::new(),
            highest_id: 0,
        }
    }

    /// Only looks.
    pub(super) fn check(mut self) -> Result<Examination, DoctorError> {
        self.go(None)?;
        Ok(self.conclude())
    }

    /// Writes what is certain to a copy.
    pub(super) fn copy(mut self, writer: &mut CopyWriter) -> Result<Examination, DoctorError> {
        self.go(Some(writer))?;
        self.copy_definitions(writer)?;
        Ok(self.conclude())
    }

    fn go(&mut self, mut writer: Option<&mut CopyWriter>) -> Result<(), DoctorError> {
        let patient = self.patient;
        // Definitions were read before; what is in doubt among them is counted here.
        for space in [Space::Meta, Space::Items, Space::Indexes] {
            for row in patient
                .salvage
                .rows_of(space)
                .map_err(DoctorError::failed)?
            {
                let row = row.map_err(DoctorError::failed)?;
                if row.is_in_doubt {
                    self.leave_out(space, &row.key);
                } else if space != Space::Meta {
                    self.visit(space, row.key, row.value, writer.as_deref_mut())?;
                }
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, space: Space, key: &[u8]) {
        // Entries of indexes are worked out anew, so nothing of them is lost.
        let relations = &self.patient.relations;
        if matches!(relations.find(key), Some(Relation::Entries(..))) && space == Space::Indexes {
            return;
        }
        let lost = self.patient.salvage.lost.iter();
        for (lost, older) in lost.zip(&mut self.older) {
            if lost.space == space && lost.contains(key) {
                *older += 1;
            }
        }
        if self.found.left_out.len() < MOST_LISTED {
            self.found.left_out.push(relations.describe(space, key));
        }
    }

    fn visit(
        &mut self,
        space: Space,
        key: Bytes,
        value: Bytes,
        writer: Option<&mut CopyWriter>,
    ) -> Result<(), DoctorError> {
        let number = key.first_chunk::<4>().copied().unwrap_or_default();
        self.highest_id = self.highest_id.max(u32::from_be_bytes(number));
        if self.patient.places.find_other(space, &key).is_some() {
            self.misplaced += 1;
            return Ok(());
        }
        match (self.patient.relations.find(&key), space) {
            (Some(Relation::Items(table)), Space::Items) => {
                self.found.items += 1;
                self.visit_item(table, key, value, writer)?;
            }
            (Some(Relation::Entries(table, place)), Space::Indexes) => {
                let kept = table.indexes.get(*place).filter(|index| index.is_kept());
                if let Some(index) = kept {
                    self.found.entries += 1;
                    let sums = self.sums.entry(index.id.0).or_default();
                    sums.stored.add(&key, &value);
                } else if let Some(writer) = writer {
                    // The entries of an index that is being removed go by themselves.
                    writer.put(space, key, value)?;
                }
            }
            (Some(relation), _) => {
                if let Relation::Backup(..) = relation {
                    *self.backups.entry(number).or_default() += 1;
                }
                if let Some(writer) = writer {
                    writer.put(space, key, value)?;
                }
            }
            (None, _) => *self.strangers.entry(number).or_default() += 1,
        }
        Ok(())
    }

    fn visit_item(
        &mut self,
        table: &Table,
        key: Bytes,
        value: Bytes,
        mut writer: Option<&mut CopyWriter>,
    ) -> Result<(), DoctorError> {
        let item = EncodedItem::from_stored(value.clone());
        let is_whole = item.is_well_formed()
            && keys::item_key(table, item.view()).is_some_and(|own| own.0 == key);
        if !is_whole {
            let name = self.patient.relations.describe(Space::Items, &key);
            self.contradict(format!(
                "{name}: what is stored is not an item with this key"
            ));
            return Ok(());
        }
        for index in table.indexes.iter().filter(|index| index.is_kept()) {
            if let Some((entry, projected)) = index::entry(table, index, &item) {
                let sums = self.sums.entry(index.id.0).or_default();
                sums.expected.add(&entry, &projected);
                if let Some(writer) = writer.as_deref_mut() {
                    writer.put(Space::Indexes, entry, projected)?;
                }
            }
        }
        match writer {
            Some(writer) => writer.put(Space::Items, key, value),
            None => Ok(()),
        }
    }

    fn contradict(&mut self, what: String) {
        if self.found.contradictions.len() < MOST_LISTED {
            self.found.contradictions.push(what);
        }
    }

    /// Definitions come last, because some of them say how many rows there are.
    fn copy_definitions(&mut self, writer: &mut CopyWriter) -> Result<(), DoctorError> {
        let patient = self.patient;
        let counts = CatalogRows::counts();
        let backups = self.recount_backups()?;
        let rows = KeyRange::prefix(b"");
        for row in patient.meta.range(Space::Meta, rows, Direction::Forwards) {
            let (key, value) = row.map_err(DoctorError::failed)?;
            let own = [SEQUENCE_KEY, BATCH_MARK_KEY, CatalogRows::NEXT_ID];
            // Counts are of before.
            if !own.contains(&&*key) && !counts.contains(&key) {
                let value = backups.get(&key).cloned().unwrap_or(value);
                writer.put(Space::Meta, key, value)?;
            }
        }
        let known = patient.meta.get(Space::Meta, CatalogRows::NEXT_ID);
        let known = known.map_err(DoctorError::failed)?;
        let next = CatalogRows::next_id(known.as_deref()).map_err(DoctorError::failed)?;
        let next = next.max(self.highest_id.saturating_add(1));
        let key = Bytes::from_static(CatalogRows::NEXT_ID);
        writer.put(
            Space::Meta,
            key,
            Bytes::copy_from_slice(&next.to_be_bytes()),
        )?;
        Ok(())
    }

    /// The definitions of backups that have lost items.
    fn recount_backups(&self) -> Result<BTreeMap<Bytes, Bytes>, DoctorError> {
        let mut rows = BTreeMap::new();
        for backup in self.patient.catalog.backups() {
            let (_, relation) = backup.place();
            let items = self.backups.get(&relation.to_bytes()).copied().unwrap_or(0);
            let is_counted =
                backup.state == BackupState::Available && backup.rows == BackupRows::Copied;
            if is_counted && items != backup.items {
                let mut counted = BackupDefinition::clone(backup);
                counted.items = items;
                let row = to_row(&counted).map_err(DoctorError::failed)?;
                rows.insert(CatalogRows::backup(backup.id), row);
            }
        }
        Ok(rows)
    }

    fn conclude(mut self) -> Examination {
        let patient = self.patient;
        for table in patient.catalog.tables() {
            for index in table
                .indexes
                .iter()
                .filter(|index| index.is_kept() && !index.is_changing())
            {
                let sums = self.sums.get(&index.id.0).copied().unwrap_or_default();
                if sums.expected != sums.stored {
                    let what = format!(
                        "table `{}`: index `{}` has {} entries that do not agree with the {} that the items make",
                        table.name(),
                        index.name,
                        sums.stored.entries,
                        sums.expected.entries
                    );
                    self.contradict(what);
                }
            }
        }
        for (number, rows) in std::mem::take(&mut self.strangers) {
            let number = u32::from_be_bytes(number);
            self.contradict(format!("{rows} rows of no table, with the number {number}"));
        }
        if self.misplaced > 0 {
            let rows = self.misplaced;
            self.contradict(format!(
                "{rows} rows stand in a keyspace that they do not belong to"
            ));
        }
        let describe = |lost: &LostRows, key: &[u8]| patient.relations.describe(lost.space, key);
        let lost = patient.salvage.lost.iter().zip(&self.older);
        let lost = lost.map(|(lost, older)| LostRange {
            path: lost.path.clone(),
            from: match &lost.from {
                Bound::Unbounded => format!("the beginning of {}", lost.space.name()),
                Bound::Included(key) => describe(lost, key),
                Bound::Excluded(key) => format!("behind {}", describe(lost, key)),
            },
            to: match &lost.last {
                None => format!("the end of {}", lost.space.name()),
                Some(key) => describe(lost, key),
            },
            is_recomputed: lost.space == Space::Indexes && is_index_only(patient, lost),
            older_versions: *older,
        });
        self.found.lost = lost.collect();
        self.found.damages = patient.salvage.findings.iter().map(Damage::from).collect();
        self.found.files = patient.salvage.tables;
        self.found
    }
}

/// Whether a lost range has nothing but entries of one index.
fn is_index_only(patient: &Patient, lost: &LostRows) -> bool {
    let (Bound::Included(from) | Bound::Excluded(from)) = &lost.from else {
        return false;
    };
    let last = lost.last.as_ref();
    last.is_some_and(|last| patient.relations.are_entries(from, last))
}
