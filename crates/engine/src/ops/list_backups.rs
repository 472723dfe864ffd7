//! ListBackups.

use super::{Execute, backup_description};
use crate::catalog::BackupDefinition;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{
    BackupSummary, Error, ListBackups, ListBackupsInput, ListBackupsOutput, ValidListBackups,
};
use std::sync::Arc;

impl Execute for ListBackups {
    /// In the order of their times, which their labels begin with.
    fn start(core: &Arc<Core>, input: ListBackupsInput) -> Result<Step<ListBackupsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let wanted = catalog.backups().filter(|backup| is_wanted(backup, &valid));
        let mut wanted: Vec<&Arc<BackupDefinition>> = wanted.collect();
        wanted.sort_by(|one, other| place(one).cmp(&place(other)));
        let start = valid.start.as_ref();
        let is_behind = |backup: &&Arc<BackupDefinition>| {
            start.is_none_or(|start| place(backup) > (start.id(), start.table()))
        };
        let mut behind = wanted.into_iter().filter(is_behind);
        let summaries: Vec<BackupSummary> = behind
            .by_ref()
            .take(valid.limit)
            .map(|backup| backup_description::summarize(backup, &core.region))
            .collect();
        let last = summaries.last();
        let last = last.and_then(|summary| summary.backup_arn.clone());
        Ok(Step::Done(ListBackupsOutput {
            last_evaluated_backup_arn: last.filter(|_| behind.next().is_some()),
            backup_summaries: summaries,
        }))
    }
}

/// Where a backup stands among all. Those that the service made in the same millisecond differ by their tables.
fn place(backup: &BackupDefinition) -> (&str, &str) {
    (&backup.label, &backup.table.name)
}

fn is_wanted(backup: &BackupDefinition, valid: &ValidListBackups) -> bool {
    let table = valid.table.as_ref();
    table.is_none_or(|table| table.as_str() == backup.table.name)
        && valid.wants(backup.kind)
        && valid
            .from
            .is_none_or(|from| from.as_millis() <= backup.created)
        && valid
            .before
            .is_none_or(|before| backup.created < before.as_millis())
}
