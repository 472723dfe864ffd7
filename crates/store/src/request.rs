//! The requests that are sent to DynamoDB. They are made here and nowhere else.
//!
//! Each request says which partitions it touches, as whoever made it knew them. What a caller may touch is decided by
//! these (see `isolation.rs`), and not by reading requests.
//!
//! Layout: `read.rs` reads items by key; `query.rs` reads partitions; `scan.rs` reads whole tables; `write.rs` writes.

mod query;
mod read;
mod scan;
mod write;

pub(crate) use query::{RangeQuery, SortCondition};
pub(crate) use read::{batch_get, get, get_attributes};
pub(crate) use scan::{Attributes, ScanPage, Segment, scan, scan_first};
pub(crate) use write::{
    Clauses, ItemWrite, WriteVerb, batch_delete, batch_put, transact, update_for_item, write,
};

use crate::address::{Address, Partition};
use monotable_api::Request;

/// A request, and what it touches.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing<'a> {
    request: Request,
    touches: Touched<'a>,
}

/// What a request touches. Places that whoever makes the request has anyway are borrowed: most callers may touch everything,
/// and then nobody looks at them.
#[derive(Clone, Debug)]
pub(crate) enum Touched<'a> {
    Item(&'a Address),
    Items(Vec<&'a Address>),
    Partition(Partition),
    Partitions(Vec<Partition>),
    /// A whole table. Only operations of the program do that.
    WholeTable,
}

impl<'a> Outgoing<'a> {
    const fn new(request: Request, touches: Touched<'a>) -> Self {
        Self { request, touches }
    }

    pub(crate) const fn touches(&self) -> &Touched<'a> {
        &self.touches
    }

    /// The request as it is sent.
    pub(crate) fn into_request(self) -> Request {
        self.request
    }
}
