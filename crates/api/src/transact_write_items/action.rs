//! The actions of the transaction: what must hold of them, and what they are once it does.
//!
//! Unlike the operations on single items, a transaction has AWS look at an action's expressions
//! before its key or item.

use super::{
    TransactConditionCheck, TransactDelete, TransactPut, TransactUpdate, TransactWriteItem,
};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expressions::{self, Substitutions};
use crate::{Error, ReturnValuesOnConditionCheckFailure, TableName, item_rules, wording};
use monotable_expr::{Condition, ExpressionKind, Update};
use monotable_item::{EncodedItem, GivenItem};

/// One action, checked.
#[derive(Clone, Debug)]
pub struct TransactAction {
    /// The table.
    pub table: TableName,
    /// What to do.
    pub write: TransactWrite,
    /// Whether to return the stored item when the condition does not hold.
    pub return_old_on_failure: bool,
}

/// What an action does, checked.
#[derive(Clone, Debug)]
pub enum TransactWrite {
    /// Writes an item.
    Put {
        /// The item.
        item: EncodedItem,
        /// What must hold of the stored item.
        condition: Option<Condition>,
    },
    /// Changes an item.
    Update {
        /// The item's key.
        key: EncodedItem,
        /// What to change.
        update: Update,
        /// What must hold of the stored item.
        condition: Option<Condition>,
    },
    /// Removes an item.
    Delete {
        /// The item's key.
        key: EncodedItem,
        /// What must hold of the stored item.
        condition: Option<Condition>,
    },
    /// Changes nothing.
    ConditionCheck {
        /// The item's key.
        key: EncodedItem,
        /// What must hold of the stored item.
        condition: Condition,
    },
}

/// What all actions have, for the constraints.
struct Members<'a> {
    table_name: &'a Option<String>,
    return_values: &'a Option<Chosen<ReturnValuesOnConditionCheckFailure>>,
}

impl Members<'_> {
    fn constrain(&self, constraints: &mut Constraints, path: Path<'_>) {
        TableName::require(constraints, path.field("tableName"), self.table_name);
        let path = path.field("returnValuesOnConditionCheckFailure");
        constraints.choice(path, self.return_values);
    }
}

impl TransactWriteItem {
    /// Checks the constraints of the members of every action that is there.
    pub(super) fn constrain(&self, constraints: &mut Constraints, path: Path<'_>) {
        if let Some(check) = &self.condition_check {
            let path = path.field("conditionCheck");
            constraints.required(path.field("key"), &check.key);
            constraints.required(
                path.field("conditionExpression"),
                &check.condition_expression,
            );
            check.members().constrain(constraints, path);
        }
        if let Some(put) = &self.put {
            let path = path.field("put");
            constraints.required(path.field("item"), &put.item);
            put.members().constrain(constraints, path);
        }
        if let Some(delete) = &self.delete {
            let path = path.field("delete");
            constraints.required(path.field("key"), &delete.key);
            delete.members().constrain(constraints, path);
        }
        if let Some(update) = &self.update {
            let path = path.field("update");
            constraints.required(path.field("key"), &update.key);
            constraints.required(path.field("updateExpression"), &update.update_expression);
            update.members().constrain(constraints, path);
        }
    }

    /// The action, once the constraints of its members hold.
    pub(super) fn checked(self) -> Result<TransactAction, Error> {
        match (self.condition_check, self.put, self.delete, self.update) {
            (Some(check), None, None, None) => check.checked(),
            (None, Some(put), None, None) => put.checked(),
            (None, None, Some(delete), None) => delete.checked(),
            (None, None, None, Some(update)) => update.checked(),
            (None, None, None, None) => Err(Error::validation(wording::NO_TRANSACT_ACTION)),
            _ => Err(Error::validation(wording::TWO_TRANSACT_ACTIONS)),
        }
    }
}

/// Declares the members that all of these actions have.
macro_rules! members {
    ($( $action:ident ),* $(,)?) => {$(
        impl $action {
            const fn members(&self) -> Members<'_> {
                Members {
                    table_name: &self.table_name,
                    return_values: &self.return_values_on_condition_check_failure,
                }
            }
        }
    )*};
}

members!(
    TransactConditionCheck,
    TransactPut,
    TransactDelete,
    TransactUpdate
);

/// Puts the checked parts of an action together.
fn action(
    table_name: Option<String>,
    returned: Option<Chosen<ReturnValuesOnConditionCheckFailure>>,
    write: TransactWrite,
) -> Result<TransactAction, Error> {
    let returned = returned.as_ref().and_then(Chosen::known);
    Ok(TransactAction {
        table: TableName::parse(&table_name.unwrap_or_default())?,
        write,
        return_old_on_failure: item_rules::return_old_on_failure(returned),
    })
}

fn checked(given: Option<GivenItem>) -> Result<EncodedItem, Error> {
    given
        .unwrap_or_default()
        .into_checked()
        .map_err(Error::validation)
}

impl TransactConditionCheck {
    fn checked(self) -> Result<TransactAction, Error> {
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[(ExpressionKind::Condition, &self.condition_expression)])?;
        let text = self.condition_expression.unwrap_or_default();
        let condition = substitutions.parse(|placeholders| {
            Condition::parse(ExpressionKind::Condition, &text, placeholders)
        })?;
        let key = checked(self.key)?;
        let write = TransactWrite::ConditionCheck { key, condition };
        action(
            self.table_name,
            self.return_values_on_condition_check_failure,
            write,
        )
    }
}

impl TransactPut {
    fn checked(self) -> Result<TransactAction, Error> {
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[(ExpressionKind::Condition, &self.condition_expression)])?;
        let condition = substitutions.parse(|placeholders| {
            expressions::condition(&self.condition_expression, placeholders)
        })?;
        let item = checked(self.item)?;
        item_rules::check_size(&item)?;
        let write = TransactWrite::Put { item, condition };
        action(
            self.table_name,
            self.return_values_on_condition_check_failure,
            write,
        )
    }
}

impl TransactDelete {
    fn checked(self) -> Result<TransactAction, Error> {
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[(ExpressionKind::Condition, &self.condition_expression)])?;
        let condition = substitutions.parse(|placeholders| {
            expressions::condition(&self.condition_expression, placeholders)
        })?;
        let key = checked(self.key)?;
        let write = TransactWrite::Delete { key, condition };
        action(
            self.table_name,
            self.return_values_on_condition_check_failure,
            write,
        )
    }
}

impl TransactUpdate {
    fn checked(self) -> Result<TransactAction, Error> {
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[(ExpressionKind::Update, &self.update_expression)])?;
        let text = self.update_expression.unwrap_or_default();
        let (update, condition) = substitutions.parse(|placeholders| {
            let update = Update::parse(&text, placeholders)?;
            let condition = expressions::condition(&self.condition_expression, placeholders)?;
            Ok((update, condition))
        })?;
        let key = checked(self.key)?;
        let write = TransactWrite::Update {
            key,
            update,
            condition,
        };
        action(
            self.table_name,
            self.return_values_on_condition_check_failure,
            write,
        )
    }
}
