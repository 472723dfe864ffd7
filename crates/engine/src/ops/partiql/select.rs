//! SELECT.

mod projection;
mod reading;

use super::next_token::{Place, statement_hash};
use super::order::ReadOrder;
use super::read_range::{self, ReadRange};
use super::refuse;
use crate::catalog::{IndexKind, Table};
use crate::engine::Core;
use crate::keys::segment_range;
use crate::ops::paged::Relation;
use crate::ops::query;
use crate::page::{PagePlan, beyond};
use crate::schema;
use crate::step::Step;
use crate::wording;
use monotable_api::{Error, ExecuteStatementOutput, ValidExecuteStatement};
use monotable_expr::Condition;
use monotable_expr::partiql::{ReadPlan, Reads, SelectStatement, Target};
use monotable_expr::tree::Predicate;
use monotable_item::limits::{MAX_STATEMENT_READS, PAGE_BYTES};
use reading::{Continuation, Reading};
use std::sync::Arc;

/// What a page of a SELECT may still read at once on the calling thread, in bytes.
const INLINE_BYTES: usize = 64 * 1024;

/// Reads a page of what a SELECT asks for.
pub(in crate::ops) fn start(
    core: &Core,
    table: &Arc<Table>,
    select: &SelectStatement,
    valid: &ValidExecuteStatement,
) -> Result<Step<ExecuteStatementOutput>, Error> {
    let relation = find(table, select.target(), valid.consistent)?;
    let columns = select.columns().map_err(refuse)?;
    let condition = select
        .condition(&valid.prepared.parameters)
        .map_err(refuse)?;
    let order = select.order().map_err(refuse)?;
    let order = ReadOrder::new(relation, &order, condition.as_ref()).map_err(refuse)?;
    check_paths(table, columns.as_ref(), condition.as_ref())?;
    projection::check_columns(relation, columns.as_ref())?;
    let mut reads = reads(relation, condition)?;
    projection::check_filters(relation, &mut reads)?;
    order.sort(&mut reads).map_err(refuse)?;

    let statement = statement_hash(&valid.text, &valid.prepared.parameters);
    let place = match &valid.next_token {
        Some(token) => Place::from_token(token, statement)?,
        None => Place {
            read: 0,
            after: None,
        },
    };
    let has_partitions = reads.iter().all(|read| read.partition.is_some());
    let (shape, fetch) = projection::shape(relation, columns);
    let mut plans: Vec<PagePlan> = Vec::with_capacity(reads.len());
    for read in reads {
        plans.push(PagePlan {
            table: Arc::clone(table),
            index: relation.index.map(|(place, _)| place),
            range: read.rows,
            direction: order.rows,
            limit: None,
            filter: read.filter.map(Condition::from),
            shape: shape.clone(),
            fetch,
            room: PAGE_BYTES,
        });
    }
    go_on(relation, &mut plans, &place)?;
    let continuation = Continuation {
        statement,
        finds_one_item: has_partitions && query::finds_one_item(relation),
        table: valid.prepared.table.clone(),
        consistent: valid.consistent,
        capacity: valid.capacity,
    };
    let limit = valid.limit.map(Into::into);
    let snapshot = core.published.snapshot();
    let mut reading = Reading::new(plans, place.read, limit, snapshot, continuation);
    let failed = |fault| wording::internal(&fault);
    if reading.advance(INLINE_BYTES).map_err(failed)? {
        return Ok(Step::Done(reading.finish()));
    }
    Ok(Step::Read(Box::new(move || {
        reading.advance(usize::MAX).map_err(failed)?;
        Ok(reading.finish())
    })))
}

/// Finds what a SELECT reads. AWS's words differ from those of Query.
fn find<'t>(table: &'t Table, target: &Target, consistent: bool) -> Result<Relation<'t>, Error> {
    let Some(name) = &target.index else {
        return Ok(Relation { table, index: None });
    };
    let mut indexes = table.indexes.iter().enumerate();
    let found = indexes.find(|(_, index)| index.name == *name);
    let Some((place, index)) = found else {
        return Err(wording::statement_without_index());
    };
    if index.vector.is_some() {
        return Err(wording::vector_index_is_searched(name));
    }
    if index.key.hash.len() > 1 || index.key.range.len() > 1 {
        return Err(wording::statement_on_several_key_attributes());
    }
    if consistent && index.kind == IndexKind::Global {
        return Err(wording::strongly_consistent_statement_on_global_index());
    }
    Ok(Relation {
        table,
        index: Some((place, index)),
    })
}

fn check_paths(
    table: &Table,
    columns: Option<&monotable_expr::partiql::Columns>,
    condition: Option<&Predicate>,
) -> Result<(), Error> {
    schema::check_paths(table, columns.iter().flat_map(|columns| columns.paths()))?;
    let mut paths = Vec::new();
    if let Some(condition) = condition {
        condition.for_each_path(&mut |path| paths.push(path));
    }
    schema::check_paths(table, paths)
}

/// The reads that a condition asks for.
fn reads(relation: Relation<'_>, condition: Option<Predicate>) -> Result<Vec<ReadRange>, Error> {
    let all = |filter| {
        vec![ReadRange {
            partition: None,
            rows: segment_range(relation.id(), 0, 1),
            filter,
        }]
    };
    let Some(condition) = condition else {
        return Ok(all(None));
    };
    let key = relation.key();
    let partition_key = key.hash.first().map_or("", |key| key.name.as_str());
    let sort_key = key.range.first().map(|key| key.name.as_str());
    let plan = ReadPlan::new(condition, partition_key, sort_key);
    read_range::check_key_values(relation, plan.key_values()).map_err(refuse)?;
    match plan.reads(MAX_STATEMENT_READS).map_err(refuse)? {
        Reads::All(filter) => Ok(all(Some(filter))),
        Reads::Partitions(partitions) => {
            let reads = partitions
                .into_iter()
                .map(|read| read_range::resolve(relation, read))
                .collect::<Result<Vec<_>, _>>()?;
            read_range::check_apart(&reads).map_err(refuse)?;
            Ok(reads)
        }
    }
}

/// Leaves out what the pages before have read.
fn go_on(relation: Relation<'_>, plans: &mut Vec<PagePlan>, place: &Place) -> Result<(), Error> {
    if place.read >= plans.len() {
        return Err(wording::next_token_invalid());
    }
    plans.drain(..place.read);
    let (Some(after), Some(plan)) = (&place.after, plans.first_mut()) else {
        return Ok(());
    };
    let key = relation
        .row_key(after.view())
        .filter(|key| plan.range.contains(key))
        .ok_or_else(wording::next_token_invalid)?;
    plan.range = beyond(plan.range.clone(), &key, plan.direction);
    Ok(())
}
