//! Predicates to DynamoDB's conditions.
//!
//! DynamoDB sees only the item. So every other path is replaced by its value, and what then reads nothing
//! of the item is decided here: `contains(principal.roles, 'admin') OR owner = principal.id` is either
//! always true or a condition on `owner`. Decided are also conditions on the item that cannot be true
//! whatever it holds, such as `a < principal.flag` with a boolean: AWS refuses those, a predicate does not.

use super::condition_text::ConditionText;
use super::{Operand, Path, Predicate, Tree};
use crate::check::{Function, Operator, assemble, predicate};
use crate::evaluate::{is_true, size};
use crate::tree::{self, Constant, DocumentPath};
use crate::{ExpressionError, ExpressionKind, Problem};
use monotable_item::{AttributeValue, EncodedValue, Number};
use std::fmt;

/// What a path means to the item that a condition is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// An attribute of the item.
    Attribute(DocumentPath),
    /// A value that is known.
    Value(AttributeValue),
    /// Known to have no value: it compares as an absent attribute does.
    Absent,
    /// Not known: there is no condition.
    Unknown,
}

impl Meaning {
    /// The attribute that `path` names, whatever its root; unknown for `now`.
    pub fn attribute(path: &Path) -> Self {
        path.document_path().map_or(Self::Unknown, Self::Attribute)
    }
}

impl<V: Into<AttributeValue>> From<Option<V>> for Meaning {
    /// A value, or unknown.
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Unknown, |value| Self::Value(value.into()))
    }
}

/// What a predicate is to DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Translation {
    /// The same for every item.
    Always(bool),
    /// A condition on the item.
    Condition(Box<ConditionText>),
}

/// Why a predicate is no condition for DynamoDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranslateError {
    /// Nobody knows what the path means.
    NoValue {
        /// The path.
        path: Path,
    },
    /// AWS would refuse the condition: it is too long, or two paths mean the same attribute.
    Refused(ExpressionError),
}

