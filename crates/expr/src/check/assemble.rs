//! The step from operands to a condition on them, with the rules that only ask about operands.
//!
//! Any leaves will do: those of a request, and those of a predicate of a model.

use super::function::Function;
use crate::Problem;
use crate::syntax::Node;
use crate::tree::{Comparator, Constant, DocumentPath, Operand, Predicate};
use monotable_item::{AttributeType, EncodedValue, ValueView};

/// A path of any kind, where a rule has to compare and to name it.
pub(crate) trait Place: PartialEq {
    fn to_document_path(&self) -> DocumentPath;
}

impl Place for DocumentPath {
    fn to_document_path(&self) -> DocumentPath {
        self.clone()
    }
}

/// The condition that `operator` makes of `operands`, if AWS takes it.
pub(crate) fn assemble<P: Place, V: Constant>(
    operator: Operator,
    operands: Vec<Operand<P, V>>,
) -> Result<Predicate<P, V>, Problem> {
    check_distinct(operator, &operands)?;
    operands.iter().try_for_each(check_size)?;
    check_types(operator, &operands)?;
    predicate(operator, operands)
}

/// What makes the condition out of its operands.
#[derive(Clone, Copy)]
pub(crate) enum Operator {
    Compare(Comparator),
    Between,
    In,
    Function(Function),
}

impl Operator {
    pub(crate) fn of(node: &Node<'_>) -> Result<Self, Problem> {
        match node {
            Node::Compare(comparator) => Ok(Self::Compare(*comparator)),
            Node::Between => Ok(Self::Between),
            Node::In { .. } => Ok(Self::In),
            Node::Call { name, .. } => Function::named(name).map(Self::Function),
            // INVARIANT: the caller passes a range that ends with one of the above.
            _ => Err(Problem::Empty),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Compare(comparator) => comparator.symbol(),
            Self::Between => "BETWEEN",
            Self::In => "IN",
            Self::Function(function) => function.name(),
        }
    }
}

fn check_distinct<P: Place, V>(
    operator: Operator,
    operands: &[Operand<P, V>],
) -> Result<(), Problem> {
    let Some((Operand::Path(first), rest)) = operands.split_first() else {
        return Ok(());
    };
    if rest.iter().any(|other| other.as_path() == Some(first)) {
        return Err(Problem::SameOperand {
            operator: operator.name(),
            path: first.to_document_path(),
        });
    }
    Ok(())
}

/// The operand of `size` must have one.
fn check_size<P, V: Constant>(operand: &Operand<P, V>) -> Result<(), Problem> {
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

fn check_types<P, V: Constant>(
    operator: Operator,
    operands: &[Operand<P, V>],
) -> Result<(), Problem> {
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

fn check_static_types<P, V: Constant>(
    operator: &'static str,
    operands: &[Operand<P, V>],
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
fn check_bounds<P, V: Constant>(operands: &[Operand<P, V>]) -> Result<(), Problem> {
    let [_, Operand::Value(lower), Operand::Value(upper)] = operands else {
        return Ok(());
    };
    let bounds = || -> (EncodedValue, EncodedValue) {
        (lower.view().to_encoded(), upper.view().to_encoded())
    };
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

/// The same without asking whether AWS takes it.
pub(crate) fn predicate<P, V: Constant>(
    operator: Operator,
    operands: Vec<Operand<P, V>>,
) -> Result<Predicate<P, V>, Problem> {
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

fn function_predicate<P, V: Constant>(
    function: Function,
    operands: Vec<Operand<P, V>>,
) -> Result<Predicate<P, V>, Problem> {
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
fn type_named<P, V: Constant>(
    operator: &'static str,
    operand: &Operand<P, V>,
) -> Result<AttributeType, Problem> {
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

fn exactly<const N: usize, P, V>(
    operator: &'static str,
    operands: Vec<Operand<P, V>>,
) -> Result<[Operand<P, V>; N], Problem> {
    <[Operand<P, V>; N]>::try_from(operands).map_err(|operands| Problem::OperandCount {
        operator: operator.into(),
        count: operands.len(),
    })
}
