//! The requests of the torture: small descriptions that travel through the pipe, and what each is to
//! the engine.

use crate::place::{Place, SHARED, Table, counter_attribute, counter_key, creation};
use crate::version::{self, Stamp};
use monotable_api::{
    BatchWriteItemInput, DeleteItemInput, DeleteTableInput, Error, PutItemInput,
    TransactConditionCheck, TransactDelete, TransactPut, TransactUpdate, TransactWriteItem,
    TransactWriteItemsInput, UpdateItemInput, WriteRequest,
};
use monotable_engine::Engine;
use serde::{Deserialize, Serialize};

/// One request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Write {
    /// PutItem, UpdateItem or DeleteItem.
    One(Part),
    /// BatchWriteItem, of puts and deletes without conditions.
    Batch(Vec<Part>),
    /// TransactWriteItems.
    Transact {
        /// Its actions.
        parts: Vec<Part>,
        /// Whether it has a token. If so, it also adds one to [`Place::TOKEN_COUNTER`].
        token: bool,
    },
    /// UpdateItem that adds one to a counter that all threads add to.
    Count(u8),
    /// CreateTable of the thread's side table.
    CreateSide,
    /// DeleteTable of it.
    DeleteSide,
}

/// What a request does to one item. No two parts of a request name the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The item.
    pub place: Place,
    /// What to do.
    pub change: Change,
    /// What must hold before.
    pub condition: Option<Condition>,
}

/// What to do to one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// Replace it.
    Put {
        /// The size of its payload, in bytes.
        size: u32,
    },
    /// Add one to its `n`, move it in an index, and maybe take it out of another.
    Touch {
        /// Whether `g2` is removed.
        leaves_index: bool,
    },
    /// Remove it.
    Delete,
    /// Nothing; for the condition.
    Check,
}

/// What must hold of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// It is there.
    Exists,
    /// It is not.
    Absent,
}

impl Condition {
    const fn expression(self) -> &'static str {
        match self {
            Self::Exists => "attribute_exists(pk)",
            Self::Absent => "attribute_not_exists(pk)",
        }
    }
}

/// What the engine answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Done.
    Done,
    /// A condition did not hold.
    ConditionFailed,
    /// There is no such table.
    TableMissing,
    /// There is such a table already.
    TableExists,
    /// The token belongs to another request.
    TokenMismatch,
    /// Anything else: without faults, nothing else may happen.
    Failed(String),
}

impl From<Result<(), Error>> for Outcome {
    fn from(result: Result<(), Error>) -> Self {
        match result {
            Ok(()) => Self::Done,
            Err(
                Error::ConditionalCheckFailedException { .. }
                | Error::TransactionCanceledException { .. },
            ) => Self::ConditionFailed,
            Err(Error::ResourceNotFoundException { .. }) => Self::TableMissing,
            Err(Error::ResourceInUseException { .. }) => Self::TableExists,
            Err(Error::IdempotentParameterMismatchException { .. }) => Self::TokenMismatch,
            Err(other) => Self::Failed(other.to_string()),
        }
    }
}

/// The token of a request.
#[must_use]
pub fn token(stamp: Stamp) -> String {
    format!("torture-{stamp}")
}

