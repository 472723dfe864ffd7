//! Conditions: what else must hold for a statement to apply.

mod comparison;
mod network;
mod operator;

use crate::error::PolicyError;
use crate::json::Place;
use crate::key::{ConditionKey, Context, Multiplicity};
use crate::wording;
use comparison::Comparand;
pub(crate) use operator::{Absence, OperatorName, Qualifier, Sense};

/// One operator on one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub(crate) operator: OperatorName,
    pub(crate) key: ConditionKey,
    wanted: Vec<Comparand>,
}

/// Reads `Condition`: operators, below each its keys, below each its values. All of them must hold.
pub(crate) fn parse(place: &Place<'_>) -> Result<Vec<Condition>, PolicyError> {
    let mut conditions = Vec::new();
    for (name, keys) in place.members()? {
        let operator = OperatorName::parse(name)
            .ok_or_else(|| keys.refuse(wording::unknown_operator(name)))?;
        for (name, values) in keys.members()? {
            let key = ConditionKey::parse(name)
                .ok_or_else(|| values.refuse(wording::unknown_key(name)))?;
            conditions.push(Condition::new(operator, key, &values)?);
        }
    }
    Ok(conditions)
}

impl Condition {
    fn new(
        operator: OperatorName,
        key: ConditionKey,
        values: &Place<'_>,
    ) -> Result<Self, PolicyError> {
        let is_plain = operator.qualifier.is_none() && !operator.is_null();
        if is_plain && key.multiplicity() == Multiplicity::Several {
            return Err(values.refuse(wording::several_values(&key, operator)));
        }
        let wanted = values.one_or_more()?;
        let wanted = wanted
            .iter()
            .map(|value| Comparand::parse(operator, value))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            operator,
            key,
            wanted,
        })
    }

    /// The keys whose values its variables need.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &ConditionKey> {
        self.wanted.iter().flat_map(Comparand::variables)
    }

    /// Whether it asks for the key to be there: `"Null": {"key": "false"}`.
    pub(crate) fn is_null_false(&self) -> bool {
        self.operator.is_null() && self.wanted == [Comparand::Bool(false)]
    }

    /// Whether it holds of a request.
    pub(crate) fn holds(&self, context: &Context<'_>) -> bool {
        let given = self.key.values(context);
        if self.operator.is_null() {
            let is_absent = given.is_empty().to_string();
            return self.is_among(&is_absent, context);
        }
        if given.is_empty() {
            return self.operator.holds_of_nothing();
        }
        let holds = |value: &String| match self.operator.sense {
            Sense::Equal => self.is_among(value, context),
            // A value that is to differ must differ from every value of the policy.
            Sense::Different => !self.is_among(value, context),
        };
        match self.operator.qualifier {
            Some(Qualifier::ForAnyValue) => given.iter().any(holds),
            Some(Qualifier::ForAllValues) | None => given.iter().all(holds),
        }
    }

    /// Whether a value matches one of the policy's.
    fn is_among(&self, given: &str, context: &Context<'_>) -> bool {
        let mut wanted = self.wanted.iter();
        wanted.any(|wanted| wanted.matches(given, context))
    }
}
