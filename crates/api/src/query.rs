//! Query: reads the items of one partition, in order of their sort key.

use crate::capacity::ConsumedCapacity;
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::expression_values::ExpressionValues;
use crate::expressions::{self, ExpressionNames, Substitutions, with_names_and_values};
use crate::legacy::{
    AttributeConditions, ConditionalOperator, attributes_to_get, conditions, mixing,
};
use crate::select::{ProjectionParameter, SelectRules};
use crate::structure::{map_only, structure};
use crate::{
    Error, IndexName, ReturnConsumedCapacity, Select, Selection, TableName, start_key, wording,
};
use monotable_expr::{Condition, ExpressionKind, KeyCondition};
use monotable_item::{EncodedItem, GivenItem};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

structure! {
    /// A Query request.
    pub struct QueryInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The index to read instead of the table.
        index_name: String,
        /// Which attributes to return.
        select: Chosen<Select>,
        /// Legacy: which attributes to return.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        attributes_to_get: Vec<String>,
        /// How many items to read at most, before the filter.
        limit: i64,
        /// Whether to see every write that was acknowledged before.
        consistent_read: bool,
        /// Legacy: which partition to read, and which part of it.
        key_conditions: AttributeConditions,
        /// Legacy: which of the read items to return.
        query_filter: AttributeConditions,
        /// Legacy: how the conditions on attributes are joined.
        conditional_operator: Chosen<ConditionalOperator>,
        /// Whether to read in ascending order.
        scan_index_forward: bool,
        /// The key to go on after.
        exclusive_start_key: GivenItem,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// Which attributes to return.
        projection_expression: String,
        /// Which of the read items to return.
        filter_expression: String,
        /// Which partition to read, and which part of it.
        key_condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
    }
}

/// A Query answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct QueryOutput {
    /// The items; absent when only their count was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<EncodedItem>>,
    /// How many items there are after the filter.
    #[serde(default)]
    pub count: u64,
    /// How many items were read.
    #[serde(default)]
    pub scanned_count: u64,
    /// The key to go on after; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_evaluated_key: Option<EncodedItem>,
    /// The consumed capacity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumed_capacity: Option<ConsumedCapacity>,
}

map_only!(QueryOutput);
with_names_and_values!(QueryInput);

/// A Query request, checked.
#[derive(Clone, Debug)]
pub struct ValidQuery {
    /// The table.
    pub table: TableName,
    /// The index to read instead of the table.
    pub index: Option<IndexName>,
    /// Which partition to read, and which part of it.
    pub key_condition: KeyCondition,
    /// Which of the read items to return.
    pub filter: Option<Condition>,
    /// The parameter that the filter came in.
    pub filter_parameter: FilterParameter,
    /// Which attributes to return.
    pub selection: Selection,
    /// How many items to read at most, before the filter.
    pub limit: Option<NonZeroUsize>,
    /// Whether to see every write that was acknowledged before.
    pub consistent: bool,
    /// Whether to read in ascending order.
    pub forward: bool,
    /// The key to go on after.
    pub start: Option<EncodedItem>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
}

/// The parameter that a filter came in. AWS names it when it refuses a filter on the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterParameter {
    /// `FilterExpression`.
    Expression,
    /// `QueryFilter`.
    QueryFilter,
}

/// The members that have constraints, once these hold.
struct Constrained {
    table: TableName,
    index: Option<IndexName>,
    select: Option<Select>,
    operator: Option<ConditionalOperator>,
    limit: Option<NonZeroUsize>,
    capacity: ReturnConsumedCapacity,
}

/// The most items to read, which must be at least one.
fn limit(constraints: &mut Constraints, given: Option<i64>) -> Option<NonZeroUsize> {
    let given = given?;
    if given < 1 {
        let rule = "Member must have value greater than or equal to 1";
        constraints.report_newer(Path::Root("Limit"), rule);
    }
    NonZeroUsize::new(usize::try_from(given).ok()?)
}

