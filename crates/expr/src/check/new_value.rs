//! The right side of a `SET`.

use super::function::Function;
use super::update::Leaves;
use crate::Problem;
use crate::syntax::Node;
use crate::tree::NewValue;
use monotable_item::AttributeType;

/// The value that `nodes` make up of the next leaves.
pub(super) fn new_value(nodes: &[Node<'_>], leaves: &mut Leaves) -> Result<NewValue, Problem> {
    let mut stack = Vec::new();
    for node in nodes {
        let value = match node {
            Node::Path(_) => NewValue::Path(leaves.paths.next().ok_or(Problem::Empty)?),
            Node::Value(_) => NewValue::Value(leaves.values.next().ok_or(Problem::Empty)?),
            Node::Plus => {
                let [left, right] = operands("+", AttributeType::N, 2, &mut stack)?;
                NewValue::Sum(Box::new(left), Box::new(right))
            }
            Node::Minus => {
                let [left, right] = operands("-", AttributeType::N, 2, &mut stack)?;
                NewValue::Difference(Box::new(left), Box::new(right))
            }
            Node::Call {
                name, arguments, ..
            } => call(Function::named(name)?, *arguments, &mut stack)?,
            // INVARIANT: the parser writes no conditions into updates.
            _ => return Err(Problem::Empty),
        };
        stack.push(value);
    }
    stack.pop().ok_or(Problem::Empty)
}

fn call(
    function: Function,
    arguments: usize,
    stack: &mut Vec<NewValue>,
) -> Result<NewValue, Problem> {
    function.check_operand_count(arguments)?;
    let start = stack.len().saturating_sub(arguments);
    // Recorded of AWS: `list_append` is refused inside `list_append`. That it is inside `if_not_exists`
    // is a guess.
    if stack
        .iter()
        .skip(start)
        .any(|value| matches!(value, NewValue::ListAppend(..)))
    {
        return Err(Problem::MisusedFunction {
            name: Function::ListAppend.name().into(),
        });
    }
    if function == Function::ListAppend {
        let [first, second] = operands(function.name(), AttributeType::L, arguments, stack)?;
        return Ok(NewValue::ListAppend(Box::new(first), Box::new(second)));
    }
    match take(function.name(), arguments, stack)? {
        [NewValue::Path(path), value] => Ok(NewValue::IfNotExists(path, Box::new(value))),
        _ => Err(Problem::PathRequired {
            operator: function.name(),
        }),
    }
}

/// Two operands that must have a type, as far as that is known before there is an item.
fn operands(
    operator: &'static str,
    wanted: AttributeType,
    count: usize,
    stack: &mut Vec<NewValue>,
) -> Result<[NewValue; 2], Problem> {
    let operands = take(operator, count, stack)?;
    for operand in &operands {
        let NewValue::Value(value) = operand else {
            continue;
        };
        let attribute_type = value.view().attribute_type();
        if attribute_type != wanted {
            return Err(Problem::OperandType {
                operator,
                attribute_type,
            });
        }
    }
    Ok(operands)
}

fn take(
    operator: &'static str,
    count: usize,
    stack: &mut Vec<NewValue>,
) -> Result<[NewValue; 2], Problem> {
    let taken = stack.split_off(stack.len().saturating_sub(count));
    <[NewValue; 2]>::try_from(taken).map_err(|taken| Problem::OperandCount {
        operator: operator.into(),
        count: taken.len(),
    })
}
