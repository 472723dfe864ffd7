//! The requests that clients make, and what their answers say.

use super::lists::{Family, LISTS, Lists, TABLE, read_lists};
use crate::history::{Key, Step, Value};
use fastrand::Rng;
use monotable_api::{
    BatchGetItemInput, DynamoExt, Error, Get, GetItemInput, ReturnValue, TransactConditionCheck,
    TransactGetItemsInput, TransactWriteItemsInput,
};
use monotable_aws::Remote;

/// One request, drawn by chance.
#[derive(Clone, Debug)]
pub(super) enum Request {
    /// A transaction that appends to several lists. With a token it can be sent again when its answer was lost.
    Append {
        appends: Vec<(Key, Vec<Value>)>,
        token: String,
    },
    /// A transaction that appends and is always refused.
    Refused {
        appends: Vec<(Key, Vec<Value>)>,
    },
    /// An update, which shows the list after it.
    Update {
        key: Key,
        values: Vec<Value>,
    },
    /// An update of a list that is as long as the client saw it last.
    UpdateIfSeen {
        key: Key,
        values: Vec<Value>,
        length: u64,
    },
    Get {
        key: Key,
    },
    TransactGet {
        keys: Vec<Key>,
    },
    BatchGet {
        keys: Vec<Key>,
    },
    Query {
        family: Family,
    },
}

/// What became of a request.
pub(super) enum Answer {
    /// It was carried out, and did and saw this.
    Done(Vec<Step>),
    /// It was refused because of a condition or a conflict.
    Refused,
    /// Nobody knows.
    Lost,
    /// No server may answer so.
    Wrong(String),
}

impl Request {
    /// Draws a request; `next` makes values that nobody else has.
    pub(super) fn draw(random: &mut Rng, seen: &[u64], mut next: impl FnMut() -> Value) -> Self {
        let mut values =
            |random: &mut Rng| (0..random.u8(1..=2)).map(|_| next()).collect::<Vec<_>>();
        let mut keys: Vec<Key> = (0..LISTS).collect();
        random.shuffle(&mut keys);
        let key = keys.first().copied().unwrap_or_default();
        match random.u8(0..100) {
            0..30 => {
                keys.truncate(random.usize(1..=3));
                let appends = keys.into_iter().map(|key| (key, values(random))).collect();
                let token = format!("{:032x}", random.u128(..));
                Self::Append { appends, token }
            }
            30..35 => {
                keys.truncate(2);
                let appends = keys.into_iter().map(|key| (key, values(random))).collect();
                Self::Refused { appends }
            }
            35..45 => Self::Update {
                key,
                values: values(random),
            },
            45..55 => {
                let length = usize::try_from(key)
                    .ok()
                    .and_then(|key| seen.get(key).copied());
                let length = length.unwrap_or_default();
                Self::UpdateIfSeen {
                    key,
                    values: values(random),
                    length,
                }
            }
            55..60 => Self::Get { key },
            60..75 => {
                keys.truncate(random.usize(2..=4));
                Self::TransactGet { keys }
            }
            75..80 => {
                keys.truncate(random.usize(2..=4));
                Self::BatchGet { keys }
            }
            _ => {
                let families: Vec<Family> = Family::list_all().collect();
                let family = random.choice(families).unwrap_or(Family::Shelf(0));
                Self::Query { family }
            }
        }
    }

    /// What it would do if it were carried out.
    pub(super) fn appends(&self) -> Vec<Step> {
        let append = |(key, values): &(Key, Vec<Value>)| Step::Append {
            key: *key,
            values: values.clone(),
        };
        match self {
            Self::Append { appends, .. } | Self::Refused { appends } => {
                appends.iter().map(append).collect()
            }
            Self::Update { key, values } | Self::UpdateIfSeen { key, values, .. } => {
                vec![append(&(*key, values.clone()))]
            }
            Self::Get { .. }
            | Self::TransactGet { .. }
            | Self::BatchGet { .. }
            | Self::Query { .. } => Vec::new(),
        }
    }

