//! ExportTableToPointInTime.

use super::create_backup::label;
use super::restore_table_to_point_in_time::recoverable;
use super::{Execute, ExportFilter, continuous_backups, create_table, export_description};
use crate::catalog::{
    Catalog, CatalogRows, ExportDefinition, ExportId, ExportRequest, ExportState, Ids, Recovery,
    RequestedPeriod, Table, TableDefinition, TableId, TableOrigin, to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{
    Error, ExportTableToPointInTime, ExportTableToPointInTimeInput, ExportTableToPointInTimeOutput,
    Timestamp, ValidExportTableToPointInTime,
};
use std::sync::Arc;

impl Execute for ExportTableToPointInTime {
    /// The background works the table out as it was, in a table that nobody sees, and then writes it.
    fn start(
        core: &Arc<Core>,
        input: ExportTableToPointInTimeInput,
    ) -> Result<Step<ExportTableToPointInTimeOutput>, Error> {
        let valid = input.validate()?;
        if core.published.buckets.is_none() {
            return Err(wording::no_buckets());
        }
        let now = core.now_millis();
        let random = core.entropy.next();
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let arn = valid.table.given().to_owned();
        let request = request(valid);
        let pending = core.committer.submit(move |group| {
            let answer = |export: &ExportDefinition| ExportTableToPointInTimeOutput {
                export_description: Some(export_description::describe(export, &region)),
            };
            match known(group.catalog(), &request) {
                Ok(None) => {}
                Ok(Some(export)) => return Ok(Ok(answer(&export))),
                Err(error) => return Ok(Err(error)),
            }
            let (table, recovery, time) = match exportable(group.catalog(), &request, &arn, now) {
                Ok(source) => source,
                Err(error) => return Ok(Err(error)),
            };
            let export = define(group, (&table, recovery), request, (now, time), random)?;
            housekeeper.wake();
            let answer = answer(&export);
            store(group, export)?;
            Ok(Ok(answer))
        });
        Ok(Step::Table(pending))
    }
}

fn request(valid: ValidExportTableToPointInTime) -> ExportRequest {
    ExportRequest {
        table: valid.table.as_str().to_owned(),
        time: valid.time.map(Timestamp::as_millis),
        token: valid.token,
        bucket: valid.bucket,
        owner: valid.owner,
        prefix: valid.prefix,
        encryption: valid.encryption,
        encryption_key: valid.encryption_key,
        export_type: valid.export_type,
        period: valid.period.map(|period| RequestedPeriod {
            from: period.from.as_millis(),
            to: period.to.map(Timestamp::as_millis),
            view: period.view,
        }),
        filter: valid.filter,
    }
}

/// The export that the same request asked for before.
fn known(
    catalog: &Catalog,
    request: &ExportRequest,
) -> Result<Option<Arc<ExportDefinition>>, Error> {
    let Some(token) = &request.token else {
        return Ok(None);
    };
    let mut exports = catalog.exports();
    match exports.find(|export| export.request.token.as_ref() == Some(token)) {
        None => Ok(None),
        Some(export) if export.request == *request => Ok(Some(Arc::clone(export))),
        Some(_) => Err(wording::export_token_taken()),
    }
}

/// The shortest and the longest period, in milliseconds: a quarter of an hour, and a day.
const SHORTEST: u64 = 15 * 60 * 1000;
const LONGEST: u64 = 24 * 60 * 60 * 1000;

/// The table, and the time as which it is written. What is wrong with a period comes before what is wrong with the
/// recovery of the table, as at AWS.
fn exportable(
    catalog: &Catalog,
    request: &ExportRequest,
    arn: &str,
    now: u64,
) -> Result<(Arc<Table>, Recovery, u64), Error> {
    let table = catalog.get(&request.table);
    let table = table.filter(|table| table.is_filled());
    // Other operations name the table; this one repeats the ARN.
    let table = table.ok_or_else(|| wording::source_table_not_found(arn))?;
    if let Some(period) = request.period {
        check_period(period, table.definition.created, now)?;
    }
    let (table, recovery) = recoverable(catalog, &request.table)?;
    ExportFilter::new(table, request.filter.as_ref())?;
    let latest = continuous_backups::latest(recovery, now);
    let times = recovery.earliest(now)..=latest;
    let time = match request.period {
        None => request.time.unwrap_or(latest),
        Some(period) => {
            let end = period.to.unwrap_or(latest);
            if !times.contains(&period.from) || !times.contains(&end) {
                return Err(wording::export_time_outside());
            }
            // The end is not part of the period.
            end.saturating_sub(1)
        }
    };
    if !times.contains(&time) {
        return Err(wording::export_time_outside());
    }
    Ok((Arc::clone(table), recovery, time))
}

/// Checks that a period lies in the life of a table, and is as long as periods are.
fn check_period(period: RequestedPeriod, created: u64, now: u64) -> Result<(), Error> {
    // AWS's times have seconds.
    if period.from < created / 1000 * 1000 {
        return Err(wording::period_begins_before_table(period.from));
    }
    let end = period.to.unwrap_or(now);
    if end > now {
        return Err(wording::period_ends_in_future(end));
    }
    match end.saturating_sub(period.from) {
        length if length < SHORTEST => Err(wording::period_is_short()),
        length if length > LONGEST => Err(wording::period_is_long()),
        _ => Ok(()),
    }
}

fn define(
    group: &mut Group<'_>,
    (table, recovery): (&Table, Recovery),
    request: ExportRequest,
    (now, time): (u64, u64),
    random: u128,
) -> Result<ExportDefinition, StoreFault> {
    let mut ids = Ids::load(group)?;
    let (id, scratch) = (ExportId(ids.take()), TableId(ids.take()));
    ids.store(group);
    let origin = TableOrigin::Table {
        id: table.id,
        name: table.name().to_owned(),
        log: recovery.log,
        time,
        end: group.take_sequence(),
    };
    Ok(ExportDefinition {
        id,
        label: label(now, random),
        request,
        table_uuid: table.definition.uuid.clone(),
        started: now,
        ended: None,
        time,
        state: ExportState::Copying,
        scratch: Some(TableDefinition {
            id: scratch,
            uuid: create_table::uuid(random),
            indexes: Vec::new(),
            stream: None,
            recovery: None,
            time_to_live: None,
            origin: Some(origin),
            ..table.definition.clone()
        }),
        files: Vec::new(),
        last: None,
    })
}

/// Writes the definition of an export, and puts it into the group's catalog.
fn store(group: &mut Group<'_>, export: ExportDefinition) -> Result<(), StoreFault> {
    let row = CatalogRows::export(export.id);
    group.write(Space::Meta, row, Some(to_row(&export)?));
    let catalog = group.catalog().with_export(export);
    group.set_catalog(catalog);
    Ok(())
}
