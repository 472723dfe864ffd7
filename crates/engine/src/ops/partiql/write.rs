//! Statements that write.

use super::duplicate::name_duplicate;
use super::{partition_key, refuse};
use crate::catalog::Table;
use crate::engine::Core;
use crate::ops::{delete_item, put_item, update_item};
use crate::step::Step;
use monotable_api::{
    ConsumedCapacity, Error, PreparedStatement, ReturnConsumedCapacity,
    ReturnItemCollectionMetrics, ReturnValue, TransactWrite, ValidDeleteItem, ValidPutItem,
    ValidUpdateItem,
};
use monotable_expr::Condition;
use monotable_expr::partiql::{
    KeyEqualities, RepeatedKey, Returning, SelectStatement, Statement, StatementError,
    StatementProblem,
};
use monotable_expr::tree::{DocumentPath, Predicate};
use monotable_item::{EncodedItem, EncodedValue};
use std::sync::Arc;

/// What a statement answers.
pub(in crate::ops) struct Answer {
    /// The item that was read, or what a write returns.
    pub(in crate::ops) item: Option<EncodedItem>,
    pub(in crate::ops) capacity: Option<ConsumedCapacity>,
}

/// What a statement does to its item.
pub(in crate::ops) fn lower(
    table: &Table,
    prepared: &PreparedStatement,
) -> Result<TransactWrite, StatementError> {
    let parameters = prepared.parameters.as_slice();
    let item_path = || DocumentPath::new(partition_key(table));
    match &prepared.statement {
        Statement::Insert(insert) => Ok(TransactWrite::Put {
            item: insert.item(parameters)?,
            condition: Some(Predicate::NotExists(item_path()).into()),
        }),
        Statement::Update(statement) => {
            let update = statement.update(parameters)?;
            let KeyEqualities { key, rest } = key(table, statement.condition(parameters)?)?;
            // Unlike UpdateItem, UPDATE makes no item.
            let exists = Predicate::Exists(item_path());
            let condition = match rest {
                Some(rest) => exists.and(rest),
                None => exists,
            };
            Ok(TransactWrite::Update {
                key,
                update,
                condition: Some(condition.into()),
            })
        }
        Statement::Delete(statement) => {
            let KeyEqualities { key, rest } = key(table, statement.condition(parameters)?)?;
            // Where there is no item, there is nothing that the condition could refuse.
            let condition = rest.map(|rest| Predicate::NotExists(item_path()).or(rest));
            Ok(TransactWrite::Delete {
                key,
                condition: condition.map(Condition::from),
            })
        }
        Statement::Select(select) | Statement::Exists(select) => check(table, select, parameters),
    }
}

/// The key of the item that a write is about, and what else must hold of it.
fn key(table: &Table, condition: Option<Predicate>) -> Result<KeyEqualities, StatementError> {
    let condition = condition.ok_or(StatementProblem::IncompleteKey)?;
    let names = key_names(table);
    let key = KeyEqualities::new(condition, &names, RepeatedKey::Refused)?;
    if key.is_complete(names.len()) {
        Ok(key)
    } else {
        Err(StatementProblem::IncompleteKey.into())
    }
}

fn key_names(table: &Table) -> Vec<&str> {
    let keys = table.key.attributes();
    keys.map(|key| key.name.as_str()).collect()
}

/// EXISTS: the key of an item, and a condition on it.
fn check(
    table: &Table,
    select: &SelectStatement,
    parameters: &[EncodedValue],
) -> Result<TransactWrite, StatementError> {
    let incomplete = || StatementProblem::ExistsWithoutCondition;
    select.columns()?;
    let condition = select.condition(parameters)?.ok_or_else(incomplete)?;
    let names = key_names(table);
    let key = KeyEqualities::new(condition, &names, RepeatedKey::Condition)?;
    let is_complete = key.is_complete(names.len());
    let rest = key.rest.filter(|_| is_complete).ok_or_else(incomplete)?;
    Ok(TransactWrite::ConditionCheck {
        key: key.key,
        condition: rest.into(),
    })
}

/// Carries out a statement that writes.
pub(in crate::ops) fn start(
    core: &Arc<Core>,
    table: &Table,
    prepared: &PreparedStatement,
    capacity: ReturnConsumedCapacity,
) -> Result<Step<Answer>, Error> {
    let name = prepared.table.clone();
    let return_old_on_failure = prepared.return_old_on_failure;
    let metrics = ReturnItemCollectionMetrics::None;
    let returning = prepared.statement.returning();
    match lower(table, prepared).map_err(refuse)? {
        TransactWrite::Put { item, condition } => {
            let put = ValidPutItem {
                table: name,
                item,
                condition,
                return_old: false,
                return_old_on_failure,
                capacity,
                metrics,
            };
            put_item::run(core, put)
                .map_err(name_duplicate)?
                .then(|output| {
                    let output = output.map_err(name_duplicate)?;
                    Ok(Answer {
                        item: output.attributes,
                        capacity: output.consumed_capacity,
                    })
                })
        }
        TransactWrite::Update {
            key,
            update,
            condition,
        } => {
            let update = ValidUpdateItem {
                table: name,
                key,
                update: Some(update),
                condition,
                return_values: return_value(returning),
                return_old_on_failure,
                capacity,
                metrics,
            };
            update_item::run(core, update)?.then(|output| {
                let output = output?;
                Ok(Answer {
                    item: output.attributes,
                    capacity: output.consumed_capacity,
                })
            })
        }
        TransactWrite::Delete { key, condition } => {
            let delete = ValidDeleteItem {
                table: name,
                key,
                condition,
                return_old: returning.is_some(),
                return_old_on_failure,
                capacity,
                metrics,
            };
            delete_item::run(core, delete)?.then(|output| {
                let output = output?;
                Ok(Answer {
                    item: output.attributes,
                    capacity: output.consumed_capacity,
                })
            })
        }
        TransactWrite::ConditionCheck { .. } => {
            Err(refuse(StatementProblem::ExistsOutsideTransaction))
        }
    }
}

const fn return_value(returning: Option<Returning>) -> ReturnValue {
    match returning {
        None => ReturnValue::None,
        Some(Returning::AllOld) => ReturnValue::AllOld,
        Some(Returning::AllNew) => ReturnValue::AllNew,
        Some(Returning::ModifiedOld) => ReturnValue::UpdatedOld,
        Some(Returning::ModifiedNew) => ReturnValue::UpdatedNew,
    }
}
