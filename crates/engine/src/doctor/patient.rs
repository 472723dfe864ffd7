//! A store that was read, with the tables that it has.

use super::relations::Relations;
use super::{Damage, DoctorError};
use crate::catalog::{Catalog, CatalogRows};
use crate::placement::RowPlaces;
use crate::store::{Batch, Loss, MemoryStore, Salvage, Snapshot, Space, Store};
use std::collections::BTreeSet;
use std::path::Path;

pub(super) struct Patient {
    pub(super) salvage: Salvage,
    /// The rows of definitions that are certain.
    pub(super) meta: Snapshot,
    pub(super) catalog: Catalog,
    pub(super) relations: Relations,
    pub(super) places: RowPlaces,
}

impl Patient {
    pub(super) fn read(store: &Path, watch: &mut dyn FnMut(&Path)) -> Result<Self, DoctorError> {
        let mut salvage = Salvage::read(store, watch)?;
        let memory = MemoryStore::default();
        let mut batch = Batch::default();
        for row in salvage.rows_of(Space::Meta).map_err(DoctorError::failed)? {
            let row = row.map_err(DoctorError::failed)?;
            if !row.is_in_doubt {
                batch.push(Space::Meta, row.key, Some(row.value));
            }
        }
        memory.commit(batch);
        let meta = Store::Memory(memory).snapshot();
        let catalog = CatalogRows::load(&meta).map_err(DoctorError::failed)?;
        let drops = CatalogRows::drops(&meta).map_err(DoctorError::failed)?;
        let places = RowPlaces::new(&catalog);
        report_exchanged_folders(&mut salvage, store, &places);
        Ok(Self {
            relations: Relations::new(&catalog, &drops),
            places,
            salvage,
            meta,
            catalog,
        })
    }

    /// What is damaged so that lost rows cannot be named.
    pub(super) fn unknown_losses(&self) -> Vec<Damage> {
        let findings = self.salvage.findings.iter();
        let unknown = findings.filter(|finding| finding.loss == Loss::Unknown);
        unknown.map(Damage::from).collect()
    }

    /// The last group of commits.
    pub(super) const fn group(&self) -> u64 {
        self.salvage.group
    }
}

/// Single files that were exchanged are known by their checksums. Where sound files have rows of another space, the folders were
/// exchanged with everything that is in them.
fn report_exchanged_folders(salvage: &mut Salvage, store: &Path, places: &RowPlaces) {
    let misplaced = salvage.ranges.iter().filter_map(|table| {
        let belongs = places.find_other_of(table)?;
        Some((table.space, belongs))
    });
    let folder = |space: Space| store.join(format!("data/keyspaces/{}", space.keyspace()));
    for (space, belongs) in misplaced.collect::<BTreeSet<_>>() {
        let what = format!(
            "it has the rows of `{}`, which belong in {}: folders were exchanged; put each back in its place",
            belongs.name(),
            folder(belongs).display()
        );
        salvage.report(folder(space), what, Loss::Unknown);
    }
}
