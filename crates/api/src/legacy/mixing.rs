//! Which parameters may stand beside which, and `ConditionalOperator`.

use crate::choice::choices;
use crate::{Error, wording};
use monotable_expr::Condition;
use monotable_expr::tree::Predicate;

choices! {
    /// How the conditions of a legacy map are joined.
    pub enum ConditionalOperator {
        /// One of them must hold.
        Or = "OR",
        /// All of them must hold, as without the parameter.
        And = "AND",
    }
}

/// Refuses legacy parameters beside expressions. Each list has the names in the order in which AWS
/// prints them, and which of them were given.
pub(crate) fn check_mixing(
    legacy: &[(&'static str, bool)],
    expressions: &[(&'static str, &Option<String>)],
) -> Result<(), Error> {
    let legacy: Vec<_> = legacy
        .iter()
        .filter_map(|(name, is_given)| is_given.then_some(*name))
        .collect();
    let expressions: Vec<_> = expressions
        .iter()
        .filter_map(|(name, text)| text.as_ref().map(|_| *name))
        .collect();
    if legacy.is_empty() || expressions.is_empty() {
        return Ok(());
    }
    Err(Error::validation(wording::legacy_beside_expressions(
        &legacy,
        &expressions,
    )))
}

/// Refuses a `ConditionalOperator` that has fewer than two conditions to join.
pub(crate) fn check_operator(
    operator: Option<ConditionalOperator>,
    conditions: usize,
) -> Result<(), Error> {
    match (operator, conditions) {
        (Some(_), 0) => Err(Error::validation(wording::OPERATOR_WITHOUT_CONDITIONS)),
        (Some(_), 1) => Err(Error::validation(wording::OPERATOR_OF_ONE_CONDITION)),
        (None | Some(_), _) => Ok(()),
    }
}

/// The condition that a legacy map makes; none if the map is empty.
pub(super) fn join(
    operator: Option<ConditionalOperator>,
    predicates: Vec<Predicate>,
) -> Option<Condition> {
    let joined = predicates.into_iter().reduce(|one, other| match operator {
        Some(ConditionalOperator::Or) => one.or(other),
        Some(ConditionalOperator::And) | None => one.and(other),
    });
    joined.map(Condition::from)
}
