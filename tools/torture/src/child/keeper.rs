//! The thread that writes the ledger, and has it kept: backups, restores, exports and imports, all while others write.

use super::refused::{Stopped, unless_refused};
use crate::ledger::{self, BUCKET, LEDGER, LEDGER_ARN, MOMENTS, Way};
use crate::planted::Bug;
use monotable_api::{
    BackupStatus, CreateBackupInput, CreateTableInput, DeleteBackupInput, DeleteItemInput,
    DeleteTableInput, DescribeTableInput, ExportStatus, ExportTableToPointInTimeInput,
    GetItemInput, ListBackupsInput, ListTablesInput, PutItemInput, RestoreTableFromBackupInput,
    RestoreTableToPointInTimeInput, ScalarAttributeType, ScanInput, TableStatus, Timestamp,
    TransactWriteItemsInput, UpdateContinuousBackupsInput,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Backups, and copies of the ledger, that are kept at one time.
const MOST_BACKUPS: usize = 3;
const MOST_COPIES: usize = 5;
/// No write of the ledger is as near as this to a time that is restored.
const APART: Duration = Duration::from_millis(3);

/// Writes and keeps until the writers end, or the store refuses.
pub(super) fn run(engine: &Engine, directory: &Path, seed: u64, ended: &AtomicBool) {
    let keeper = Keeper::open(engine, directory, seed);
    let Ok(Some(mut keeper)) = keeper else {
        return;
    };
    while !ended.load(Ordering::Relaxed) {
        if keeper.act().is_err() {
            return;
        }
    }
}

/// A time at which the ledger had a known state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) millis: u64,
    pub(super) steps: u64,
}

/// The times that are known, the youngest last.
pub(super) fn moments(engine: &Engine) -> Result<Vec<Moment>, monotable_api::Error> {
    let page = engine.scan(ScanInput::new(MOMENTS))?;
    let moments = page.items.iter().flatten().map(EncodedItem::to_item);
    let mut moments: Vec<Moment> = moments
        .filter_map(|item| {
            Some(Moment {
                millis: integer(&item, "pk")?,
                steps: integer(&item, "step")?,
            })
        })
        .collect();
    moments.sort_by_key(|moment| moment.millis);
    Ok(moments)
}

