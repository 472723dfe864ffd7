//! GetItem: reads one item by its key.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expressions::{self, ExpressionNames, Substitutions, with_names};
use crate::legacy::{attributes_to_get, mixing};
use crate::structure::structure;
use crate::{Error, ReturnConsumedCapacity, TableName};
use monotable_expr::{ExpressionKind, Projection};
use monotable_item::{EncodedItem, GivenItem};

structure! {
    /// A GetItem request.
    pub struct GetItemInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The key.
        key: GivenItem,
        /// Legacy: which attributes to return.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        attributes_to_get: Vec<String>,
        /// Whether to see every write that was acknowledged before.
        consistent_read: bool,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// Which attributes to return.
        projection_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
    }

    /// A GetItem answer.
    pub struct GetItemOutput {
        /// The item, if there is one.
        item: EncodedItem,
        /// The consumed capacity.
        consumed_capacity: ConsumedCapacity,
    }
}

with_names!(GetItemInput);

/// A GetItem request, checked.
#[derive(Clone, Debug)]
pub struct ValidGetItem {
    /// The table.
    pub table: TableName,
    /// The key.
    pub key: EncodedItem,
    /// Which attributes to return; all without one.
    pub projection: Option<Projection>,
    /// Whether to see every write that was acknowledged before.
    pub consistent: bool,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

impl GetItemInput {
    /// Reads the item with this key.
    pub fn new(table: impl Into<String>, key: impl Into<GivenItem>) -> Self {
        Self {
            table_name: Some(table.into()),
            key: Some(key.into()),
            ..Self::default()
        }
    }

    /// Returns only these attributes.
    pub fn projection(mut self, expression: impl Into<String>) -> Self {
        self.projection_expression = Some(expression.into());
        self
    }

    /// Sees every write that was acknowledged before.
    pub fn consistent(mut self) -> Self {
        self.consistent_read = Some(true);
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidGetItem, Error> {
        let mut constraints = Constraints::default();
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        attributes_to_get::constrain(
            &mut constraints,
            Path::Root("attributesToGet"),
            &self.attributes_to_get,
        );
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        constraints.required(Path::Root("key"), &self.key);
        let (table, key) = constraints.finish(table.zip(self.key))?;

        mixing::check_mixing(
            &[("AttributesToGet", self.attributes_to_get.is_some())],
            &[("ProjectionExpression", &self.projection_expression)],
        )?;
        let substitutions = Substitutions::names_only(&self.expression_attribute_names);
        substitutions.check_needed(&[(ExpressionKind::Projection, &self.projection_expression)])?;
        let key = key.into_checked().map_err(Error::validation)?;
        let attributes = attributes_to_get::projection(&self.attributes_to_get)?;
        let projection = substitutions.parse(|placeholders| {
            expressions::projection(&self.projection_expression, placeholders)
        })?;
        Ok(ValidGetItem {
            table,
            key,
            projection: projection.or(attributes),
            consistent: self.consistent_read.unwrap_or_default(),
            capacity: capacity.unwrap_or_default(),
        })
    }
}
