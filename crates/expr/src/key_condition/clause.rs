//! One condition on one attribute.

use super::SortCondition;
use crate::KeyConditionProblem;
use crate::tree::{Comparator, DocumentPath, Operand, Predicate};
use monotable_item::EncodedValue;

/// A condition on an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyClause {
    /// The attribute.
    pub attribute: String,
    /// What must hold of it; none is a comparison that no key answers. An expression with one is refused
    /// as it is parsed, legacy key conditions only once AWS knows the table.
    pub condition: Option<SortCondition>,
}

impl KeyClause {
    const fn new(attribute: String, condition: SortCondition) -> Self {
        Self {
            attribute,
            condition: Some(condition),
        }
    }
}

/// The clauses that `predicate` is a conjunction of.
pub(super) fn clauses_of(predicate: Predicate) -> Result<Vec<KeyClause>, KeyConditionProblem> {
    let predicates = match predicate {
        Predicate::All(predicates) => predicates,
        predicate => vec![predicate],
    };
    let mut clauses: Vec<KeyClause> = Vec::with_capacity(predicates.len());
    for predicate in predicates {
        let clause = clause_of(predicate)?;
        if clauses
            .iter()
            .any(|other| other.attribute == clause.attribute)
        {
            return Err(KeyConditionProblem::RepeatedAttribute);
        }
        clauses.push(clause);
    }
    Ok(clauses)
}

fn clause_of(predicate: Predicate) -> Result<KeyClause, KeyConditionProblem> {
    let operator = |operator| Err(KeyConditionProblem::Operator { operator });
    match predicate {
        Predicate::Compare {
            comparator: Comparator::NotEqual,
            ..
        } => operator("<>"),
        Predicate::Compare {
            comparator,
            left,
            right,
        } => compare(comparator, left, right),
        Predicate::Between {
            operand,
            lower,
            upper,
        } => {
            let (attribute, [lower, upper]) = on_first("BETWEEN", operand, [lower, upper])?;
            Ok(KeyClause::new(
                attribute,
                SortCondition::Between(lower, upper),
            ))
        }
        Predicate::BeginsWith { operand, prefix } => {
            let (attribute, [prefix]) = on_first("begins_with", operand, [prefix])?;
            Ok(KeyClause::new(attribute, SortCondition::BeginsWith(prefix)))
        }
        Predicate::In { .. } => operator("IN"),
        Predicate::Exists(_) => operator("attribute_exists"),
        Predicate::NotExists(_) => operator("attribute_not_exists"),
        Predicate::HasType { .. } => operator("attribute_type"),
        Predicate::Contains { .. } => operator("contains"),
        Predicate::Not(_) => operator("NOT"),
        Predicate::Any(_) => operator("OR"),
        // INVARIANT: a conjunction holds no conjunction.
        Predicate::All(_) => Err(KeyConditionProblem::NestedOperation),
    }
}

/// A comparison of an attribute with a value, in either order.
fn compare(
    comparator: Comparator,
    left: Operand,
    right: Operand,
) -> Result<KeyClause, KeyConditionProblem> {
    let (path, comparator, value) = match (left, right) {
        (Operand::Path(path), Operand::Value(value)) => (path, comparator, value),
        (Operand::Value(value), Operand::Path(path)) => (path, comparator.flipped(), value),
        (Operand::Value(_), Operand::Value(_)) => return Err(KeyConditionProblem::NoAttribute),
        (Operand::Path(path), Operand::Path(_)) => {
            top_level(&path)?;
            return Err(KeyConditionProblem::TwoAttributes);
        }
        (Operand::Path(path), Operand::Size(_)) => {
            top_level(&path)?;
            return Err(KeyConditionProblem::NestedOperation);
        }
        (Operand::Size(_), _) | (_, Operand::Size(_)) => {
            return Err(KeyConditionProblem::NestedOperation);
        }
    };
    top_level(&path)?;
    let attribute = path.attribute().to_owned();
    Ok(KeyClause::new(attribute, condition(comparator, value)))
}

/// The attribute that `first` must be and the values that `rest` must be.
fn on_first<const N: usize>(
    operator: &'static str,
    first: Operand,
    rest: [Operand; N],
) -> Result<(String, [EncodedValue; N]), KeyConditionProblem> {
    let Operand::Path(path) = first else {
        return Err(KeyConditionProblem::FirstOperand { operator });
    };
    top_level(&path)?;
    let mut values = Vec::with_capacity(N);
    for operand in rest {
        match operand {
            Operand::Value(value) => values.push(value),
            Operand::Path(_) => return Err(KeyConditionProblem::TwoAttributes),
            Operand::Size(_) => return Err(KeyConditionProblem::NestedOperation),
        }
    }
    let values = <[EncodedValue; N]>::try_from(values);
    // INVARIANT: every operand gave a value.
    let values = values.map_err(|_| KeyConditionProblem::NestedOperation)?;
    Ok((path.attribute().to_owned(), values))
}

fn top_level(path: &DocumentPath) -> Result<(), KeyConditionProblem> {
    if path.is_nested() {
        Err(KeyConditionProblem::NestedAttribute)
    } else {
        Ok(())
    }
}

fn condition(comparator: Comparator, value: EncodedValue) -> SortCondition {
    match comparator {
        // `<>` was refused before.
        Comparator::Equal | Comparator::NotEqual => SortCondition::Equal(value),
        Comparator::Less => SortCondition::Less(value),
        Comparator::LessOrEqual => SortCondition::LessOrEqual(value),
        Comparator::Greater => SortCondition::Greater(value),
        Comparator::GreaterOrEqual => SortCondition::GreaterOrEqual(value),
    }
}
