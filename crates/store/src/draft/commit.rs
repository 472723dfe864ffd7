//! A draft as a request, and what its answer means.

use super::expression::Expression;
use super::{Action, Blame, Demand, Draft, Edit, Write};
use crate::address::Address;
use crate::error::Error;
use crate::execute::unexpected;
use crate::interrupt::Interrupt;
use crate::request::{self, Clauses, ItemWrite, Outgoing, WriteVerb};
use crate::sending::Answer;
use monotable_api::{CancellationCode, Error as ServiceError, Response};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::Model;

impl Draft {
    /// The request that writes it: one action by itself, several as a transaction, which DynamoDB knows by `token` when it
    /// is sent again.
    pub(crate) fn request(&self, model: &Model, token: &str) -> Outgoing<'_> {
        match self.in_order().as_slice() {
            [(address, action)] if !matches!(action.write, Write::Check) => {
                request::write(model, item_write(model, address, action))
            }
            actions => {
                let writes = actions.iter();
                let writes = writes.map(|(address, action)| item_write(model, address, action));
                request::transact(model, writes.collect(), token)
            }
        }
    }

    /// What the answer to the request means.
    pub(crate) fn outcome(&self, answer: Answer) -> Result<(), Interrupt> {
        match answer.result {
            Ok(
                Response::PutItem(_)
                | Response::UpdateItem(_)
                | Response::DeleteItem(_)
                | Response::TransactWriteItems(_),
            ) => Ok(()),
            Ok(response) => Err(unexpected(&response).into()),
            Err(ServiceError::ConditionalCheckFailedException { item, message }) => {
                let item = item.map(|item| item.to_item());
                let action = self.in_order().first().map(|(_, action)| *action);
                match action {
                    // The first attempt was carried out; only its answer was lost.
                    Some(action) if answer.unsure && action.is_done(item.as_ref()) => Ok(()),
                    Some(action) => Err(action.blame(item.as_ref()).into()),
                    None => Err(
                        Error::service(ServiceError::ConditionalCheckFailedException {
                            message,
                            item: None,
                        })
                        .into(),
                    ),
                }
            }
            Err(ServiceError::TransactionCanceledException { reasons }) => {
                let failed: Vec<_> = self
                    .in_order()
                    .into_iter()
                    .zip(&reasons)
                    .filter(|(_, reason)| reason.code == CancellationCode::ConditionalCheckFailed)
                    .map(|((_, action), reason)| {
                        action.blame(reason.item.as_ref().map(EncodedItem::to_item).as_ref())
                    })
                    .collect();
                match Blame::worst(&failed) {
                    Some(blame) => Err(blame.clone().into()),
                    None => {
                        Err(
                            Error::service(ServiceError::TransactionCanceledException { reasons })
                                .into(),
                        )
                    }
                }
            }
            Err(error) => Err(Error::service(error).into()),
        }
    }
}

impl Action {
    /// Which demand an item does not satisfy.
    pub(super) fn blame(&self, item: Option<&Item>) -> Blame {
        let broken = self
            .demands
            .iter()
            .filter(|(demand, _)| !demand.holds(item));
        let broken: Vec<Blame> = broken.map(|(_, blame)| blame.clone()).collect();
        // A service that does not return the item leaves the first demand to blame.
        let first = self.demands.first().map(|(_, blame)| blame);
        Blame::worst(&broken)
            .or(first)
            .cloned()
            .unwrap_or(Blame::Changed)
    }

    /// Whether the item is what this action makes of it.
    fn is_done(&self, item: Option<&Item>) -> bool {
        match &self.write {
            Write::Check => false,
            Write::Put(put) => item == Some(put),
            Write::Delete => item.is_none(),
            Write::Update(edit) => {
                let set = |item: &Item| {
                    edit.set
                        .iter()
                        .all(|(name, value)| item.get(name) == Some(value))
                        && edit.remove.iter().all(|name| item.get(name).is_none())
                };
                // What was added to cannot be told from what was not.
                edit.add.is_empty() && item.is_some_and(set)
            }
        }
    }
}

/// An action as the write of its item.
fn item_write<'a>(model: &Model, address: &'a Address, action: &Action) -> ItemWrite<'a> {
    let mut expression = Expression::default();
    let demands = action.demands.iter().map(|(demand, _)| demand);
    let condition = expression.condition(model.table(address.table()), demands);
    let verb = match &action.write {
        Write::Put(item) => WriteVerb::Put(EncodedItem::from(item)),
        Write::Update(edit) => WriteVerb::Update(expression.update(edit)),
        Write::Delete => WriteVerb::Delete,
        Write::Check => WriteVerb::Check,
    };
    ItemWrite {
        address,
        verb,
        clauses: Clauses {
            condition,
            names: expression.names,
            values: expression.values,
        },
    }
}

/// The request that changes one item if all this holds of it, and that is answered with the item as it is then.
pub(crate) fn request_changed_item<'a>(
    model: &Model,
    address: &'a Address,
    edit: &Edit,
    demands: &[Demand],
) -> Outgoing<'a> {
    let mut expression = Expression::default();
    let condition = expression.condition(model.table(address.table()), demands);
    let update = expression.update(edit);
    let clauses = Clauses {
        condition,
        names: expression.names,
        values: expression.values,
    };
    request::update_for_item(model, address, update, clauses)
}
