//! Why a text is no predicate.

use super::Span;
use super::hint;
use crate::{ExpressionError, ExpressionKind, Problem};
use monotable_item::NumberError;
use monotable_item::limits::{MAX_EXPRESSION_OPERATORS, MAX_IN_OPERANDS, MAX_NESTING};
use std::fmt;

/// Why a text is no predicate, and where. Displays as one sentence without the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateError {
    /// Where it goes wrong.
    pub span: Span,
    /// What is wrong.
    pub problem: PredicateProblem,
    /// What may have been meant.
    pub hint: Option<String>,
}

/// What is wrong with a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PredicateProblem {
    /// There is nothing but blanks.
    Empty,
    /// The text is longer than [`super::MAX_PREDICATE_BYTES`].
    TooLong {
        /// Its length in bytes.
        size: usize,
    },
    /// Something stands where it cannot stand.
    Unexpected {
        /// What could stand there.
        expected: &'static str,
        /// What stands there, as it is written, or `the end`.
        found: String,
    },
    /// A text or name whose closing quote is missing.
    Unclosed {
        /// The quote.
        quote: char,
    },
    /// Not a number that DynamoDB can hold.
    Number(NumberError),
    /// A name of no characters.
    EmptyName,
    /// `true`, `false` or `now` at the start of a path.
    StepsIntoValue {
        /// Which one.
        word: String,
    },
    /// No such function.
    UnknownFunction {
        /// Its name.
        name: String,
    },
    /// One of DynamoDB's own rules on conditions.
    Rule(Box<Problem>),
}

impl PredicateProblem {
    pub(super) const fn at(self, span: Span) -> PredicateError {
        PredicateError {
            span,
            problem: self,
            hint: None,
        }
    }
}

impl PredicateError {
    /// The error that one of DynamoDB's rules is broken at `span`.
    pub(super) fn of(problem: Problem, span: Span) -> Self {
        match problem {
            Problem::UnknownFunction { name } => Self {
                span,
                hint: hint::function(&name),
                problem: PredicateProblem::UnknownFunction { name },
            },
            problem => Self {
                span,
                hint: hint::rule(&problem),
                problem: PredicateProblem::Rule(Box::new(problem)),
            },
        }
    }
}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.problem)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PredicateError {}

impl fmt::Display for PredicateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("expected a condition, found nothing"),
            Self::TooLong { size } => {
                let most = super::MAX_PREDICATE_BYTES;
                write!(f, "a predicate has at most {most} bytes, this one {size}")
            }
            Self::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Unclosed { quote } => write!(f, "the closing {quote} is missing"),
            Self::Number(error) => write!(f, "{error}"),
            Self::EmptyName => f.write_str("a name has at least one character"),
            Self::StepsIntoValue { word } => {
                write!(f, "`{word}` is a value that no path leads into")
            }
            Self::UnknownFunction { name } => write!(f, "there is no function `{name}`"),
            Self::Rule(problem) => write_rule(problem, f),
        }
    }
}

/// DynamoDB's rules in the words of a compiler. Those that a predicate cannot break keep AWS's words.
fn write_rule(problem: &Problem, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match problem {
        Problem::FunctionInCondition { name } => {
            write!(
                f,
                "`{name}` belongs to updates and cannot stand in a condition"
            )
        }
        Problem::MisusedFunction { name } if name == "size" => {
            f.write_str("`size` is a number and has to be compared")
        }
        Problem::MisusedFunction { name } => {
            write!(f, "`{name}` is a condition and cannot be an operand")
        }
        Problem::ListIndex { index } => write!(f, "the list index {index} is too large"),
        Problem::TooManyOperators { .. } => {
            let most = MAX_EXPRESSION_OPERATORS;
            write!(f, "a predicate has at most {most} operators and functions")
        }
        Problem::PathTooDeep { levels } => {
            write!(
                f,
                "a path has at most {MAX_NESTING} steps, this one {levels}"
            )
        }
        Problem::OperandCount { operator, count } => {
            let wanted = match operator.as_str() {
                "attribute_exists" | "attribute_not_exists" | "size" => "one operand",
                _ => "two operands",
            };
            write!(f, "`{operator}` takes {wanted}, not {count}")
        }
        Problem::SameOperand { operator, .. } => {
            write!(f, "both operands of `{operator}` are the same path")
        }
        Problem::PathRequired { operator } => write!(f, "`{operator}` takes a path, not a value"),
        Problem::OperandType {
            operator,
            attribute_type,
        } => write!(
            f,
            "`{operator}` does not take a value of type {attribute_type}"
        ),
        Problem::OperandOfAnyType { operator } => {
            write!(
                f,
                "the second operand of `{operator}` is the name of a type"
            )
        }
        Problem::TypeName { name } => write!(f, "'{name}' is not a type"),
        Problem::BetweenTypes { .. } => f.write_str("the bounds of BETWEEN are of two types"),
        Problem::BetweenOrder { .. } => {
            f.write_str("the lower bound of BETWEEN is above the upper bound")
        }
        Problem::TooManyCandidates { count } => {
            write!(f, "IN takes at most {MAX_IN_OPERANDS} values, not {count}")
        }
        other => {
            let kind = ExpressionKind::Condition;
            let problem = other.clone();
            write!(f, "{}", ExpressionError::Invalid { kind, problem })
        }
    }
}