impl QueryInput {
    /// Reads the items of which this holds.
    pub fn new(table: impl Into<String>, key_condition: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
            key_condition_expression: Some(key_condition.into()),
            ..Self::default()
        }
    }

    /// From this index instead of the table.
    pub fn index(mut self, name: impl Into<String>) -> Self {
        self.index_name = Some(name.into());
        self
    }

    /// Returns only items of which this holds.
    pub fn filter(mut self, expression: impl Into<String>) -> Self {
        self.filter_expression = Some(expression.into());
        self
    }

    /// Returns only these attributes.
    pub fn projection(mut self, expression: impl Into<String>) -> Self {
        self.projection_expression = Some(expression.into());
        self
    }

    /// Reads this many items at most.
    pub fn limit(mut self, limit: u32) -> Self {
        self.limit = Some(limit.into());
        self
    }

    /// Reads in descending order.
    pub fn backward(mut self) -> Self {
        self.scan_index_forward = Some(false);
        self
    }

    /// Sees every write that was acknowledged before.
    pub fn consistent(mut self) -> Self {
        self.consistent_read = Some(true);
        self
    }

    /// Goes on after this key, the `last_evaluated_key` of the page before.
    pub fn start_after(mut self, key: impl Into<GivenItem>) -> Self {
        self.exclusive_start_key = Some(key.into());
        self
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidQuery, Error> {
        let Constrained {
            table,
            index,
            select,
            operator,
            limit,
            capacity,
        } = self.constrain()?;
        self.check_mixing(operator)?;
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[
            (ExpressionKind::Projection, &self.projection_expression),
            (ExpressionKind::Filter, &self.filter_expression),
            (ExpressionKind::KeyCondition, &self.key_condition_expression),
        ])?;
        let query_filter = conditions::filter(&self.query_filter, operator)?;
        let attributes = attributes_to_get::projection(&self.attributes_to_get)?;
        let start = start_key::checked(self.exclusive_start_key)?;
        if self.key_condition_expression.is_none() && self.key_conditions.is_none() {
            return Err(Error::validation(wording::NO_KEY_CONDITION));
        }
        let projection_parameter =
            ProjectionParameter::of(&self.attributes_to_get, &self.projection_expression);
        SelectRules::Query.check(select, projection_parameter, index.is_some())?;
        let (key_condition, filter, projection) = substitutions.parse(|placeholders| {
            let text = &self.key_condition_expression;
            let key_condition = expressions::key_condition(text, placeholders)?;
            let filter = expressions::filter(&self.filter_expression, placeholders)?;
            let projection = expressions::projection(&self.projection_expression, placeholders)?;
            Ok((key_condition, filter, projection))
        })?;
        let key_condition = match key_condition {
            Some(key_condition) => key_condition,
            None => conditions::key_condition(&self.key_conditions.unwrap_or_default())?,
        };
        let filter_parameter = match filter {
            Some(_) => FilterParameter::Expression,
            None => FilterParameter::QueryFilter,
        };
        Ok(ValidQuery {
            key_condition,
            filter: filter.or(query_filter),
            filter_parameter,
            selection: Selection::new(select, projection.or(attributes), index.is_some()),
            table,
            index,
            limit,
            consistent: self.consistent_read.unwrap_or_default(),
            forward: self.scan_index_forward.unwrap_or(true),
            start,
            capacity,
        })
    }

    fn constrain(&self) -> Result<Constrained, Error> {
        let mut constraints = Constraints::default();
        let select = constraints.choice(Path::Root("select"), &self.select);
        let index = self
            .index_name
            .as_ref()
            .map(|name| IndexName::constrain(&mut constraints, Path::Root("indexName"), name));
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let query_filter = Path::Root("queryFilter");
        conditions::constrain(&mut constraints, query_filter, &self.query_filter);
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let operator = constraints.choice(
            Path::Root("conditionalOperator"),
            &self.conditional_operator,
        );
        attributes_to_get::constrain(
            &mut constraints,
            Path::Root("attributesToGet"),
            &self.attributes_to_get,
        );
        let limit = limit(&mut constraints, self.limit);
        let key_conditions = Path::Root("keyConditions");
        conditions::constrain(&mut constraints, key_conditions, &self.key_conditions);
        let table = constraints.finish(table)?;
        Ok(Constrained {
            table,
            index,
            select,
            operator,
            limit,
            capacity: capacity.unwrap_or_default(),
        })
    }

    /// Key conditions may stand beside expressions, only not beside one of their own kind.
    fn check_mixing(&self, operator: Option<ConditionalOperator>) -> Result<(), Error> {
        let two_key_conditions =
            self.key_conditions.is_some() && self.key_condition_expression.is_some();
        mixing::check_mixing(
            &[
                ("AttributesToGet", self.attributes_to_get.is_some()),
                ("QueryFilter", self.query_filter.is_some()),
                ("ConditionalOperator", operator.is_some()),
                ("KeyConditions", two_key_conditions),
            ],
            &[
                ("ProjectionExpression", &self.projection_expression),
                ("FilterExpression", &self.filter_expression),
                ("KeyConditionExpression", &self.key_condition_expression),
            ],
        )?;
        mixing::check_operator(
            operator,
            self.query_filter.as_ref().map_or(0, BTreeMap::len),
        )
    }
}
