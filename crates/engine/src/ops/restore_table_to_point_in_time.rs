//! RestoreTableToPointInTime.

use super::restore_table_from_backup::{add_table, check_target};
use super::restored_table::{self, NewTable};
use super::{Execute, continuous_backups, create_table};
use crate::catalog::{Catalog, Recovery, Table, TableOrigin};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    Error, RestorePoint, RestoreTableToPointInTime, RestoreTableToPointInTimeInput,
    RestoreTableToPointInTimeOutput, ValidRestoreTableToPointInTime,
};
use std::sync::Arc;

impl Execute for RestoreTableToPointInTime {
    /// The table is there at once, and can be used when the background has filled it.
    fn start(
        core: &Arc<Core>,
        input: RestoreTableToPointInTimeInput,
    ) -> Result<Step<RestoreTableToPointInTimeOutput>, Error> {
        let valid = input.validate()?;
        let uuid = create_table::uuid(core.entropy.next());
        let now = core.now_millis();
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let source = match restorable(group.catalog(), &valid, now) {
                Ok(source) => source,
                Err(error) => return Ok(Err(error)),
            };
            let new = NewTable {
                name: valid.target.as_str().to_owned(),
                uuid,
                now,
                origin: TableOrigin::Table {
                    id: source.table.id,
                    name: source.table.name().to_owned(),
                    log: source.recovery.log,
                    time: source.time,
                    end: group.take_sequence(),
                },
            };
            let before = &source.table.definition;
            match restored_table::define(group, before, &valid.overrides, new)? {
                Ok(definition) => {
                    let description = add_table(group, definition, &region)?;
                    housekeeper.wake();
                    Ok(Ok(RestoreTableToPointInTimeOutput {
                        table_description: Some(description),
                    }))
                }
                Err(error) => Ok(Err(error)),
            }
        });
        Ok(Step::Table(pending))
    }
}

/// What is restored.
struct Source {
    table: Arc<Table>,
    recovery: Recovery,
    /// Milliseconds since 1970.
    time: u64,
}

fn restorable(
    catalog: &Catalog,
    valid: &ValidRestoreTableToPointInTime,
    now: u64,
) -> Result<Source, Error> {
    let (table, recovery) = recoverable(catalog, valid.source.as_str())?;
    let (earliest, latest) = (
        recovery.earliest(now),
        continuous_backups::latest(recovery, now),
    );
    let time = match valid.point {
        RestorePoint::Latest => latest,
        RestorePoint::At(time) => time.as_millis(),
    };
    if !(earliest..=latest).contains(&time) {
        return Err(wording::restore_time_outside(time, earliest, latest));
    }
    check_target(catalog, valid.target.as_str())?;
    restored_table::check(&table.definition, &valid.overrides)?;
    Ok(Source {
        table: Arc::clone(table),
        recovery,
        time,
    })
}

/// A table with point-in-time recovery.
pub(super) fn recoverable<'a>(
    catalog: &'a Catalog,
    name: &str,
) -> Result<(&'a Arc<Table>, Recovery), Error> {
    let table = catalog.get(name).filter(|table| table.is_filled());
    let table = table.ok_or_else(|| wording::source_table_not_found(name))?;
    let recovery = table.definition.recovery;
    let recovery = recovery.ok_or_else(|| wording::recovery_is_off(name))?;
    Ok((table, recovery))
}
