//! Scan.

use super::Execute;
use super::paged::{self, Relation};
use crate::catalog::Catalog;
use crate::engine::Core;
use crate::keys::segment_range;
use crate::page::{Page, PagePlan, PageReader, Shape, beyond};
use crate::step::Step;
use crate::store::{Direction, KeyRange, Snapshot};
use crate::{schema, wording};
use monotable_api::{Error, Scan, ScanInput, ScanOutput, ScanSegment};
use monotable_item::EncodedItem;
use monotable_item::limits::PAGE_BYTES;
use std::sync::Arc;

impl Execute for Scan {
    fn start(core: &Arc<Core>, input: ScanInput) -> Result<Step<ScanOutput>, Error> {
        let (plan, request) = plan(&core.published.catalog.load(), input)?;
        paged::read(core, plan, move |plan, page| answer(plan, page, &request))
    }
}

/// Reads a page of a state that does not change.
pub(crate) fn scan_snapshot(
    catalog: &Catalog,
    snapshot: Snapshot,
    input: ScanInput,
) -> Result<ScanOutput, Error> {
    let (plan, request) = plan(catalog, input)?;
    let mut reader = PageReader::new(plan, snapshot);
    let read = reader.advance(usize::MAX);
    read.map_err(|fault| wording::internal(&fault))?;
    let (plan, page) = reader.finish();
    Ok(answer(&plan, page, &request))
}

fn plan(catalog: &Catalog, input: ScanInput) -> Result<(PagePlan, paged::Request), Error> {
    let valid = input.validate()?;
    let table = catalog.table(valid.table.as_str())?;
    let relation = Relation::find(table, valid.index.as_ref(), valid.consistent)?;
    if let Some(start) = &valid.start {
        check_start(relation, start)?;
    }
    let (shape, fetch) = relation.shape(valid.selection, valid.filter.as_ref())?;
    let plan = PagePlan {
        table: Arc::clone(table),
        index: relation.index.map(|(place, _)| place),
        range: range(relation, valid.segment, valid.start.as_ref())?,
        direction: Direction::Forwards,
        limit: valid.limit.map(Into::into),
        filter: valid.filter,
        shape,
        fetch,
        room: PAGE_BYTES,
    };
    let request = paged::Request {
        table: valid.table,
        consistent: valid.consistent,
        capacity: valid.capacity,
    };
    Ok((plan, request))
}

fn answer(plan: &PagePlan, page: Page, request: &paged::Request) -> ScanOutput {
    ScanOutput {
        consumed_capacity: paged::capacity(plan, &page, request),
        items: (!matches!(plan.shape, Shape::Nothing)).then_some(page.items),
        count: page.count,
        scanned_count: page.scanned,
        last_evaluated_key: page.last_key,
    }
}

fn check_start(relation: Relation<'_>, start: &EncodedItem) -> Result<(), Error> {
    let start = start.view();
    if start.len() != relation.start_key().len() {
        return Err(match relation.index {
            Some(_) => wording::start_key_invalid(),
            None => wording::start_key_invalid_because(&wording::key_mismatch()),
        });
    }
    if relation.index.is_some() {
        if relation
            .key()
            .attributes()
            .any(|key| start.get(&key.name).is_none())
        {
            return Err(wording::start_key_invalid());
        }
        schema::check_key_values(relation.key().attributes(), start)?;
    }
    schema::check_key_values(relation.table.key.attributes(), start)
        .map_err(|error| wording::start_key_invalid_because(&error))
}

fn range(
    relation: Relation<'_>,
    segment: Option<ScanSegment>,
    start: Option<&EncodedItem>,
) -> Result<KeyRange, Error> {
    let ScanSegment { index, total } = segment.unwrap_or(ScanSegment { index: 0, total: 1 });
    let range = segment_range(relation.id(), index, total);
    let Some(start) = start else {
        return Ok(range);
    };
    let key = relation
        .row_key(start.view())
        .ok_or_else(wording::start_key_invalid)?;
    if range.contains(&key) {
        Ok(beyond(range, &key, Direction::Forwards))
    } else {
        Err(wording::start_key_of_other_segment(index, total))
    }
}
