//! Conditions without `AND`, `OR` and `NOT`.
//!
//! AWS finishes with one such condition before it looks at the next. Within one it asks, of all its
//! operands each time: are the placeholders defined, are there as many operands as there should be, are
//! they distinct, are their types right.

use super::function::Function;
use super::words::resolve_path;
use crate::syntax::{Node, Syntax};
use crate::tree::{Comparator, Operand, Predicate};
use crate::{Placeholders, Problem};
use monotable_item::limits::MAX_IN_OPERANDS;
use monotable_item::{AttributeType, EncodedValue, ValueView};
use std::ops::Range;

/// Checks the condition that the nodes in `range` make up, and fills it in.
pub(super) fn simple_condition(
    syntax: &Syntax<'_>,
    range: Range<usize>,
    placeholders: &mut Placeholders<'_>,
) -> Result<Predicate, Problem> {
    let nodes = syntax.nodes_in(range);
    let Some((last, before)) = nodes.split_last() else {
        return Err(Problem::Empty);
    };
    let leaves = resolve_leaves(syntax, nodes, placeholders)?;
    nodes.iter().try_for_each(check_operand_count)?;
    let operands = operands(before, leaves);
    let operator = Operator::of(last)?;
    check_distinct(operator, &operands)?;
    operands.iter().try_for_each(check_size)?;
    check_types(operator, &operands)?;
    predicate(operator, operands)
}

/// What makes the condition out of its operands.
#[derive(Clone, Copy)]
enum Operator {
    Compare(Comparator),
    Between,
    In,
    Function(Function),
}

impl Operator {
    fn of(node: &Node<'_>) -> Result<Self, Problem> {
        match node {
            Node::Compare(comparator) => Ok(Self::Compare(*comparator)),
            Node::Between => Ok(Self::Between),
            Node::In { .. } => Ok(Self::In),
            Node::Call { name, .. } => Function::named(name).map(Self::Function),
            // INVARIANT: the caller passes a range that ends with one of the above.
            _ => Err(Problem::Empty),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Compare(comparator) => comparator.symbol(),
            Self::Between => "BETWEEN",
            Self::In => "IN",
            Self::Function(function) => function.name(),
        }
    }
}

/// The paths and values among `nodes`, filled in.
fn resolve_leaves(
    syntax: &Syntax<'_>,
    nodes: &[Node<'_>],
    placeholders: &mut Placeholders<'_>,
) -> Result<Vec<Operand>, Problem> {
    let mut leaves = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Path(path) => {
                leaves.push(Operand::Path(resolve_path(syntax, *path, placeholders)?));
            }
            Node::Value(key) => match placeholders.value(key) {
                Some(value) => leaves.push(Operand::Value(value)),
                None => {
                    return Err(Problem::UndefinedValue {
                        key: (*key).to_owned(),
                    });
                }
            },
            _ => {}
        }
    }
    Ok(leaves)
}

fn check_operand_count(node: &Node<'_>) -> Result<(), Problem> {
    match node {
        Node::Call {
            name, arguments, ..
        } => Function::named(name)?.check_operand_count(*arguments),
        Node::In { candidates } if *candidates > MAX_IN_OPERANDS => {
            Err(Problem::TooManyCandidates { count: *candidates })
        }
        _ => Ok(()),
    }
}

