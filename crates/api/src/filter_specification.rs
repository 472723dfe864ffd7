//! Which items of a table an export has, and which of their attributes.

use crate::Error;
use crate::expression_values::ExpressionValues;
use crate::expressions::{self, ExpressionNames, Substitutions, with_names_and_values};
use crate::structure::structure;
use monotable_expr::{Condition, ExpressionKind, KeyCondition, Projection};

structure! {
    /// Which items an export has; all of them without.
    pub struct FilterSpecification {
        /// Only items of which this holds.
        filter_expression: String,
        /// Only these attributes of them.
        projection_expression: String,
        /// Only items of one partition, or of a part of it.
        key_condition_expression: String,
        /// What stands for `#name`s.
        #[serde(default, deserialize_with = "crate::bounded::map")]
        expression_attribute_names: ExpressionNames,
        /// What stands for `:value`s.
        expression_attribute_values: ExpressionValues,
    }
}

with_names_and_values!(FilterSpecification);

/// Which items an export has, checked.
#[derive(Clone, Debug, Default)]
pub struct ValidFilterSpecification {
    /// Only items of one partition, or of a part of it.
    pub key_condition: Option<KeyCondition>,
    /// Only items of which this holds.
    pub filter: Option<Condition>,
    /// Only these attributes of them.
    pub projection: Option<Projection>,
}

impl FilterSpecification {
    /// Exports only items of which this holds.
    pub fn filter(mut self, expression: impl Into<String>) -> Self {
        self.filter_expression = Some(expression.into());
        self
    }

    /// Exports only items whose keys fulfil this.
    pub fn key_condition(mut self, expression: impl Into<String>) -> Self {
        self.key_condition_expression = Some(expression.into());
        self
    }

    /// Exports only these attributes.
    pub fn projection(mut self, expression: impl Into<String>) -> Self {
        self.projection_expression = Some(expression.into());
        self
    }

    /// Checks everything that can be judged without the table, as Query does.
    pub fn validate(&self) -> Result<ValidFilterSpecification, Error> {
        let substitutions = Substitutions::new(
            &self.expression_attribute_names,
            &self.expression_attribute_values,
        );
        substitutions.check_needed(&[
            (ExpressionKind::Projection, &self.projection_expression),
            (ExpressionKind::Filter, &self.filter_expression),
            (ExpressionKind::KeyCondition, &self.key_condition_expression),
        ])?;
        substitutions.parse(|placeholders| {
            let text = &self.key_condition_expression;
            Ok(ValidFilterSpecification {
                key_condition: expressions::key_condition(text, placeholders)?,
                filter: expressions::filter(&self.filter_expression, placeholders)?,
                projection: expressions::projection(&self.projection_expression, placeholders)?,
            })
        })
    }
}