impl fmt::Display for TranslateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue { path } => write!(f, "{path} has no value"),
            Self::Refused(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for TranslateError {}

impl Predicate {
    /// The predicate as an expression for DynamoDB. `meaning` is asked about every path.
    pub fn to_condition(
        &self,
        mut meaning: impl FnMut(&Path) -> Meaning,
    ) -> Result<Translation, TranslateError> {
        match decide(&self.tree, &mut meaning)? {
            Decided::Always(value) => Ok(Translation::Always(value)),
            Decided::Depends(tree) => ConditionText::of(&tree)
                .map(|text| Translation::Condition(Box::new(text)))
                .map_err(TranslateError::Refused),
        }
    }
}

/// A part of a predicate: decided, or what is left to ask.
enum Decided {
    Always(bool),
    Depends(tree::Predicate),
}

/// What is still to be done about a tree; the results wait on a stack.
enum Task<'p> {
    Decide(&'p Tree),
    /// The newest result is to be negated.
    Negate,
    /// The newest results are to be joined: by `AND` if `neutral`, by `OR` if not.
    Join {
        count: usize,
        neutral: bool,
    },
}

/// Looks at all parts even if the first decides, so that an unknown path is always found. A loop, because
/// its steps need more room than other walks and the tree may be 200 deep.
fn decide(
    tree: &Tree,
    meaning: &mut impl FnMut(&Path) -> Meaning,
) -> Result<Decided, TranslateError> {
    let mut tasks = vec![Task::Decide(tree)];
    let mut results: Vec<Decided> = Vec::new();
    while let Some(task) = tasks.pop() {
        let result = match task {
            Task::Decide(Tree::Not(inner)) => {
                tasks.extend([Task::Negate, Task::Decide(inner)]);
                continue;
            }
            Task::Decide(junction @ (Tree::All(parts) | Tree::Any(parts))) => {
                tasks.push(Task::Join {
                    count: parts.len(),
                    neutral: matches!(junction, Tree::All(_)),
                });
                tasks.extend(parts.iter().rev().map(Task::Decide));
                continue;
            }
            Task::Decide(simple) => decide_simple(simple, meaning)?,
            Task::Negate => negate(results.pop()),
            Task::Join { count, neutral } => {
                let start = results.len().saturating_sub(count);
                join(results.drain(start..), neutral)
            }
        };
        results.push(result);
    }
    // INVARIANT: every task leaves one result.
    Ok(results.pop().unwrap_or(Decided::Always(false)))
}

fn negate(result: Option<Decided>) -> Decided {
    match result {
        Some(Decided::Depends(tree)) => Decided::Depends(tree.negated()),
        Some(Decided::Always(value)) => Decided::Always(!value),
        // INVARIANT: the operand was decided before.
        None => Decided::Always(false),
    }
}

/// The parts joined. A part that is `neutral` goes; one that is the opposite decides.
fn join(parts: impl Iterator<Item = Decided>, neutral: bool) -> Decided {
    let mut left: Option<tree::Predicate> = None;
    let mut decided = false;
    for part in parts {
        match part {
            Decided::Always(value) => decided |= value != neutral,
            Decided::Depends(tree) => {
                left = Some(match left {
                    Some(before) if neutral => before.and(tree),
                    Some(before) => before.or(tree),
                    None => tree,
                });
            }
        }
    }
    match left {
        Some(tree) if !decided => Decided::Depends(tree),
        _ => Decided::Always(neutral != decided),
    }
}

/// An operand as far as it is known.
enum Known {
    /// Read from the item.
    Item(tree::Operand),
    Value(EncodedValue),
    Absent,
}

fn decide_simple(
    simple: &Tree,
    meaning: &mut impl FnMut(&Path) -> Meaning,
) -> Result<Decided, TranslateError> {
    let mut known = |operand: &Operand| known(operand, meaning);
    let (operator, operands) = match simple {
        Tree::Compare {
            comparator,
            left,
            right,
        } => (
            Operator::Compare(*comparator),
            vec![known(left)?, known(right)?],
        ),
        Tree::Between {
            operand,
            lower,
            upper,
        } => (
            Operator::Between,
            vec![known(operand)?, known(lower)?, known(upper)?],
        ),
        Tree::In {
            operand,
            candidates,
        } => {
            let mut operands = vec![known(operand)?];
            for candidate in candidates {
                operands.push(known(candidate)?);
            }
            // A candidate that is absent equals nothing; the others still count.
            let mut position = 0;
            operands.retain(|one| {
                position += 1;
                position == 1 || !matches!(one, Known::Absent)
            });
            (Operator::In, operands)
        }
        Tree::BeginsWith { operand, prefix } => (
            Operator::Function(Function::BeginsWith),
            vec![known(operand)?, known(prefix)?],
        ),
        Tree::Contains { operand, element } => (
            Operator::Function(Function::Contains),
            vec![known(operand)?, known(element)?],
        ),
        Tree::HasType {
            operand,
            attribute_type,
        } => {
            let name = EncodedValue::from(AttributeValue::from(attribute_type.name()));
            (
                Operator::Function(Function::AttributeType),
                vec![known(operand)?, Known::Value(name)],
            )
        }
        Tree::Exists(path) => return decide_exists(path, true, meaning),
        Tree::NotExists(path) => return decide_exists(path, false, meaning),
        // INVARIANT: the caller takes these apart.
        Tree::Not(_) | Tree::All(_) | Tree::Any(_) => return Ok(Decided::Always(false)),
    };
    decide_operands(operator, operands)
}

fn decide_exists(
    path: &Path,
    wanted: bool,
    meaning: &mut impl FnMut(&Path) -> Meaning,
) -> Result<Decided, TranslateError> {
    Ok(match meaning(path) {
        Meaning::Attribute(path) if wanted => Decided::Depends(tree::Predicate::Exists(path)),
        Meaning::Attribute(path) => Decided::Depends(tree::Predicate::NotExists(path)),
        Meaning::Value(_) => Decided::Always(wanted),
        Meaning::Absent => Decided::Always(!wanted),
        Meaning::Unknown => return Err(TranslateError::NoValue { path: path.clone() }),
    })
}

fn known(
    operand: &Operand,
    meaning: &mut impl FnMut(&Path) -> Meaning,
) -> Result<Known, TranslateError> {
    Ok(match operand {
        Operand::Value(literal) => Known::Value(literal.view().to_encoded()),
        Operand::Path(path) => match meaning(path) {
            Meaning::Attribute(path) => Known::Item(tree::Operand::Path(path)),
            Meaning::Value(value) => Known::Value(EncodedValue::from(value)),
            Meaning::Absent => Known::Absent,
            Meaning::Unknown => return Err(TranslateError::NoValue { path: path.clone() }),
        },
        Operand::Size(inner) => match known(inner, meaning)? {
            Known::Item(inner) => Known::Item(tree::Operand::Size(Box::new(inner))),
            Known::Value(value) => size(value.view()).map_or(Known::Absent, |size| {
                Known::Value(AttributeValue::from(Number::from(size)).into())
            }),
            Known::Absent => Known::Absent,
        },
    })
}

fn decide_operands(operator: Operator, operands: Vec<Known>) -> Result<Decided, TranslateError> {
    let refused = |problem: Problem| {
        let error = problem.of(ExpressionKind::Condition);
        Err(TranslateError::Refused(error))
    };
    let reads_item = operands.iter().any(|one| matches!(one, Known::Item(_)));
    let lacks_one = operands.iter().any(|one| matches!(one, Known::Absent));
    // `IN` without any candidate left.
    let is_bare = operands.len() < 2;
    if lacks_one || is_bare || !reads_item {
        // With an absent operand it does not matter what the others are.
        return match predicate(operator, operands.into_iter().map(without_item).collect()) {
            Ok(simple) => Ok(Decided::Always(is_true(&simple, &|_: &Nowhere| None))),
            Err(problem) => refused(problem),
        };
    }
    match assemble(operator, operands.into_iter().filter_map(of_item).collect()) {
        Ok(simple) => Ok(Decided::Depends(simple)),
        // No value of these types satisfies the operator.
        Err(
            Problem::OperandType { .. }
            | Problem::BetweenTypes { .. }
            | Problem::BetweenOrder { .. },
        ) => Ok(Decided::Always(false)),
        Err(problem) => refused(problem),
    }
}

/// A path that leads to nothing.
struct Nowhere;

fn without_item(operand: Known) -> tree::Operand<Nowhere, EncodedValue> {
    match operand {
        Known::Item(_) | Known::Absent => tree::Operand::Path(Nowhere),
        Known::Value(value) => tree::Operand::Value(value),
    }
}

fn of_item(operand: Known) -> Option<tree::Operand> {
    match operand {
        Known::Item(operand) => Some(operand),
        Known::Value(value) => Some(tree::Operand::Value(value)),
        // INVARIANT: the caller has none.
        Known::Absent => None,
    }
}
