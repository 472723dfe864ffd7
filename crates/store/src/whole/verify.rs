//! Everything that a model says about its rows together, worked out again from the raw items.

mod ledger;
mod revisions;

use crate::error::Error;
use crate::reader::OwnedReader;
use crate::store::Store;
use ledger::FactSink;
use std::fmt;

/// What verify found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Rows of entities.
    pub rows: u64,
    /// Rows that only guard a value.
    pub guards: u64,
    /// Rows that the model does not know.
    pub unknown: u64,
    /// What is wrong.
    pub violations: Vec<Violation>,
}

/// Something that contradicts the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What kind.
    pub wrong: ViolationKind,
    /// The entity of the row.
    pub entity: String,
    /// Its key.
    pub key: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// The kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A value is not what the model says.
    Value,
    /// A key of an index is not what the row gives.
    Keys,
    /// A unique value has no guard, or that of another row.
    Guard,
    /// A guard guards nothing.
    Orphan,
    /// Two rows have a value that one may have.
    Duplicate,
    /// A reference names a row that is not there, or not one it may name.
    Reference,
    /// A counter is not the count.
    Counter,
    /// A relation leads from a row back to itself.
    Cycle,
    /// A derived row is missing, too much, or says something else.
    Derived,
    /// The rows of a revision contradict each other.
    Snapshot,
    /// A revision without rows that nothing follows: its commit never finished.
    Abandoned,
}

impl ViolationKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Keys => "keys",
            Self::Guard => "guard",
            Self::Orphan => "orphan",
            Self::Duplicate => "duplicate",
            Self::Reference => "reference",
            Self::Counter => "counter",
            Self::Cycle => "cycle",
            Self::Derived => "derived",
            Self::Snapshot => "snapshot",
            Self::Abandoned => "abandoned",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            wrong,
            entity,
            key,
            message,
        } = self;
        write!(f, "{}: {entity} {key}: {message}", wrong.name())
    }
}

impl Store {
    /// Reads everything and holds it against the model. Writes that are made meanwhile may show as violations: verify
    /// again before believing one.
    pub async fn verify(&self) -> Result<Verification, Error> {
        let owned = OwnedReader::without_sending(self.scope_of_whole_tables());
        let reader = owned.reader();
        let mut ledger = FactSink::new(&reader);
        for table in self.model().stored_tables() {
            self.scan(table, |item| {
                ledger.state(table, item);
                Ok(())
            })
            .await?;
        }
        let snapshots = revisions::snapshots(&ledger);
        let mut verification = ledger.judge();
        for snapshot in snapshots {
            verification
                .violations
                .extend(snapshot.violations(self).await?);
        }
        Ok(verification)
    }
}
