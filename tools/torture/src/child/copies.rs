//! Whether every copy of the ledger is what its name says: restored backups, tables as they were at a time, imports.

use super::indexes::scan;
use super::keeper::{self, backups, exports, moments};
use crate::ledger::{self, LEDGER, Way};
use crate::record::Kept;
use monotable_api::{
    DeleteTableInput, DescribeTableInput, Error, ExportStatus, ImportStatus, ListExportsInput,
    ListImportsInput, ListTablesInput, RestoreTableFromBackupInput, RestoreTableToPointInTimeInput,
    ScanInput, TableStatus, Timestamp,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// How often is asked whether a copy is whole, with a step of the background each time.
const MOST_ASKED: usize = 6_000;
const PAUSE: Duration = Duration::from_millis(5);
/// Exports and times, of the youngest, that are tried by each checker.
const TRIED: usize = 2;

/// What is wrong with copies, and what was looked at. Waits until all that a crash interrupted has come to its end.
pub(super) fn compare(engine: &Engine) -> Result<(Vec<String>, Kept), Error> {
    let mut check = Check {
        engine,
        problems: Vec::new(),
        kept: Kept::default(),
    };
    match keeper::steps(engine) {
        Ok(steps) => check.compare_table(LEDGER, steps)?,
        Err(Error::ResourceNotFoundException { .. }) => return Ok((Vec::new(), check.kept)),
        Err(error) => return Err(error),
    }
    check.await_end()?;
    check.compare_tables()?;
    check.try_backups()?;
    check.try_moments()?;
    check.try_exports()?;
    Ok((check.problems, check.kept))
}

/// Copies, exports and imports that are not whole. The background goes on with them as soon as the store is open.
pub(super) fn count_unfinished(engine: &Engine) -> Result<u64, Error> {
    let check = Check {
        engine,
        problems: Vec::new(),
        kept: Kept::default(),
    };
    check.unfinished()
}

struct Check<'a> {
    engine: &'a Engine,
    problems: Vec<String>,
    kept: Kept,
}

impl Check<'_> {
    fn copies(&self) -> Result<Vec<String>, Error> {
        let tables = self.engine.list_tables(ListTablesInput::new())?.table_names;
        let copies = tables.into_iter();
        Ok(copies
            .filter(|name| Way::of_table(name).is_some())
            .collect())
    }

    /// Copies, exports and imports that are not whole.
    fn unfinished(&self) -> Result<u64, Error> {
        let mut unfinished = 0;
        for name in self.copies()? {
            let described = self.engine.describe_table(DescribeTableInput::new(&name))?;
            let status = described.table.and_then(|table| table.table_status);
            unfinished += u64::from(status != Some(TableStatus::Active));
        }
        let backups = backups(self.engine)?;
        unfinished += backups.iter().filter(|backup| !backup.is_available).count() as u64;
        let exports = self.engine.list_exports(ListExportsInput::default())?;
        let exports = exports.export_summaries.iter();
        unfinished += exports
            .filter(|export| export.export_status == Some(ExportStatus::InProgress))
            .count() as u64;
        let imports = self.engine.list_imports(ListImportsInput::default())?;
        let imports = imports.import_summary_list.iter();
        unfinished += imports
            .filter(|import| import.import_status == Some(ImportStatus::InProgress))
            .count() as u64;
        Ok(unfinished)
    }

    fn await_end(&self) -> Result<(), Error> {
        for _ in 0..MOST_ASKED {
            if self.unfinished()? == 0 {
                return Ok(());
            }
            self.engine.background_step()?;
            thread::sleep(PAUSE);
        }
        Err(Error::internal(
            "a backup, a restore, an export or an import does not come to its end",
        ))
    }

    fn compare_table(&mut self, name: &str, steps: u64) -> Result<(), Error> {
        let mut found = BTreeMap::new();
        for item in scan(self.engine, ScanInput::new(name).consistent())? {
            found.insert(key(&item), item);
        }
        let expected = ledger::state(steps);
        if found == expected {
            return Ok(());
        }
        let missing = expected.keys().filter(|key| !found.contains_key(key));
        let extra = found.keys().filter(|key| !expected.contains_key(key));
        let (missing, extra) = (missing.count(), extra.count());
        self.problems.push(format!(
            "{name} is not the ledger after {steps} steps: {} items instead of {}, {missing} missing, {extra} too many",
            found.len(),
            expected.len()
        ));
        Ok(())
    }

    /// The copies that were made before.
    fn compare_tables(&mut self) -> Result<(), Error> {
        for name in self.copies()? {
            if let Some((way, steps)) = Way::of_table(&name) {
                self.compare_table(&name, steps)?;
                self.count(way);
            }
        }
        let imports = self.engine.list_imports(ListImportsInput::default())?;
        for import in imports.import_summary_list {
            if import.import_status == Some(ImportStatus::Failed) {
                self.problems
                    .push(format!("an import has failed: {:?}", import.import_arn));
            }
        }
        Ok(())
    }

    const fn count(&mut self, way: Way) {
        match way {
            Way::Backup => self.kept.backups += 1,
            Way::PointInTime => self.kept.times += 1,
            Way::Import => self.kept.imports += 1,
        }
    }

    /// Waits for a new copy, looks at it, and removes it.
    fn judge(&mut self, name: &str, way: Way, steps: u64) -> Result<(), Error> {
        self.await_end()?;
        match self.compare_table(name, steps) {
            Err(Error::ResourceNotFoundException { .. }) => {
                let gone = format!("{name} was never made of what was kept");
                self.problems.push(gone);
                return Ok(());
            }
            compared => compared?,
        }
        self.count(way);
        self.engine
            .delete_table(DeleteTableInput::new(name))
            .map(drop)
    }

    fn try_backups(&mut self) -> Result<(), Error> {
        for backup in backups(self.engine)? {
            let name = Way::Backup.table_name(backup.steps);
            let restore = RestoreTableFromBackupInput::new(&name, backup.arn);
            self.engine.restore_table_from_backup(restore)?;
            self.judge(&name, Way::Backup, backup.steps)?;
        }
        Ok(())
    }

    fn try_moments(&mut self) -> Result<(), Error> {
        let moments = match moments(self.engine) {
            Err(Error::ResourceNotFoundException { .. }) => return Ok(()),
            moments => moments?,
        };
        for moment in moments.into_iter().rev().take(TRIED) {
            let name = Way::PointInTime.table_name(moment.steps);
            let time = Timestamp::from_millis(moment.millis);
            let restore = RestoreTableToPointInTimeInput::at(LEDGER, &name, time);
            match self.engine.restore_table_to_point_in_time(restore) {
                // A time from before the recovery was enabled.
                Err(Error::InvalidRestoreTimeException { .. }) => continue,
                restored => restored?,
            };
            self.judge(&name, Way::PointInTime, moment.steps)?;
        }
        Ok(())
    }

    fn try_exports(&mut self) -> Result<(), Error> {
        for export in exports(self.engine)?.into_iter().rev().take(TRIED) {
            let name = Way::Import.table_name(export.steps);
            let import = ledger::import(&export.manifest, &name);
            self.engine.import_table(import)?;
            self.judge(&name, Way::Import, export.steps)?;
            self.kept.exports += 1;
        }
        Ok(())
    }
}

fn key(item: &Item) -> u64 {
    match item.get("pk") {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap_or(u64::MAX),
        _ => u64::MAX,
    }
}
