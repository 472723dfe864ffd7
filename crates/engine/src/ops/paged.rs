//! What Query and Scan have in common: which rows to read, and the answer.

use crate::capacity::{Kind, Tally, read_units};
use crate::catalog::{AddedIndex, Index, IndexKind, Table};
use crate::engine::Core;
use crate::page::{Page, PagePlan, PageReader, Shape};
use crate::step::Step;
use crate::{schema, wording};
use monotable_api::{
    ConsumedCapacity, Error, IndexName, ReturnConsumedCapacity, Selection, TableName,
    ValidKeySchema,
};
use monotable_expr::Condition;

/// What a page may read on the calling thread before it counts as a long read, in bytes.
const INLINE_BYTES: usize = 64 * 1024;

/// The table or one of its indexes.
#[derive(Clone, Copy)]
pub(super) struct Relation<'a> {
    pub(super) table: &'a Table,
    /// The index and its place in the table.
    pub(super) index: Option<(usize, &'a Index)>,
}

impl<'a> Relation<'a> {
    /// Finds what a request reads.
    pub(super) fn find(
        table: &'a Table,
        name: Option<&IndexName>,
        consistent: bool,
    ) -> Result<Self, Error> {
        let Some(name) = name else {
            return Ok(Self { table, index: None });
        };
        let indexes = table.indexes.iter().enumerate();
        let found = indexes
            .into_iter()
            .find(|(_, index)| index.name == name.as_str());
        let Some((place, index)) = found else {
            return Err(wording::no_such_index(name));
        };
        if index.vector.is_some() {
            return Err(wording::vector_index_is_searched(name));
        }
        match index.added {
            None | Some(AddedIndex::Active) => {}
            Some(AddedIndex::Creating) => return Err(wording::index_is_filled(name)),
            Some(AddedIndex::Deleting) => return Err(wording::no_such_index(name)),
        }
        if consistent && index.kind == IndexKind::Global {
            return Err(wording::consistent_read_of_global_index());
        }
        Ok(Self {
            table,
            index: Some((place, index)),
        })
    }

    pub(super) fn key(&self) -> &'a ValidKeySchema {
        self.index.map_or(&self.table.key, |(_, index)| &index.key)
    }

    pub(super) fn id(&self) -> crate::catalog::RelationId {
        self.index
            .map_or(self.table.id.into(), |(_, index)| index.id.into())
    }

    /// The names that a start key has, in order.
    pub(super) fn start_key(&self) -> &'a [String] {
        self.index
            .map_or(&self.table.start_key, |(_, index)| &index.start_key)
    }

    /// The row key of a start key.
    pub(super) fn row_key(&self, start: monotable_item::ItemView<'_>) -> Option<bytes::Bytes> {
        match self.index {
            Some((_, index)) => crate::keys::entry_key(self.table, index, start),
            None => crate::keys::item_key(self.table, start).map(|key| key.0),
        }
    }

    /// What to return of each item, and whether the index lacks some of it.
    pub(super) fn shape(
        &self,
        selection: Selection,
        filter: Option<&Condition>,
    ) -> Result<(Shape, bool), Error> {
        if let Selection::Specific(projection) = &selection {
            schema::check_paths(self.table, projection.paths())?;
        }
        schema::check_paths(self.table, filter.iter().flat_map(|filter| filter.paths()))?;
        let Some((_, index)) = self.index else {
            return Ok((shape_of(selection), false));
        };
        let lacks = match &selection {
            Selection::AllAttributes => index.attributes.is_some(),
            Selection::AllProjectedAttributes | Selection::Count => false,
            Selection::Specific(projection) => {
                projection.attributes().any(|name| !index.holds(name))
            }
        };
        // A filter looks at the entry; a local index fetches what the filter needs, too.
        let filter_lacks = index.kind == IndexKind::Local
            && filter.is_some_and(|filter| filter.attributes().any(|name| !index.holds(name)));
        if index.kind == IndexKind::Global && lacks {
            return Err(refuse_global(index, &selection));
        }
        let shape = match selection {
            // The item is fetched for the filter only.
            Selection::AllProjectedAttributes if filter_lacks => Shape::Held,
            selection => shape_of(selection),
        };
        Ok((shape, lacks || filter_lacks))
    }
}

fn shape_of(selection: Selection) -> Shape {
    match selection {
        Selection::AllAttributes | Selection::AllProjectedAttributes => Shape::Whole,
        Selection::Specific(projection) => Shape::Projected(projection),
        Selection::Count => Shape::Nothing,
    }
}

fn refuse_global(index: &Index, selection: &Selection) -> Error {
    let missing = match selection {
        Selection::Specific(projection) => projection
            .attributes()
            .find(|name| !index.holds(name))
            .map(str::to_owned),
        Selection::AllAttributes | Selection::AllProjectedAttributes | Selection::Count => None,
    };
    match missing {
        Some(name) => wording::not_projected(&index.name, &name),
        None => wording::all_attributes_of_global_index(&index.name),
    }
}

/// Reads a page: here if it is short, else as a long read.
pub(super) fn read<O: 'static>(
    core: &Core,
    plan: PagePlan,
    answer: impl FnOnce(&PagePlan, Page) -> O + Send + 'static,
) -> Result<Step<O>, Error> {
    let mut reader = PageReader::new(plan, core.published.snapshot());
    let failed = |fault| wording::internal(&fault);
    reader.advance(INLINE_BYTES).map_err(failed)?;
    if reader.is_done() {
        let (plan, page) = reader.finish();
        return Ok(Step::Done(answer(&plan, page)));
    }
    Ok(Step::Read(Box::new(move || {
        reader.advance(usize::MAX).map_err(failed)?;
        let (plan, page) = reader.finish();
        Ok(answer(&plan, page))
    })))
}

/// What the consumed capacity of a page depends on.
pub(super) struct Request {
    /// The table, as the request named it.
    pub(super) table: TableName,
    pub(super) consistent: bool,
    pub(super) capacity: ReturnConsumedCapacity,
}

/// The consumed capacity of a page, if asked for.
pub(super) fn capacity(
    plan: &PagePlan,
    page: &Page,
    request: &Request,
) -> Option<ConsumedCapacity> {
    let units = read_units(page.bytes, request.consistent);
    let mut tally = Tally::default();
    match plan.index() {
        None => tally.add_table(units),
        Some(index) => {
            tally.add_index(index, units);
            if page.fetched_bytes > 0 {
                tally.add_table(read_units(page.fetched_bytes, request.consistent));
            }
        }
    }
    tally.describe(request.table.given(), request.capacity, Kind::Plain)
}
