//! The request, its answer, and what holds of the request as a whole.

use super::TransactAction;
use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expression_values::ExpressionValues;
use crate::expressions::{ExpressionNames, with_names_and_values};
use crate::structure::structure;
use crate::{
    Error, ItemCollectionMetrics, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnValuesOnConditionCheckFailure,
};
use monotable_item::{GivenItem, limits};
use std::collections::BTreeMap;

structure! {
    /// A TransactWriteItems request.
    pub struct TransactWriteItemsInput {
        /// The actions.
        transact_items: Vec<TransactWriteItem>,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// Whether to return the sizes of the item collections.
        return_item_collection_metrics: Chosen<ReturnItemCollectionMetrics>,
        /// Makes the request idempotent: a second one with the same token changes nothing.
        client_request_token: String,
    }

    /// One action: exactly one of the members.
    pub struct TransactWriteItem {
        /// Changes nothing, but must hold.
        condition_check: TransactConditionCheck,
        /// Writes an item.
        put: TransactPut,
        /// Removes an item.
        delete: TransactDelete,
        /// Changes an item.
        update: TransactUpdate,
    }

    /// Must hold of an item for the transaction to be carried out.
    pub struct TransactConditionCheck {
        /// The item's key.
        key: GivenItem,
        /// The table, by name or ARN.
        table_name: String,
        /// What must hold.
        condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// Writes an item.
    pub struct TransactPut {
        /// The item.
        item: GivenItem,
        /// The table, by name or ARN.
        table_name: String,
        /// What must hold of the stored item.
        condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// Removes an item.
    pub struct TransactDelete {
        /// The item's key.
        key: GivenItem,
        /// The table, by name or ARN.
        table_name: String,
        /// What must hold of the stored item.
        condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// Changes an item.
    pub struct TransactUpdate {
        /// The item's key.
        key: GivenItem,
        /// What to change.
        update_expression: String,
        /// The table, by name or ARN.
        table_name: String,
        /// What must hold of the stored item.
        condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// A TransactWriteItems answer.
    pub struct TransactWriteItemsOutput {
        /// The consumed capacity, per table.
        consumed_capacity: Vec<ConsumedCapacity>,
        /// The sizes of the item collections, by table.
        item_collection_metrics: BTreeMap<String, Vec<ItemCollectionMetrics>>,
    }
}

with_names_and_values!(
    TransactConditionCheck,
    TransactPut,
    TransactDelete,
    TransactUpdate
);

/// A TransactWriteItems request, checked.
#[derive(Clone, Debug)]
pub struct ValidTransactWriteItems {
    /// The actions.
    pub actions: Vec<TransactAction>,
    /// Makes the request idempotent.
    pub token: Option<String>,
    /// What two requests with the same token must have in common, when there is a token.
    pub payload: Option<Vec<u8>>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
    /// Whether to return the sizes of the item collections.
    pub metrics: ReturnItemCollectionMetrics,
}

impl TransactWriteItemsInput {
    /// These actions, all or none.
    pub fn new<A: Into<TransactWriteItem>>(actions: impl IntoIterator<Item = A>) -> Self {
        let actions = actions.into_iter().map(Into::into).collect();
        Self {
            transact_items: Some(actions),
            ..Self::default()
        }
    }

    /// And this one.
    pub fn and(mut self, action: impl Into<TransactWriteItem>) -> Self {
        self.transact_items
            .get_or_insert_default()
            .push(action.into());
        self
    }

    /// At most once, however often it is sent.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.client_request_token = Some(token.into());
        self
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidTransactWriteItems, Error> {
        const PATH: Path<'static> = Path::Root("transactItems");
        let mut constraints = Constraints::default();
        if let Some(token) = &self.client_request_token {
            let path = Path::Root("clientRequestToken");
            constraints.text_length(path, token, 1..=limits::MAX_TOKEN_CHARS);
        }
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let metrics = constraints.choice(
            Path::Root("returnItemCollectionMetrics"),
            &self.return_item_collection_metrics,
        );
        if let Some(actions) = constraints.required(PATH, &self.transact_items) {
            constraints.list_length(PATH, actions, 1..=limits::MAX_TRANSACTION_ACTIONS);
            for (index, action) in actions.iter().enumerate() {
                action.constrain(&mut constraints, PATH.element(index));
            }
        }
        let actions = constraints.finish(self.transact_items)?;

        let payload = self
            .client_request_token
            .is_some()
            .then(|| payload(&actions));
        let actions = actions.into_iter().map(TransactWriteItem::checked);
        Ok(ValidTransactWriteItems {
            actions: actions.collect::<Result<_, _>>()?,
            token: self.client_request_token,
            payload,
            capacity: capacity.unwrap_or_default(),
            metrics: metrics.unwrap_or_default(),
        })
    }
}

/// The actions as JSON, in one form whatever the order of members and the space between them was.
/// An item that cannot be written back fails its own check next.
fn payload(actions: &[TransactWriteItem]) -> Vec<u8> {
    serde_json::to_vec(actions).unwrap_or_default()
}