impl Write {
    /// Every change of an item that it makes, of a transaction also the one of the token counter.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        match self {
            Self::One(part) => vec![part.clone()],
            Self::Batch(parts)
            | Self::Transact {
                parts,
                token: false,
            } => parts.clone(),
            Self::Transact { parts, token: true } => {
                let counted = Part {
                    place: Place::TOKEN_COUNTER,
                    change: Change::Touch {
                        leaves_index: false,
                    },
                    condition: None,
                };
                parts.iter().cloned().chain([counted]).collect()
            }
            Self::Count(_) | Self::CreateSide | Self::DeleteSide => Vec::new(),
        }
    }

    /// Whether it has a token.
    #[must_use]
    pub const fn has_token(&self) -> bool {
        matches!(self, Self::Transact { token: true, .. })
    }

    /// Sends it and waits for the answer.
    pub fn send(&self, engine: &Engine, stamp: Stamp) -> Outcome {
        self.send_with_token(engine, stamp, &token(stamp))
    }

    /// Sends it with this token, if it is one that has a token.
    pub fn send_with_token(&self, engine: &Engine, stamp: Stamp, token: &str) -> Outcome {
        let side = || Table::Side.name(stamp.thread);
        let answer = match self {
            Self::One(part) => part.send(engine, stamp),
            Self::Batch(parts) => engine.batch_write_item(batch(parts, stamp)).map(drop),
            Self::Transact { token: with, .. } => {
                let actions = self.parts();
                let actions = actions.iter().map(|part| part.action(stamp));
                let mut input = TransactWriteItemsInput::new(actions);
                if *with {
                    input = input.token(token);
                }
                engine.transact_write_items(input).map(drop)
            }
            Self::Count(counter) => {
                let own = counter_attribute(stamp.thread);
                let input = UpdateItemInput::new(SHARED, counter_key(*counter))
                    .update(format!("ADD added :one, {own} :one"))
                    .value(":one", 1);
                engine.update_item(input).map(drop)
            }
            Self::CreateSide => engine.create_table(creation(&side())).map(drop),
            Self::DeleteSide => engine.delete_table(DeleteTableInput::new(side())).map(drop),
        };
        answer.into()
    }
}

fn batch(parts: &[Part], stamp: Stamp) -> BatchWriteItemInput {
    parts
        .iter()
        .fold(BatchWriteItemInput::default(), |input, part| {
            let request = match part.change {
                Change::Put { size } => WriteRequest::put(version::put(part.place, stamp, size)),
                _ => WriteRequest::delete(part.place.key(stamp.thread)),
            };
            input.and(part.place.table.name(stamp.thread), [request])
        })
}

impl Part {
    fn send(&self, engine: &Engine, stamp: Stamp) -> Result<(), Error> {
        let table = self.place.table.name(stamp.thread);
        let key = self.place.key(stamp.thread);
        let condition = self.condition.map(Condition::expression);
        match self.change {
            Change::Put { size } => {
                let mut input = PutItemInput::new(table, version::put(self.place, stamp, size));
                input.condition_expression = condition.map(Into::into);
                engine.put_item(input).map(drop)
            }
            Change::Touch { leaves_index } => {
                let mut input = UpdateItemInput::new(table, key)
                    .update(touching(leaves_index))
                    .value(":stamp", stamp.to_string())
                    .value(":group", version::touched_group(self.place, stamp))
                    .value(":one", 1);
                input.condition_expression = condition.map(Into::into);
                engine.update_item(input).map(drop)
            }
            Change::Delete | Change::Check => {
                let mut input = DeleteItemInput::new(table, key);
                input.condition_expression = condition.map(Into::into);
                engine.delete_item(input).map(drop)
            }
        }
    }

    fn action(&self, stamp: Stamp) -> TransactWriteItem {
        let table = self.place.table.name(stamp.thread);
        let key = self.place.key(stamp.thread);
        let condition = self.condition.map(Condition::expression);
        match self.change {
            Change::Put { size } => {
                let mut put = TransactPut::new(table, version::put(self.place, stamp, size));
                put.condition_expression = condition.map(Into::into);
                put.into()
            }
            Change::Touch { leaves_index } => {
                let mut update = TransactUpdate::new(table, key, touching(leaves_index))
                    .value(":stamp", stamp.to_string())
                    .value(":group", version::touched_group(self.place, stamp))
                    .value(":one", 1);
                update.condition_expression = condition.map(Into::into);
                update.into()
            }
            Change::Delete => {
                let mut delete = TransactDelete::new(table, key);
                delete.condition_expression = condition.map(Into::into);
                delete.into()
            }
            Change::Check => {
                let expression = condition.unwrap_or(Condition::Exists.expression());
                TransactConditionCheck::new(table, key, expression).into()
            }
        }
    }
}

const fn touching(leaves_index: bool) -> &'static str {
    if leaves_index {
        "SET touched = :stamp, g1 = :group REMOVE g2 ADD n :one"
    } else {
        "SET touched = :stamp, g1 = :group ADD n :one"
    }
}
