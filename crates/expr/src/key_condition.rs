//! Key conditions: which part of a partition a Query reads.
//!
//! AWS parses and checks a key condition like any condition, then that it is a conjunction of simple
//! conditions on attributes ([`KeyCondition::check_shape`], before it knows the table), and last that
//! those attributes are the key ([`KeyCondition::resolve`]).

mod clause;
mod resolve;

use crate::check::check_condition;
use crate::parser::parse_condition;
use crate::{ExpressionError, ExpressionKind, KeyConditionProblem, Placeholders};
pub use clause::KeyClause;
use clause::clauses_of;
use monotable_item::EncodedValue;

/// A condition on a key: a parsed KeyConditionExpression, or clauses that came otherwise.
#[derive(Clone, Debug)]
pub struct KeyCondition {
    clauses: Result<Vec<KeyClause>, KeyConditionProblem>,
}

/// The items that a key condition selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// The values of the partition key's attributes.
    pub hash: Vec<EncodedValue>,
    /// The values of the first attributes of a sort key of several, those before the one that `range`
    /// is about. Empty for a sort key of one attribute.
    pub leading: Vec<EncodedValue>,
    /// The condition on the next attribute of the sort key.
    pub range: SortCondition,
}

/// A condition on one attribute of a sort key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortCondition {
    /// No condition.
    Any,
    /// `=`
    Equal(EncodedValue),
    /// `<`
    Less(EncodedValue),
    /// `<=`
    LessOrEqual(EncodedValue),
    /// `>`
    Greater(EncodedValue),
    /// `>=`
    GreaterOrEqual(EncodedValue),
    /// `BETWEEN`, both bounds included.
    Between(EncodedValue, EncodedValue),
    /// `begins_with`
    BeginsWith(EncodedValue),
}

impl KeyCondition {
    /// Parses a KeyConditionExpression and checks it as a condition.
    pub fn parse(text: &str, placeholders: &mut Placeholders<'_>) -> Result<Self, ExpressionError> {
        let kind = ExpressionKind::KeyCondition;
        let predicate = parse_condition(kind, text)
            .and_then(|syntax| check_condition(&syntax, placeholders))
            .map_err(|problem| problem.of(kind))?;
        Ok(Self {
            clauses: clauses_of(predicate),
        })
    }

    /// The condition that all of these hold. No two may be on one attribute.
    pub const fn from_clauses(clauses: Vec<KeyClause>) -> Self {
        Self {
            clauses: Ok(clauses),
        }
    }

    /// Checks that the condition can be one on some key. AWS does so after it has parsed all expressions
    /// and found all placeholders used, but before it looks for the table.
    pub fn check_shape(&self) -> Result<(), ExpressionError> {
        match &self.clauses {
            Ok(_) => Ok(()),
            Err(problem) => Err(ExpressionError::KeyCondition(problem.clone())),
        }
    }

    /// The range that the condition selects, given the attributes of the partition key and of the sort
    /// key. That the values are of the schema's types is for the caller to check.
    pub fn resolve(&self, hash: &[&str], range: &[&str]) -> Result<KeyRange, ExpressionError> {
        let clauses = self.clauses.as_ref().map_err(KeyConditionProblem::clone);
        clauses
            .and_then(|clauses| resolve::resolve(clauses, hash, range))
            .map_err(ExpressionError::KeyCondition)
    }

    /// The attributes that the condition is on, as written.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        let clauses = self.clauses.as_deref().unwrap_or_default();
        clauses.iter().map(|clause| clause.attribute.as_str())
    }
}
