//! Scan: reads all items, of the table or of one segment of it.

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
use monotable_expr::{Condition, ExpressionKind};
use monotable_item::{EncodedItem, GivenItem, limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

structure! {
    /// A Scan request.
    pub struct ScanInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The index to read instead of the table.
        index_name: String,
        /// Legacy: which attributes to return.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        attributes_to_get: Vec<String>,
        /// How many items to read at most, before the filter.
        limit: i64,
        /// Which attributes to return.
        select: Chosen<Select>,
        /// Legacy: which of the read items to return.
        scan_filter: AttributeConditions,
        /// Legacy: how the conditions on attributes are joined.
        conditional_operator: Chosen<ConditionalOperator>,
        /// The key to go on after.
        exclusive_start_key: GivenItem,
        /// Whether to return the consumed capacity.
        return_consumed_capacity: Chosen<ReturnConsumedCapacity>,
        /// Into how many segments the table is divided.
        total_segments: i64,
        /// Which of the segments to read, counted from 0.
        segment: i64,
        /// Which attributes to return.
        projection_expression: String,
        /// Which of the read items to return.
        filter_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
        /// Whether to see every write that was acknowledged before.
        consistent_read: bool,
    }
}

/// A Scan answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ScanOutput {
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

map_only!(ScanOutput);
with_names_and_values!(ScanInput);

/// One of the segments of a parallel scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanSegment {
    /// Which one, counted from 0.
    pub index: u32,
    /// How many there are; more than `index`.
    pub total: u32,
}

/// A Scan request, checked.
#[derive(Clone, Debug)]
pub struct ValidScan {
    /// The table.
    pub table: TableName,
    /// The index to read instead of the table.
    pub index: Option<IndexName>,
    /// Which of the read items to return.
    pub filter: Option<Condition>,
    /// Which attributes to return.
    pub selection: Selection,
    /// How many items to read at most, before the filter.
    pub limit: Option<NonZeroUsize>,
    /// Whether to see every write that was acknowledged before.
    pub consistent: bool,
    /// The segment to read instead of everything.
    pub segment: Option<ScanSegment>,
    /// The key to go on after.
    pub start: Option<EncodedItem>,
    /// Whether to return the consumed capacity.
    pub capacity: ReturnConsumedCapacity,
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

impl ScanInput {
    /// Reads all items of the table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
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

    /// Reads one of `total` segments.
    pub fn segment(mut self, index: u32, total: u32) -> Self {
        self.segment = Some(index.into());
        self.total_segments = Some(total.into());
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
    pub fn validate(self) -> Result<ValidScan, Error> {
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
        ])?;
        let attributes = attributes_to_get::projection(&self.attributes_to_get)?;
        let scan_filter = conditions::filter(&self.scan_filter, operator)?;
        let start = start_key::checked(self.exclusive_start_key)?;
        let segment = segment(self.segment, self.total_segments)?;
        let projection_parameter =
            ProjectionParameter::of(&self.attributes_to_get, &self.projection_expression);
        SelectRules::Scan.check(select, projection_parameter, index.is_some())?;
        let (filter, projection) = substitutions.parse(|placeholders| {
            let filter = expressions::filter(&self.filter_expression, placeholders)?;
            let projection = expressions::projection(&self.projection_expression, placeholders)?;
            Ok((filter, projection))
        })?;
        Ok(ValidScan {
            filter: filter.or(scan_filter),
            selection: Selection::new(select, projection.or(attributes), index.is_some()),
            table,
            index,
            limit,
            consistent: self.consistent_read.unwrap_or_default(),
            segment,
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
        let most = i64::from(limits::MAX_SEGMENTS);
        if let Some(total) = self.total_segments {
            constraints.range(Path::Root("totalSegments"), total, 1..=most);
        }
        let capacity = constraints.choice(
            Path::Root("returnConsumedCapacity"),
            &self.return_consumed_capacity,
        );
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let operator = constraints.choice(
            Path::Root("conditionalOperator"),
            &self.conditional_operator,
        );
        let scan_filter = Path::Root("scanFilter");
        conditions::constrain(&mut constraints, scan_filter, &self.scan_filter);
        if let Some(segment) = self.segment {
            constraints.range(Path::Root("segment"), segment, 0..=most - 1);
        }
        let limit = constraints.limit(self.limit);
        attributes_to_get::constrain(
            &mut constraints,
            Path::Root("attributesToGet"),
            &self.attributes_to_get,
        );
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

    fn check_mixing(&self, operator: Option<ConditionalOperator>) -> Result<(), Error> {
        mixing::check_mixing(
            &[
                ("AttributesToGet", self.attributes_to_get.is_some()),
                ("ScanFilter", self.scan_filter.is_some()),
                ("ConditionalOperator", operator.is_some()),
            ],
            &[
                ("ProjectionExpression", &self.projection_expression),
                ("FilterExpression", &self.filter_expression),
            ],
        )?;
        mixing::check_operator(operator, self.scan_filter.as_ref().map_or(0, BTreeMap::len))
    }
}

/// The segment, once the constraints of both members hold.
fn segment(index: Option<i64>, total: Option<i64>) -> Result<Option<ScanSegment>, Error> {
    match (index, total) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(Error::validation(wording::SEGMENT_WITHOUT_TOTAL)),
        (None, Some(_)) => Err(Error::validation(wording::TOTAL_WITHOUT_SEGMENT)),
        (Some(index), Some(total)) if index >= total => Err(Error::validation(
            wording::segment_out_of_range(index, total),
        )),
        (Some(index), Some(total)) => Ok(u32::try_from(index)
            .ok()
            .zip(u32::try_from(total).ok())
            .map(|(index, total)| ScanSegment { index, total })),
    }
}
