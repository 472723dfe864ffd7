//! UpdateItem: changes attributes of one item, creating the item if there is none.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expression_values::ExpressionValues;
use crate::expressions::{self, ExpressionNames, Substitutions, with_names_and_values};
use crate::legacy::{
    AttributeUpdates, ConditionalOperator, ExpectedAttributes, attribute_updates, expected, mixing,
};
use crate::structure::structure;
use crate::{
    Error, ItemCollectionMetrics, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValue,
    ReturnValuesOnConditionCheckFailure, TableName, item_rules,
};
use monotable_expr::{Condition, ExpressionKind, Update};
use monotable_item::{EncodedItem, GivenItem};
use std::collections::BTreeMap;

structure! {
    /// An UpdateItem request.
    pub struct UpdateItemInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The key.
        key: GivenItem,
        /// Legacy: what to do to attributes.
        attribute_updates: AttributeUpdates,
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
        /// What to change.
        update_expression: String,
        /// What must hold for the change to be made.
        condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to return the stored item when the condition does not hold.
        return_values_on_condition_check_failure: Chosen<ReturnValuesOnConditionCheckFailure>,
    }

    /// An UpdateItem answer.
    pub struct UpdateItemOutput {
        /// The attributes that were asked for.
        attributes: EncodedItem,
        /// The consumed capacity.
        consumed_capacity: ConsumedCapacity,
        /// The size of the item collection.
        item_collection_metrics: ItemCollectionMetrics,
    }
}

with_names_and_values!(UpdateItemInput);

/// An UpdateItem request, checked.
#[derive(Clone, Debug)]
pub struct ValidUpdateItem {
    /// The table.
    pub table: TableName,
    /// The key.
    pub key: EncodedItem,
    /// What to change; without one, an item is created if there is none.
    pub update: Option<Update>,
    /// What must hold for the change to be made.
    pub condition: Option<Condition>,
    /// What to return.
    pub return_values: ReturnValue,
    /// Whether to return the stored item when the condition does not hold.
    pub return_old_on_failure: bool,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
    /// Whether to return the size of the item collection.
    pub metrics: ReturnItemCollectionMetrics,
}

impl UpdateItemInput {
    /// Changes the item with this key.
    pub fn new(table: impl Into<String>, key: impl Into<GivenItem>) -> Self {
        Self {
            table_name: Some(table.into()),
            key: Some(key.into()),
            ..Self::default()
        }
    }

    /// In this way.
    pub fn update(mut self, expression: impl Into<String>) -> Self {
        self.update_expression = Some(expression.into());
        self
    }

    /// Only if this holds of the stored item.
    pub fn condition(mut self, expression: impl Into<String>) -> Self {
        self.condition_expression = Some(expression.into());
        self
    }

    /// Returns these values.
    pub fn return_values(mut self, values: ReturnValue) -> Self {
        self.return_values = Some(values.into());
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidUpdateItem, Error> {
        let mut constraints = Constraints::default();
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let metrics = constraints.choice(
            Path::Root("returnItemCollectionMetrics"),
            &self.return_item_collection_metrics,
        );
        let returned = constraints.choice(Path::Root("returnValues"), &self.return_values);
        constraints.required(Path::Root("key"), &self.key);
        let operator = constraints.choice(
            Path::Root("conditionalOperator"),
            &self.conditional_operator,
        );
        expected::constrain(&mut constraints, &self.expected);
        attribute_updates::constrain(&mut constraints, &self.attribute_updates);
        let on_failure = constraints.choice(
            Path::Root("returnValuesOnConditionCheckFailure"),
            &self.return_values_on_condition_check_failure,
        );
        let (table, key) = constraints.finish(table.zip(self.key))?;

        mixing::check_mixing(
            &[
                ("AttributeUpdates", self.attribute_updates.is_some()),
                ("Expected", self.expected.is_some()),
                ("ConditionalOperator", operator.is_some()),
            ],
            &[
                ("UpdateExpression", &self.update_expression),
                ("ConditionExpression", &self.condition_expression),
            ],
        )?;
        let expected = self.expected.as_ref().map_or(0, BTreeMap::len);
        mixing::check_operator(operator, expected)?;
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[
            (ExpressionKind::Update, &self.update_expression),
            (ExpressionKind::Condition, &self.condition_expression),
        ])?;
        let key = key.into_checked().map_err(Error::validation)?;
        let attribute_updates = attribute_updates::update(&self.attribute_updates)?;
        let expected = expected::condition(&self.expected, operator)?;
        let (update, condition) = substitutions.parse(|placeholders| {
            let update = expressions::update(&self.update_expression, placeholders)?;
            let condition = expressions::condition(&self.condition_expression, placeholders)?;
            Ok((update, condition))
        })?;
        Ok(ValidUpdateItem {
            table,
            key,
            update: update.or(attribute_updates),
            condition: condition.or(expected),
            return_values: returned.unwrap_or(ReturnValue::None),
            return_old_on_failure: item_rules::return_old_on_failure(on_failure),
            capacity: capacity.unwrap_or_default(),
            metrics: metrics.unwrap_or_default(),
        })
    }
}
