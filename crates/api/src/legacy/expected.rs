//! `Expected`: what must hold of an item for a write to be done.
//!
//! Each attribute has either a comparison, as in a filter, or the older `Value` and `Exists`. AWS also
//! takes `Value` where a comparison has one value.

use super::comparison::{Comparison, ComparisonOperator};
use super::mixing::{ConditionalOperator, join};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};
use monotable_expr::Condition;
use monotable_item::GivenValue;
use std::collections::BTreeMap;

structure! {
    /// What is expected of one attribute.
    pub struct ExpectedAttributeValue {
        /// The value that it has.
        value: GivenValue,
        /// Whether it exists.
        exists: bool,
        /// How it compares with the values of the list.
        comparison_operator: Chosen<ComparisonOperator>,
        /// What it is compared with.
        attribute_value_list: Vec<GivenValue>,
    }
}

/// What is expected, by attribute.
pub type ExpectedAttributes = BTreeMap<String, ExpectedAttributeValue>;

/// Checks the constraints on the operators of a map.
pub(crate) fn constrain(constraints: &mut Constraints, expected: &Option<ExpectedAttributes>) {
    const PATH: Path<'static> = Path::Root("expected");
    for (name, expected) in expected.iter().flatten() {
        let entry = PATH.entry(name);
        let path = entry.field("comparisonOperator");
        constraints.choice(path, &expected.comparison_operator);
    }
}

/// The condition that a map makes; none if it is empty.
pub(crate) fn condition(
    expected: &Option<ExpectedAttributes>,
    operator: Option<ConditionalOperator>,
) -> Result<Option<Condition>, Error> {
    let predicates = expected
        .iter()
        .flatten()
        .map(|(name, expected)| Ok(expected.check(name)?.of_attribute(name)))
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(join(operator, predicates))
}

impl ExpectedAttributeValue {
    /// The attribute has this value.
    pub fn value(value: impl Into<GivenValue>) -> Self {
        Self {
            value: Some(value.into()),
            ..Self::default()
        }
    }

    /// The attribute does not exist.
    pub fn absent() -> Self {
        Self {
            exists: Some(false),
            ..Self::default()
        }
    }

    /// The attribute compares so with these values.
    pub fn comparison<V: Into<GivenValue>>(
        operator: ComparisonOperator,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        Self {
            comparison_operator: Some(operator.into()),
            attribute_value_list: Some(values.into_iter().map(Into::into).collect()),
            ..Self::default()
        }
    }

    fn check(&self, name: &str) -> Result<Comparison, Error> {
        if self.attribute_value_list.is_some() && self.value.is_some() {
            return Err(Error::validation(wording::value_and_list(name)));
        }
        match self.comparison_operator.as_ref().and_then(Chosen::known) {
            Some(operator) => self.check_comparison(operator, name),
            None if self.attribute_value_list.is_some() => {
                Err(Error::validation(wording::list_without_comparison(name)))
            }
            None => self.check_existence(name),
        }
    }

    fn check_comparison(
        &self,
        operator: ComparisonOperator,
        name: &str,
    ) -> Result<Comparison, Error> {
        if self.exists.is_some() {
            return Err(Error::validation(wording::exists_and_comparison(name)));
        }
        let needs_values = !matches!(
            operator,
            ComparisonOperator::Null | ComparisonOperator::NotNull
        );
        match (&self.attribute_value_list, &self.value) {
            (None, None) if needs_values => Err(Error::validation(
                wording::comparison_without_value(operator, name),
            )),
            (Some(values), _) => Comparison::check(operator, values),
            (None, Some(value)) => Comparison::check(operator, std::slice::from_ref(value)),
            (None, None) => Comparison::check(operator, &[]),
        }
    }

    fn check_existence(&self, name: &str) -> Result<Comparison, Error> {
        match (self.exists, &self.value) {
            (Some(true) | None, None) => Err(Error::validation(wording::exists_without_value(
                self.exists,
                name,
            ))),
            (Some(false), Some(_)) => Err(Error::validation(wording::absent_with_value(name))),
            (Some(false), None) => Comparison::check(ComparisonOperator::Null, &[]),
            (Some(true) | None, Some(value)) => {
                Comparison::check(ComparisonOperator::Eq, std::slice::from_ref(value))
            }
        }
    }
}
