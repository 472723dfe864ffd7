//! A store that was read, with the tables that it has.

use super::relations::Relations;
use super::{Damage, DoctorError};
use crate::catalog::{Catalog, CatalogRows};
use crate::store::{Batch, Loss, MemoryStore, Salvage, Snapshot, Space, Store};
use std::path::Path;

pub(super) struct Patient {
    pub(super) salvage: Salvage,
    /// The rows of definitions that are certain.
    pub(super) meta: Snapshot,
    pub(super) catalog: Catalog,
    pub(super) relations: Relations,
}

impl Patient {
    pub(super) fn read(store: &Path, watch: &mut dyn FnMut(&Path)) -> Result<Self, DoctorError> {
        let salvage = Salvage::read(store, watch)?;
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
        Ok(Self {
            relations: Relations::new(&catalog, &drops),
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
