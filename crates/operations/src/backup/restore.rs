//! The items of a backup, written into the tables of a model.
//!
//! Items are written as they are, so writing one twice does no harm: a restore that was killed is run again. The file
//! FOLDER.progress beside the backup lists the data files that are written, so that they are not written again.

use super::ItemWatch;
use super::folder::write_file;
use super::read::{BackedUpTable, BackupFolder};
use super::table_items::{ItemSum, read_page, scan_table};
use crate::error::Error;
use crate::identity::StoreIdentity;
use monotable_api::Dynamo;
use monotable_model::model::TableId;
use monotable_store::Store;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// So many items are given to the store at once.
const BATCH: usize = 200;

/// What a restore did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// Items that were written, without the store's own.
    pub items: u64,
    /// Data files that an earlier run has written.
    pub files_before: u64,
}

/// A table that does not have what the backup has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemDifference {
    /// The table.
    pub table: String,
    /// What the backup has of it.
    pub wanted: ItemSum,
    /// What is in it.
    pub found: ItemSum,
}

/// Restores a backup into a store.
pub struct Restorer<'r> {
    store: &'r Store,
    dynamo: &'r dyn Dynamo,
    folder: BackupFolder,
    /// Which table of the model each export is for.
    tables: Vec<TableId>,
}

/// Which data files of a backup are written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RestoreProgress {
    /// Where to.
    target: StoreIdentity,
    /// Export and key of each file.
    files: BTreeSet<(String, String)>,
}

impl<'r> Restorer<'r> {
    /// Restores a backup whose tables must be the model's. Of a model with one table, the backup of one table may have another
    /// name: a copy of production in a test environment, say.
    pub fn new(
        store: &'r Store,
        dynamo: &'r dyn Dynamo,
        folder: BackupFolder,
    ) -> Result<Self, Error> {
        let model = store.model();
        let stored = model.stored_tables();
        let find = |backed_up: &BackedUpTable| {
            let mut known = stored.iter().copied();
            let found = known.find(|id| model.table(*id).physical == backed_up.table);
            match (found, stored.as_slice(), folder.tables.as_slice()) {
                (Some(id), _, _) => Ok(id),
                (None, [id], [_]) => Ok(*id),
                _ => Err(Error::refused(
                    format!(
                        "the model has no table `{}`, of which there is a backup",
                        backed_up.table
                    ),
                    "name the model that the backup is of, with --environment if its tables have other names there",
                )),
            }
        };
        let tables: Result<Vec<_>, Error> = folder.tables.iter().map(find).collect();
        let tables = tables?;
        for (backed_up, id) in folder.tables.iter().zip(&tables) {
            refuse_other_model(store, backed_up, *id)?;
        }
        Ok(Self {
            store,
            dynamo,
            folder,
            tables,
        })
    }

    /// Whether an earlier run has written data files of this backup to the target.
    #[must_use]
    pub fn is_begun(&self, path: &Path, target: &StoreIdentity) -> bool {
        !read_progress(&progress_path(path), target).files.is_empty()
    }

    /// Writes what is not written yet. The backup must have been checked.
    pub async fn restore(
        &self,
        path: &Path,
        target: &StoreIdentity,
        watch: ItemWatch<'_>,
    ) -> Result<RestoreReport, Error> {
        let progress = progress_path(path);
        let mut written = read_progress(&progress, target);
        let mut report = RestoreReport::default();
        for (table, id) in self.folder.tables.iter().zip(&self.tables) {
            for file in table.files() {
                let name = (table.name().to_owned(), file.key.clone());
                if written.files.contains(&name) {
                    report.files_before += 1;
                    continue;
                }
                let mut items = table.read_file(file)?;
                while !items.is_empty() {
                    let rest = items.split_off(items.len().min(BATCH));
                    report.items += self.store.restore_items(*id, items).await?.items;
                    items = rest;
                    watch(report.items);
                }
                written.files.insert(name);
                let text = serde_json::to_vec(&written).unwrap_or_default();
                write_file(&progress, &text)?;
            }
        }
        match fs::remove_file(&progress) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::file(&progress, error))
            }
            _ => Ok(report),
        }
    }

    /// Compares the tables with the backup, item by item: those that differ.
    pub async fn verify(&self, watch: ItemWatch<'_>) -> Result<Vec<ItemDifference>, Error> {
        let mut differences = Vec::new();
        for (table, id) in self.folder.tables.iter().zip(&self.tables) {
            let mut wanted = ItemSum::default();
            for file in table.files() {
                for item in table.read_file(file)? {
                    if !self.store.is_own_item(*id, &item) {
                        wanted.add(&item);
                    }
                }
            }
            let found = sum_table(self.store, self.dynamo, *id, watch).await?;
            if wanted != found {
                differences.push(ItemDifference {
                    table: self.store.model().table(*id).physical.clone(),
                    wanted,
                    found,
                });
            }
        }
        Ok(differences)
    }
}

/// A table with another name must at least have rows of the model in it: the backup may be of another one.
fn refuse_other_model(store: &Store, backed_up: &BackedUpTable, id: TableId) -> Result<(), Error> {
    let table = &store.model().table(id).physical;
    if *table == backed_up.table {
        return Ok(());
    }
    let mut items = 0;
    for file in backed_up.files() {
        for item in backed_up.read_file(file)? {
            if store.read_image(Some(table), &item).is_some() {
                return Ok(());
            }
            items += u64::from(!store.is_own_item(id, &item));
        }
    }
    if items == 0 {
        return Ok(());
    }
    Err(Error::refused(
        format!(
            "the backup is of the table `{}`, and none of its {items} items is a row of the model `{}`",
            backed_up.table,
            store.model().name
        ),
        "name the model that the backup is of; nothing was written",
    ))
}

/// What is in a table, without the store's own item.
pub(crate) async fn sum_table(
    store: &Store,
    dynamo: &dyn Dynamo,
    table: TableId,
    watch: ItemWatch<'_>,
) -> Result<ItemSum, Error> {
    let mut sum = ItemSum::default();
    let mut input = scan_table(&store.model().table(table).physical);
    loop {
        let (items, is_last) = read_page(dynamo, &mut input).await?;
        for item in items {
            let item = item.to_item();
            if !store.is_own_item(table, &item) {
                sum.add(&item);
            }
        }
        watch(sum.items);
        if is_last {
            return Ok(sum);
        }
    }
}

fn progress_path(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".progress");
    name.into()
}

/// What an earlier run has written to this target. What cannot be read is written again, which does no harm.
fn read_progress(path: &Path, target: &StoreIdentity) -> RestoreProgress {
    let read = fs::read(path).ok();
    let written: Option<RestoreProgress> = read.and_then(|text| serde_json::from_slice(&text).ok());
    let written = written.filter(|written| written.target == *target);
    written.unwrap_or_else(|| RestoreProgress {
        target: target.clone(),
        files: BTreeSet::new(),
    })
}
