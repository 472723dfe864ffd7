//! Requests that read a whole table.

use super::{Outgoing, Touched};
use monotable_api::{Request, ScanInput};
use monotable_item::EncodedItem;
use monotable_model::model::{Model, TableId};

/// Which attributes of items are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attributes {
    All,
    /// Those of the primary key.
    Key,
}

/// A page of a table, read strongly.
#[derive(Clone, Debug)]
pub(crate) struct ScanPage {
    pub(crate) table: TableId,
    pub(crate) attributes: Attributes,
    /// The key behind which to begin.
    pub(crate) after: Option<EncodedItem>,
    /// The part of the table that is read; none for all of it.
    pub(crate) segment: Option<Segment>,
}

/// One of several parts of a table, which are read side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) index: u32,
    pub(crate) total: u32,
}

/// Reads the first item of a table, if there is one.
pub(crate) fn scan_first(model: &Model, table: TableId) -> Outgoing<'static> {
    let physical = model.table(table).physical.clone();
    Outgoing {
        request: Request::Scan(ScanInput::new(physical).consistent().limit(1)),
        touches: Touched::WholeTable,
    }
}

/// Reads a page of a table.
pub(crate) fn scan(model: &Model, page: &ScanPage) -> Outgoing<'static> {
    let table = model.table(page.table);
    let mut input = ScanInput::new(table.physical.clone()).consistent();
    if page.attributes == Attributes::Key {
        input = input.name("#pk", table.hash.value.clone());
        let mut projection = "#pk".to_owned();
        if let Some(range) = &table.range {
            projection.push_str(", #sk");
            input = input.name("#sk", range.value.clone());
        }
        input = input.projection(projection);
    }
    if let Some(segment) = page.segment {
        input = input.segment(segment.index, segment.total);
    }
    input.exclusive_start_key = page.after.clone().map(Into::into);
    Outgoing {
        request: Request::Scan(input),
        touches: Touched::WholeTable,
    }
}