/// The operands of the condition: the leaves, inside `size` where it is called.
fn operands(nodes: &[Node<'_>], leaves: Vec<Operand>) -> Vec<Operand> {
    let mut leaves = leaves.into_iter();
    let mut operands = Vec::with_capacity(leaves.len());
    for node in nodes {
        // The only call that is an operand is `size`, of one operand.
        let operand = match node {
            Node::Call { .. } => operands
                .pop()
                .map(|operand| Operand::Size(Box::new(operand))),
            _ => leaves.next(),
        };
        operands.extend(operand);
    }
    operands
}

fn check_distinct(operator: Operator, operands: &[Operand]) -> Result<(), Problem> {
    let Some((Operand::Path(first), rest)) = operands.split_first() else {
        return Ok(());
    };
    if rest.iter().any(|other| other.as_path() == Some(first)) {
        return Err(Problem::SameOperand {
            operator: operator.name(),
            path: first.clone(),
        });
    }
    Ok(())
}

/// The operand of `size` must have one.
fn check_size(operand: &Operand) -> Result<(), Problem> {
    let mut operand = operand;
    let mut problem = Ok(());
    // From the outermost in, so that the innermost is reported.
    while let Operand::Size(inner) = operand {
        if let Some(
            attribute_type @ (AttributeType::N | AttributeType::Bool | AttributeType::Null),
        ) = inner.static_type()
        {
            problem = Err(Problem::OperandType {
                operator: Function::Size.name(),
                attribute_type,
            });
        }
        operand = inner;
    }
    problem
}

fn check_types(operator: Operator, operands: &[Operand]) -> Result<(), Problem> {
    let name = operator.name();
    match operator {
        Operator::Compare(comparator) if comparator.is_ordering() => {
            check_static_types(name, operands, AttributeType::is_key_type)
        }
        Operator::Between => {
            check_static_types(name, operands, AttributeType::is_key_type)?;
            check_bounds(operands)
        }
        Operator::Function(Function::BeginsWith) => {
            let has_prefix = |kind| matches!(kind, AttributeType::S | AttributeType::B);
            check_static_types(name, operands, has_prefix)
        }
        Operator::Compare(_) | Operator::In | Operator::Function(_) => Ok(()),
    }
}

fn check_static_types(
    operator: &'static str,
    operands: &[Operand],
    accepts: impl Fn(AttributeType) -> bool,
) -> Result<(), Problem> {
    let types = operands.iter().filter_map(Operand::static_type);
    match types.into_iter().find(|kind| !accepts(*kind)) {
        None => Ok(()),
        Some(attribute_type) => Err(Problem::OperandType {
            operator,
            attribute_type,
        }),
    }
}

/// Bounds that do not depend on the item must be of one type and in order.
fn check_bounds(operands: &[Operand]) -> Result<(), Problem> {
    let [_, Operand::Value(lower), Operand::Value(upper)] = operands else {
        return Ok(());
    };
    let bounds = || -> (EncodedValue, EncodedValue) { (lower.clone(), upper.clone()) };
    match lower.view().compare(&upper.view()) {
        None => {
            let (lower, upper) = bounds();
            Err(Problem::BetweenTypes { lower, upper })
        }
        Some(order) if order.is_gt() => {
            let (lower, upper) = bounds();
            Err(Problem::BetweenOrder { lower, upper })
        }
        Some(_) => Ok(()),
    }
}

fn predicate(operator: Operator, operands: Vec<Operand>) -> Result<Predicate, Problem> {
    let name = operator.name();
    Ok(match operator {
        Operator::Compare(comparator) => {
            let [left, right] = exactly(name, operands)?;
            Predicate::Compare {
                comparator,
                left,
                right,
            }
        }
        Operator::Between => {
            let [operand, lower, upper] = exactly(name, operands)?;
            Predicate::Between {
                operand,
                lower,
                upper,
            }
        }
        Operator::In => {
            let mut candidates = operands;
            if candidates.is_empty() {
                return Err(Problem::Empty);
            }
            let operand = candidates.remove(0);
            Predicate::In {
                operand,
                candidates,
            }
        }
        Operator::Function(function) => function_predicate(function, operands)?,
    })
}

fn function_predicate(function: Function, operands: Vec<Operand>) -> Result<Predicate, Problem> {
    let name = function.name();
    if matches!(
        function,
        Function::AttributeExists | Function::AttributeNotExists
    ) {
        return match exactly(name, operands)? {
            [Operand::Path(path)] if function == Function::AttributeExists => {
                Ok(Predicate::Exists(path))
            }
            [Operand::Path(path)] => Ok(Predicate::NotExists(path)),
            [_] => Err(Problem::PathRequired { operator: name }),
        };
    }
    let [operand, other] = exactly(name, operands)?;
    match function {
        Function::AttributeType => Ok(Predicate::HasType {
            operand,
            attribute_type: type_named(name, &other)?,
        }),
        Function::BeginsWith => Ok(Predicate::BeginsWith {
            operand,
            prefix: other,
        }),
        Function::Contains => Ok(Predicate::Contains {
            operand,
            element: other,
        }),
        // INVARIANT: these were refused as conditions before.
        _ => Err(Problem::MisusedFunction { name: name.into() }),
    }
}

/// The type that the second operand of `attribute_type` names.
fn type_named(operator: &'static str, operand: &Operand) -> Result<AttributeType, Problem> {
    let value = match operand {
        Operand::Value(value) => value.view(),
        Operand::Path(_) => return Err(Problem::OperandOfAnyType { operator }),
        Operand::Size(_) => {
            return Err(Problem::OperandType {
                operator,
                attribute_type: AttributeType::N,
            });
        }
    };
    match value {
        ValueView::S(name) => name.parse().map_err(|_| Problem::TypeName {
            name: name.to_owned(),
        }),
        other => Err(Problem::OperandType {
            operator,
            attribute_type: other.attribute_type(),
        }),
    }
}

fn exactly<const N: usize>(
    operator: &'static str,
    operands: Vec<Operand>,
) -> Result<[Operand; N], Problem> {
    <[Operand; N]>::try_from(operands).map_err(|operands| Problem::OperandCount {
        operator: operator.into(),
        count: operands.len(),
    })
}
