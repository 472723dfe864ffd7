//! What a call has sent and changed.

use crate::error::Error;
use crate::explain::Explained;
use crate::operation::AnyOutput;
use monotable_item::Item;

/// A call that was carried out, with everything that it has sent and changed. Of a dry run, what it would change.
#[derive(Debug)]
pub struct Trace {
    /// What came of it.
    pub outcome: Result<AnyOutput, Error>,
    /// How often it began anew because others changed what it had read, and once more.
    pub attempts: u32,
    /// The requests, in the order in which they were sent. A caller sees of them what it gave itself.
    pub requests: Vec<Explained>,
    /// What became of rows and guards. Rows of others may be among them, so only the program itself is told.
    pub changes: Vec<TracedChange>,
}

/// What became of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedChange {
    /// `created`, `changed` or `deleted`.
    pub is: &'static str,
    /// The entity of the row; of a guard, that of the row that it guards.
    pub entity: String,
    /// Its key: partition key, and sort key if there is one.
    pub address: Vec<String>,
    /// Why: `caller`, `cascade`, `move`, `carried`, `mirrored`, `derived`, `path`, `noted`, `committed`, `snapshot` or `guard`.
    pub cause: &'static str,
    /// The declaration that causes it, as a path into the model, where there is one.
    pub declaration: Option<String>,
    /// The row before, without secrets; none if there was none.
    pub before: Option<Item>,
    /// The row afterwards, without secrets; none if there is none.
    pub after: Option<Item>,
}

impl Trace {
    /// All units together: read and written.
    #[must_use]
    pub fn total(&self) -> (f64, f64) {
        let units = self.requests.iter().flat_map(|request| &request.units);
        units.fold((0.0, 0.0), |(read, write), units| {
            (read + units.read, write + units.write)
        })
    }
}