fn integer(item: &Item, name: &str) -> Option<u64> {
    match item.get(name)? {
        AttributeValue::N(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

/// How many steps the ledger has seen.
pub(super) fn steps(engine: &Engine) -> Result<u64, monotable_api::Error> {
    let read = GetItemInput::new(LEDGER, ledger::head_key()).consistent();
    let head = engine.get_item(read)?.item;
    let head = head.as_ref().map(EncodedItem::to_item).unwrap_or_default();
    Ok(integer(&head, "step").unwrap_or(0))
}

struct Keeper<'a> {
    engine: &'a Engine,
    /// The folder of the bucket.
    bucket: PathBuf,
    dice: fastrand::Rng,
    steps: u64,
    bug: Option<Bug>,
}

impl<'a> Keeper<'a> {
    /// None if a table is not there, because the disk failed.
    fn open(engine: &'a Engine, directory: &Path, seed: u64) -> Result<Option<Self>, Stopped> {
        for table in [
            ledger::creation(),
            CreateTableInput::new(MOMENTS, "pk", ScalarAttributeType::N),
        ] {
            unless_refused(engine.create_table(table))?;
        }
        let enable = UpdateContinuousBackupsInput::enable(LEDGER);
        unless_refused(engine.update_continuous_backups(enable))?;
        let Some(steps) = unless_refused(steps(engine))? else {
            return Ok(None);
        };
        Ok(Some(Self {
            engine,
            bucket: super::buckets(directory).join(BUCKET),
            dice: fastrand::Rng::with_seed(seed),
            steps,
            bug: Bug::of_this_process(),
        }))
    }

    fn act(&mut self) -> Result<(), Stopped> {
        match self.dice.u8(0..20) {
            0 | 1 => self.back_up(),
            2 => self.note_moment(),
            3 => self.export(),
            4..7 => self.copy(),
            _ => self.step(),
        }
    }

    /// Makes a copy, or deletes one if there are many.
    fn copy(&mut self) -> Result<(), Stopped> {
        let listed = unless_refused(self.engine.list_tables(ListTablesInput::new()))?;
        let mut copies = listed.map(|listed| listed.table_names).unwrap_or_default();
        copies.retain(|name| Way::of_table(name).is_some());
        let spoils = self.bug == Some(Bug::RestoreWithoutAnItem) && self.dice.bool();
        if copies.len() >= MOST_COPIES || spoils {
            return self.delete_one(copies);
        }
        match self.dice.u8(0..3) {
            0 => self.restore_backup(),
            1 => self.restore_moment(),
            _ => self.import(),
        }
    }

    fn step(&mut self) -> Result<(), Stopped> {
        let writes = TransactWriteItemsInput::new(ledger::writes(self.steps + 1));
        if unless_refused(self.engine.transact_write_items(writes))?.is_some() {
            self.steps += 1;
        }
        thread::sleep(Duration::from_millis(self.dice.u64(0..4)));
        Ok(())
    }

    fn back_up(&mut self) -> Result<(), Stopped> {
        let backups = self.backups()?;
        if let Some(oldest) = backups.first().filter(|_| backups.len() >= MOST_BACKUPS) {
            let delete = DeleteBackupInput::new(&oldest.arn);
            return unless_refused(self.engine.delete_backup(delete)).map(drop);
        }
        let name = ledger::label(self.steps);
        if self.bug == Some(Bug::BackupOfAnotherState) {
            self.step()?;
        }
        let create = CreateBackupInput::new(LEDGER, name);
        unless_refused(self.engine.create_backup(create)).map(drop)
    }

    fn backups(&self) -> Result<Vec<KeptBackup>, Stopped> {
        let listed = unless_refused(backups(self.engine))?;
        Ok(listed.unwrap_or_default())
    }

    fn restore_backup(&mut self) -> Result<(), Stopped> {
        let mut backups = self.backups()?;
        backups.retain(|backup| backup.is_available);
        let Some(backup) = self.dice.choice(backups) else {
            return Ok(());
        };
        let target = Way::Backup.table_name(backup.steps);
        let restore = RestoreTableFromBackupInput::new(target, backup.arn);
        unless_refused(self.engine.restore_table_from_backup(restore)).map(drop)
    }

    fn note_moment(&mut self) -> Result<(), Stopped> {
        thread::sleep(APART);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let millis = now.unwrap_or_default().as_millis() as u64;
        thread::sleep(APART);
        let moment = Item::new().with("pk", millis).with("step", self.steps);
        unless_refused(self.engine.put_item(PutItemInput::new(MOMENTS, moment))).map(drop)
    }

    /// One of the last times, which may be another writer's.
    fn choose_moment(&mut self) -> Result<Option<Moment>, Stopped> {
        let moments = unless_refused(moments(self.engine))?.unwrap_or_default();
        Ok(self.dice.choice(moments.into_iter().rev().take(6)))
    }

    fn restore_moment(&mut self) -> Result<(), Stopped> {
        let Some(moment) = self.choose_moment()? else {
            return Ok(());
        };
        let target = Way::PointInTime.table_name(moment.steps);
        let millis = match self.bug {
            Some(Bug::RestoreToAnotherTime) => moment.millis + 50,
            _ => moment.millis,
        };
        let time = Timestamp::from_millis(millis);
        let restore = RestoreTableToPointInTimeInput::at(LEDGER, target, time);
        unless_refused(self.engine.restore_table_to_point_in_time(restore)).map(drop)
    }

    fn export(&mut self) -> Result<(), Stopped> {
        let Some(moment) = self.choose_moment()? else {
            return Ok(());
        };
        let export = ExportTableToPointInTimeInput {
            export_time: Some(Timestamp::from_millis(moment.millis)),
            s3_prefix: Some(ledger::label(moment.steps)),
            ..ExportTableToPointInTimeInput::new(LEDGER_ARN, BUCKET)
        };
        unless_refused(self.engine.export_table_to_point_in_time(export)).map(drop)
    }

    fn import(&mut self) -> Result<(), Stopped> {
        let exports = unless_refused(exports(self.engine))?.unwrap_or_default();
        let Some(export) = self.dice.choice(exports.into_iter().rev().take(3)) else {
            return Ok(());
        };
        if self.bug == Some(Bug::ExportWithoutItsFiles) {
            let data = export.manifest.replace("manifest-summary.json", "data");
            let _ = std::fs::remove_dir_all(self.bucket.join(data));
            return Ok(());
        }
        let target = Way::Import.table_name(export.steps);
        let import = ledger::import(&export.manifest, &target);
        unless_refused(self.engine.import_table(import)).map(drop)
    }

    fn delete_one(&mut self, copies: Vec<String>) -> Result<(), Stopped> {
        let Some(copy) = self.dice.choice(copies) else {
            return Ok(());
        };
        if self.bug == Some(Bug::RestoreWithoutAnItem) && is_active(self.engine, &copy)? {
            let delete = DeleteItemInput::new(copy, ledger::head_key());
            return unless_refused(self.engine.delete_item(delete)).map(drop);
        }
        let delete = DeleteTableInput::new(copy);
        unless_refused(self.engine.delete_table(delete)).map(drop)
    }
}

fn is_active(engine: &Engine, table: &str) -> Result<bool, Stopped> {
    let described = unless_refused(engine.describe_table(DescribeTableInput::new(table)))?;
    let status = described.and_then(|described| described.table?.table_status);
    Ok(status == Some(TableStatus::Active))
}

/// A backup of the ledger.
#[derive(Clone, Debug)]
pub(super) struct KeptBackup {
    pub(super) arn: String,
    pub(super) steps: u64,
    pub(super) is_available: bool,
}

/// The backups of the ledger, the oldest first.
pub(super) fn backups(engine: &Engine) -> Result<Vec<KeptBackup>, monotable_api::Error> {
    let listed = engine.list_backups(ListBackupsInput::of_table(LEDGER))?;
    let backups = listed.backup_summaries.into_iter();
    Ok(backups
        .filter_map(|backup| {
            Some(KeptBackup {
                arn: backup.backup_arn?,
                steps: ledger::of_label(&backup.backup_name?)?,
                is_available: backup.backup_status == Some(BackupStatus::Available),
            })
        })
        .collect())
}

/// An export of the ledger that is complete.
#[derive(Clone, Debug)]
pub(super) struct KeptExport {
    /// The key of its manifest.
    pub(super) manifest: String,
    pub(super) steps: u64,
}

/// The exports that are complete, the oldest first.
pub(super) fn exports(engine: &Engine) -> Result<Vec<KeptExport>, monotable_api::Error> {
    let mut exports = Vec::new();
    let mut start = None;
    loop {
        let page = engine.list_exports(monotable_api::ListExportsInput {
            next_token: start,
            ..monotable_api::ListExportsInput::default()
        })?;
        for export in page.export_summaries {
            if export.export_status != Some(ExportStatus::Completed) {
                continue;
            }
            let arn = export.export_arn.unwrap_or_default();
            let described = engine.describe_export(monotable_api::DescribeExportInput::new(arn))?;
            let manifest = described
                .export_description
                .and_then(|export| export.export_manifest);
            exports.extend(manifest.and_then(|manifest| {
                let steps = ledger::of_label(&manifest)?;
                Some(KeptExport { manifest, steps })
            }));
        }
        match page.next_token {
            Some(next) => start = Some(next),
            None => break,
        }
    }
    exports.sort_by(|a, b| a.manifest.cmp(&b.manifest));
    Ok(exports)
}
