//! `QueryFilter`, `ScanFilter` and `KeyConditions`: one comparison for each attribute.

use super::comparison::{Comparison, ComparisonOperator};
use super::mixing::{ConditionalOperator, join};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, wording};
use monotable_expr::{Condition, KeyClause, KeyCondition};
use monotable_item::GivenValue;
use std::collections::BTreeMap;

structure! {
    /// A condition on one attribute; AWS calls it `Condition`.
    pub struct AttributeCondition {
        /// What the attribute is compared with.
        attribute_value_list: Vec<GivenValue>,
        /// How it is compared.
        comparison_operator: Chosen<ComparisonOperator>,
    }
}

/// Conditions by attribute.
pub type AttributeConditions = BTreeMap<String, AttributeCondition>;

impl AttributeCondition {
    /// The attribute compares so with these values.
    pub fn new<V: Into<GivenValue>>(
        operator: ComparisonOperator,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        Self {
            attribute_value_list: Some(values.into_iter().map(Into::into).collect()),
            comparison_operator: Some(operator.into()),
        }
    }

    fn check(&self) -> Result<Comparison, Error> {
        let operator = self.comparison_operator.as_ref().and_then(Chosen::known);
        // INVARIANT: requests without a known operator were refused by `constrain`.
        let operator = operator.ok_or_else(|| Error::internal("an operator is not checked"))?;
        let values = self.attribute_value_list.as_deref().unwrap_or_default();
        Comparison::check(operator, values)
    }
}

/// Checks the constraints on the operators of a map.
pub(crate) fn constrain(
    constraints: &mut Constraints,
    path: Path<'_>,
    conditions: &Option<AttributeConditions>,
) {
    for (name, condition) in conditions.iter().flatten() {
        let entry = path.entry(name);
        let path = entry.field("comparisonOperator");
        constraints.required(path, &condition.comparison_operator);
        constraints.choice(path, &condition.comparison_operator);
    }
}

/// The filter that a map makes; none if it is empty.
pub(crate) fn filter(
    conditions: &Option<AttributeConditions>,
    operator: Option<ConditionalOperator>,
) -> Result<Option<Condition>, Error> {
    let predicates = conditions
        .iter()
        .flatten()
        .map(|(name, condition)| Ok(condition.check()?.of_attribute(name)))
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(join(operator, predicates))
}

/// The condition on a key that a map makes.
pub(crate) fn key_condition(conditions: &AttributeConditions) -> Result<KeyCondition, Error> {
    let clauses = conditions
        .iter()
        .map(|(name, condition)| {
            Ok(KeyClause {
                attribute: name.clone(),
                condition: condition.check()?.of_key(),
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    if !(1..=2).contains(&clauses.len()) {
        return Err(Error::validation(wording::KEY_CONDITIONS_LENGTH));
    }
    Ok(KeyCondition::from_clauses(clauses))
}
