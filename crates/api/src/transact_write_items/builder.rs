//! Making the actions of a transaction.

use super::{
    TransactConditionCheck, TransactDelete, TransactPut, TransactUpdate, TransactWriteItem,
};
use crate::ReturnValuesOnConditionCheckFailure;
use monotable_item::GivenItem;

impl TransactConditionCheck {
    /// This must hold of the item with this key.
    pub fn new(
        table: impl Into<String>,
        key: impl Into<GivenItem>,
        condition: impl Into<String>,
    ) -> Self {
        Self {
            table_name: Some(table.into()),
            key: Some(key.into()),
            condition_expression: Some(condition.into()),
            ..Self::default()
        }
    }
}

impl TransactPut {
    /// Writes this item.
    pub fn new(table: impl Into<String>, item: impl Into<GivenItem>) -> Self {
        Self {
            table_name: Some(table.into()),
            item: Some(item.into()),
            ..Self::default()
        }
    }

    /// Only if this holds of the stored item.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.condition_expression = Some(expression.into());
        self
    }
}

impl TransactDelete {
    /// Removes the item with this key.
    pub fn new(table: impl Into<String>, key: impl Into<GivenItem>) -> Self {
        Self {
            table_name: Some(table.into()),
            key: Some(key.into()),
            ..Self::default()
        }
    }

    /// Only if this holds of the stored item.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.condition_expression = Some(expression.into());
        self
    }
}

impl TransactUpdate {
    /// Changes the item with this key in this way.
    pub fn new(
        table: impl Into<String>,
        key: impl Into<GivenItem>,
        update: impl Into<String>,
    ) -> Self {
        Self {
            table_name: Some(table.into()),
            key: Some(key.into()),
            update_expression: Some(update.into()),
            ..Self::default()
        }
    }

    /// Only if this holds of the stored item.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.condition_expression = Some(expression.into());
        self
    }
}

/// Gives the four actions the builder that all of them have, and their way into a request.
macro_rules! actions {
    ($( $action:ident => $member:ident; )*) => {$(
        impl $action {
            /// Returns the stored item when the condition does not hold.
            pub fn return_old_on_failure(mut self) -> Self {
                let all_old = ReturnValuesOnConditionCheckFailure::AllOld;
                self.return_values_on_condition_check_failure = Some(all_old.into());
                self
            }
        }

        impl From<$action> for TransactWriteItem {
            fn from(action: $action) -> Self {
                Self { $member: Some(action), ..Self::default() }
            }
        }
    )*};
}

actions! {
    TransactConditionCheck => condition_check;
    TransactPut => put;
    TransactDelete => delete;
    TransactUpdate => update;
}
