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

use crate::address::Partition;
use monotable_api::Request;

/// A request, and what it touches.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    request: Request,
    touches: Touched,
}

/// What a request touches.
#[derive(Clone, Debug)]
pub(crate) enum Touched {
    Partition(Partition),
    Partitions(Vec<Partition>),
    /// A whole table. Only operations of the program do that.
    WholeTable,
}

impl Outgoing {
    const fn new(request: Request, partitions: Vec<Partition>) -> Self {
        let touches = Touched::Partitions(partitions);
        Self { request, touches }
    }

    /// A request that touches one partition.
    const fn of_one(request: Request, partition: Partition) -> Self {
        let touches = Touched::Partition(partition);
        Self { request, touches }
    }

    pub(crate) const fn touches(&self) -> &Touched {
        &self.touches
    }

    /// The request as it is sent.
    pub(crate) fn into_request(self) -> Request {
        self.request
    }
}
