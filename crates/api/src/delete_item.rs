//! DeleteItem: removes one item by its key.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expression_values::ExpressionValues;
use crate::expressions::{self, ExpressionNames, Substitutions, with_names_and_values};
use crate::legacy::{ConditionalOperator, ExpectedAttributes, expected, mixing};
use crate::structure::structure;
use crate::{
    Error, ItemCollectionMetrics, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValue,
    ReturnValuesOnConditionCheckFailure, TableName, item_rules,
};
use monotable_expr::{Condition, ExpressionKind};
use monotable_item::{EncodedItem, GivenItem};
use std::collections::BTreeMap;

structure! {
    /// A DeleteItem request.
    pub struct DeleteItemInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The key.
        key: GivenItem,
        /// Legacy: what must hold of attributes.
        expected: ExpectedAttributes,
        /// Legacy: how the conditions on attributes are joined.
        conditional_operator: Chosen<ConditionalOperator>,
        /// What to return.
        return_values: Chosen<ReturnValue>,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// Whether to return the size of the item collection.
        return_item_collection_metrics: Chosen<ReturnItemCollectionMetrics>,
        /// What must hold for the item to be removed.
        condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// A DeleteItem answer.
    pub struct DeleteItemOutput {
        /// The removed item, when it was asked for and there was one.
        attributes: EncodedItem,
        /// The consumed capacity.
        consumed_capacity: ConsumedCapacity,
        /// The size of the item collection.
        item_collection_metrics: ItemCollectionMetrics,
    }
}

with_names_and_values!(DeleteItemInput);

/// A DeleteItem request, checked.
#[derive(Clone, Debug)]
pub struct ValidDeleteItem {
    /// The table.
    pub table: TableName,
    /// The key.
    pub key: EncodedItem,
    /// What must hold for the item to be removed.
    pub condition: Option<Condition>,
    /// Whether to return the removed item.
    pub return_old: bool,
    /// Whether to return the stored item when the condition does not hold.
    pub return_old_on_failure: bool,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
    /// Whether to return the size of the item collection.
    pub metrics: ReturnItemCollectionMetrics,
}

impl DeleteItemInput {
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

    /// Returns these values: `ALL_OLD` or `NONE`.
    pub fn return_values(mut self, values: ReturnValue) -> Self {
        self.return_values = Some(values.into());
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDeleteItem, Error> {
        let mut constraints = Constraints::default();
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let returned = constraints.choice(Path::Root("returnValues"), &self.return_values);
        let metrics = constraints.choice(
            Path::Root("returnItemCollectionMetrics"),
            &self.return_item_collection_metrics,
        );
        constraints.required(Path::Root("key"), &self.key);
        let operator = constraints.choice(
            Path::Root("conditionalOperator"),
            &self.conditional_operator,
        );
        expected::constrain(&mut constraints, &self.expected);
        let on_failure = constraints.choice(
            Path::Root("returnValuesOnConditionCheckFailure"),
            &self.return_values_on_condition_check_failure,
        );
        let (table, key) = constraints.finish(table.zip(self.key))?;

        mixing::check_mixing(
            &[
                ("Expected", self.expected.is_some()),
                ("ConditionalOperator", operator.is_some()),
            ],
            &[("ConditionExpression", &self.condition_expression)],
        )?;
        let expected = self.expected.as_ref().map_or(0, BTreeMap::len);
        mixing::check_operator(operator, expected)?;
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[(ExpressionKind::Condition, &self.condition_expression)])?;
        let key = key.into_checked().map_err(Error::validation)?;
        let return_old = item_rules::return_old(returned)?;
        let expected = expected::condition(&self.expected, operator)?;
        let condition = substitutions.parse(|placeholders| {
            expressions::condition(&self.condition_expression, placeholders)
        })?;
        Ok(ValidDeleteItem {
            table,
            key,
            condition: condition.or(expected),
            return_old,
            return_old_on_failure: item_rules::return_old_on_failure(on_failure),
            capacity: capacity.unwrap_or_default(),
            metrics: metrics.unwrap_or_default(),
        })
    }
}