    /// Whether it can be sent again when its answer was lost.
    pub(super) const fn has_token(&self) -> bool {
        matches!(self, Self::Append { .. })
    }

    /// Sends it once.
    pub(super) async fn send(&self, remote: &Remote, lists: Lists) -> Answer {
        let read = match self.call(remote, lists).await {
            Ok(read) => read,
            Err(error) => return judge_error(&error),
        };
        match read {
            Ok(steps) if matches!(self, Self::Refused { .. }) => Answer::Wrong(format!(
                "a transaction whose condition fails was carried out: {steps:?}"
            )),
            Ok(read) => Answer::Done([self.appends(), read].concat()),
            Err(problem) => Answer::Wrong(problem),
        }
    }

    /// What it read, or why its answer makes no sense.
    async fn call(
        &self,
        remote: &Remote,
        lists: Lists,
    ) -> Result<Result<Vec<Step>, String>, Error> {
        let nothing = Ok(Vec::new());
        match self {
            Self::Append { appends, token } => {
                let updates = appends
                    .iter()
                    .map(|(key, values)| lists.transact_update(*key, values));
                let transaction = TransactWriteItemsInput::new(updates).token(token);
                remote
                    .transact_write_items(transaction)
                    .await
                    .map(|_| nothing)
            }
            Self::Refused { appends } => {
                let updates = appends
                    .iter()
                    .map(|(key, values)| lists.transact_update(*key, values));
                // No list has this number.
                let check = TransactConditionCheck::new(
                    TABLE,
                    lists.key(LISTS),
                    "attribute_exists(Amount)",
                );
                let transaction = TransactWriteItemsInput::new(updates).and(check);
                remote
                    .transact_write_items(transaction)
                    .await
                    .map(|_| nothing)
            }
            Self::Update { key, values } => {
                let update = lists
                    .update(*key, values)
                    .return_values(ReturnValue::AllNew);
                let answer = remote.update_item(update).await?;
                Ok(read_lists([*key], &answer.attributes))
            }
            Self::UpdateIfSeen {
                key,
                values,
                length,
            } => {
                let update = lists.update(*key, values);
                let update = if *length == 0 {
                    update.condition("attribute_not_exists(Amount)")
                } else {
                    update.condition("Amount = :seen").value(":seen", *length)
                };
                remote.update_item(update).await.map(|_| nothing)
            }
            Self::Get { key } => {
                let answer = remote
                    .get_item(GetItemInput::new(TABLE, lists.key(*key)))
                    .await?;
                Ok(read_lists([*key], &answer.item))
            }
            Self::TransactGet { keys } => {
                let gets = keys.iter().map(|key| Get::new(TABLE, lists.key(*key)));
                let answer = remote
                    .transact_get_items(TransactGetItemsInput::new(gets))
                    .await?;
                let responses = answer.responses.unwrap_or_default();
                let items = responses
                    .iter()
                    .filter_map(|response| response.item.as_ref());
                Ok(read_lists(keys.iter().copied(), items))
            }
            Self::BatchGet { keys } => {
                let batch = BatchGetItemInput::new(TABLE, lists.batch(keys));
                let answer = remote.batch_get_item(batch).await?;
                Ok(read_lists(
                    keys.iter().copied(),
                    answer.responses.values().flatten(),
                ))
            }
            Self::Query { family } => {
                let answer = remote.query(lists.query(*family)).await?;
                Ok(read_lists(family.keys(), answer.items.iter().flatten()))
            }
        }
    }
}

fn judge_error(error: &Error) -> Answer {
    match error {
        Error::ConditionalCheckFailedException { .. }
        | Error::TransactionCanceledException { .. }
        | Error::TransactionConflictException { .. } => Answer::Refused,
        // What the client says when there is no answer.
        Error::ServiceUnavailable { .. } => Answer::Lost,
        other => Answer::Wrong(other.to_string()),
    }
}
