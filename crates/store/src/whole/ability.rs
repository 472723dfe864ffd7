//! What a model needs of a target beside items and tables, and what a target lacks.
//!
//! The embedded engine and Amazon DynamoDB have everything. Other servers may lack something: whoever names one may say what
//! (`--without`), and transactions are looked for. A model that needs what is missing is refused before anything is written.

mod need;

pub use need::{Need, list_needs};

use crate::error::Error;
use crate::store::Store;
use monotable_api::{DynamoExt, Error as ServiceError, TransactWriteItem, TransactWriteItemsInput};
use std::fmt;
use std::str::FromStr;

/// What some targets have and others lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ability {
    /// Several writes that happen together or not at all.
    Transactions,
    /// Global indexes whose partition or sort key has several attributes.
    LongIndexKeys,
    /// Local secondary indexes.
    LocalIndexes,
    /// Streams of changes.
    Streams,
    /// Items that are deleted when they expire.
    TimeToLive,
    /// Recovery of any moment.
    PointInTimeRecovery,
    /// Tables that are not deleted by mistake.
    DeletionProtection,
    /// Tags of tables.
    Tags,
}

impl Ability {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Transactions,
        Self::LongIndexKeys,
        Self::LocalIndexes,
        Self::Streams,
        Self::TimeToLive,
        Self::PointInTimeRecovery,
        Self::DeletionProtection,
        Self::Tags,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transactions => "transactions",
            Self::LongIndexKeys => "long-index-keys",
            Self::LocalIndexes => "local-indexes",
            Self::Streams => "streams",
            Self::TimeToLive => "ttl",
            Self::PointInTimeRecovery => "pitr",
            Self::DeletionProtection => "deletion-protection",
            Self::Tags => "tags",
        }
    }

    /// What is missing where it is, and what would go wrong.
    const fn explain(self) -> (&'static str, &'static str) {
        match self {
            Self::Transactions => (
                "transactions (TransactWriteItems)",
                "Without them another program could write between two of its requests",
            ),
            Self::LongIndexKeys => (
                "index keys of several attributes",
                "Without them the index cannot be made, and its patterns find nothing",
            ),
            Self::LocalIndexes => (
                "local indexes",
                "Without them the index cannot be made, and its patterns find nothing",
            ),
            Self::Streams => ("streams", "Without them nobody is told of changes"),
            Self::TimeToLive => (
                "time to live",
                "Without it rows that have expired are hidden, and stay for ever",
            ),
            Self::PointInTimeRecovery => (
                "point-in-time recovery",
                "Without it what was overwritten by mistake cannot be recovered",
            ),
            Self::DeletionProtection => (
                "deletion protection",
                "Without it the table can be deleted by mistake",
            ),
            Self::Tags => (
                "tags",
                "Without them bills and rules that go by tags leave the table out",
            ),
        }
    }
}

impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Ability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|ability| ability.name() == text);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::name);
            format!("there is no ability `{text}`: {}", known.join(", "))
        })
    }
}

impl Store {
    /// Refuses a target that lacks what the model needs, with the declaration that needs it.
    pub fn refuse_target_without(&self, lacking: &[Ability]) -> Result<(), Error> {
        let needs = list_needs(self.model());
        match needs.iter().find(|need| lacking.contains(&need.ability)) {
            Some(need) => Err(refuse(need)),
            None => Ok(()),
        }
    }

    /// Refuses a target without transactions if the model needs them. A request that asks for nothing tells: a target that has
    /// transactions finds it wrong, and one that has none does not know the operation. Nothing is written.
    pub async fn probe_target(&self) -> Result<(), Error> {
        let needs = list_needs(self.model());
        let mut needs = needs.iter();
        let Some(need) = needs.find(|need| need.ability == Ability::Transactions) else {
            return Ok(());
        };
        let nothing: [TransactWriteItem; 0] = [];
        let nothing = TransactWriteItemsInput::new(nothing);
        let answer = self.executor.dynamo().transact_write_items(nothing).await;
        match answer {
            Err(ServiceError::UnknownOperationException { .. }) => Err(refuse(need)),
            // What listens there is no DynamoDB.
            Err(error @ ServiceError::SerializationException { .. }) => Err(Error::service(error)),
            // Whatever else is wrong is told by the request that needs it.
            _ => Ok(()),
        }
    }
}

fn refuse(need: &Need) -> Error {
    let (what, consequence) = need.ability.explain();
    let Need {
        declaration,
        reason,
        ..
    } = need;
    Error::usage(format!(
        "the target has no {what}, which the model needs: {declaration} {reason}. {consequence}; use another target, or take \
         the declaration out of the model"
    ))
}
