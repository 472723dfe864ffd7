//! What an UPDATE changes.

use super::path::document_path;
use super::{misplaced, parameter, value};
use crate::Problem;
use crate::check::{Function, tree_of};
use crate::partiql::error::{StatementError, StatementProblem};
use crate::partiql::syntax::{ChangeSyntax, Expression, Node};
use crate::tree::{Action, DocumentPath, NewValue};
use crate::update::Update;
use monotable_item::{AttributeType, EncodedValue};

/// The update that `SET` and `REMOVE` make up.
pub(in crate::partiql) fn update(
    changes: &[ChangeSyntax],
    parameters: &[EncodedValue],
) -> Result<Update, StatementError> {
    let actions = changes.iter().map(|change| action(change, parameters));
    let actions = actions.collect::<Result<Vec<_>, _>>()?;
    let paths: Vec<_> = actions.iter().map(Action::path).collect();
    let tree = tree_of(&paths)?;
    Ok(Update::from_tree(actions, tree))
}

fn action(change: &ChangeSyntax, parameters: &[EncodedValue]) -> Result<Action, StatementError> {
    match change {
        ChangeSyntax::Remove(path) => Ok(Action::Remove {
            path: document_path(path)?,
        }),
        ChangeSyntax::Set(target, value) => {
            let path = document_path(target)?;
            match &value.node {
                Node::Call { name, arguments } if name.eq_ignore_ascii_case("set_add") => {
                    let change = SetChange::new("SET_ADD", value, arguments);
                    let value = change.operand(&path, parameters)?;
                    Ok(Action::Add { path, value })
                }
                Node::Call { name, arguments } if name.eq_ignore_ascii_case("set_delete") => {
                    let change = SetChange::new("SET_DELETE", value, arguments);
                    let value = change.operand(&path, parameters)?;
                    Ok(Action::Delete { path, value })
                }
                _ => Ok(Action::Set {
                    path,
                    value: new_value(value, parameters)?,
                }),
            }
        }
    }
}

/// A call of `set_add` or `set_delete`.
struct SetChange<'e> {
    /// The function as AWS writes it in messages.
    function: &'static str,
    call: &'e Expression,
    arguments: &'e [Expression],
}

impl<'e> SetChange<'e> {
    const fn new(
        function: &'static str,
        call: &'e Expression,
        arguments: &'e [Expression],
    ) -> Self {
        Self {
            function,
            call,
            arguments,
        }
    }

    /// The elements that come or go. The set must be the one that is assigned to.
    fn operand(
        &self,
        target: &DocumentPath,
        parameters: &[EncodedValue],
    ) -> Result<EncodedValue, StatementError> {
        let [first, second] = self.arguments else {
            return Err(StatementProblem::SetArguments(self.function).at(self.call.at));
        };
        let is_target = match &first.node {
            Node::Identifier(_) | Node::Path { .. } => document_path(first)? == *target,
            _ => false,
        };
        if !is_target {
            return Err(StatementProblem::SetTarget(self.function).at(self.call.at));
        }
        let operand = match &second.node {
            Node::Parameter(position) => Some(parameter(*position, parameters)?),
            Node::Text(_)
            | Node::Number(_)
            | Node::Bool(_)
            | Node::Null
            | Node::List(_)
            | Node::Bag(_)
            | Node::Struct(_) => Some(value::literal(second)?),
            _ => None,
        };
        let is_set = |value: &EncodedValue| {
            matches!(
                value.view().attribute_type(),
                AttributeType::Ss | AttributeType::Ns | AttributeType::Bs
            )
        };
        operand
            .filter(is_set)
            .ok_or_else(|| StatementProblem::SetOperand(self.function).at(first.at))
    }
}

/// The right side of an assignment.
fn new_value(
    expression: &Expression,
    parameters: &[EncodedValue],
) -> Result<NewValue, StatementError> {
    match &expression.node {
        Node::Identifier(_) | Node::Path { .. } => document_path(expression).map(NewValue::Path),
        Node::Parameter(position) => parameter(*position, parameters).map(NewValue::Value),
        Node::Sum(left, right) => {
            let [left, right] = operands("+", AttributeType::N, left, right, parameters)?;
            Ok(NewValue::Sum(left, right))
        }
        Node::Difference(left, right) => {
            let [left, right] = operands("-", AttributeType::N, left, right, parameters)?;
            Ok(NewValue::Difference(left, right))
        }
        Node::Call { name, arguments } => call(name, arguments, expression, parameters),
        Node::Text(_)
        | Node::Number(_)
        | Node::Bool(_)
        | Node::Null
        | Node::List(_)
        | Node::Bag(_)
        | Node::Struct(_) => value::literal(expression).map(NewValue::Value),
        Node::Missing => Err(StatementProblem::MissingLiteral.into()),
        Node::IsType { .. } => Err(StatementProblem::IsInUpdate.into()),
        Node::Operation(operator) => Err(StatementProblem::UpdateOperator(operator).into()),
        Node::Compare { comparator, .. } => {
            Err(StatementProblem::UpdateOperator(comparator.symbol()).into())
        }
        Node::All(_) => Err(StatementProblem::UpdateOperator("and").into()),
        Node::Any(_) => Err(StatementProblem::UpdateOperator("or").into()),
        Node::Not(_) => Err(StatementProblem::UpdateOperator("not").into()),
        Node::Between { .. } => Err(StatementProblem::UpdateOperator("between").into()),
        Node::In { .. } => Err(StatementProblem::UpdateOperator("in").into()),
        Node::Statement(_) => Err(misplaced(expression)),
    }
}

fn call(
    name: &str,
    arguments: &[Expression],
    call: &Expression,
    parameters: &[EncodedValue],
) -> Result<NewValue, StatementError> {
    let function = Function::named(&name.to_ascii_lowercase())
        .ok()
        .filter(|function| function.is_of_updates())
        .ok_or_else(|| StatementProblem::UnknownFunction(name.to_owned()).at(call.at))?;
    function.check_operand_count(arguments.len())?;
    let [first, second] = arguments else {
        return Err(misplaced(call));
    };
    if function == Function::ListAppend {
        let operands = operands(function.name(), AttributeType::L, first, second, parameters)?;
        let is_nested = |operand: &NewValue| matches!(operand, NewValue::ListAppend(..));
        if operands.iter().any(|operand| is_nested(operand)) {
            return Err(Problem::MisusedFunction {
                name: function.name().into(),
            }
            .into());
        }
        let [first, second] = operands;
        return Ok(NewValue::ListAppend(first, second));
    }
    match new_value(first, parameters)? {
        NewValue::Path(path) => {
            let value = Box::new(new_value(second, parameters)?);
            Ok(NewValue::IfNotExists(path, value))
        }
        _ => Err(Problem::PathRequired {
            operator: function.name(),
        }
        .into()),
    }
}

/// Two operands that must have a type, as far as that is known before there is an item.
fn operands(
    operator: &'static str,
    wanted: AttributeType,
    left: &Expression,
    right: &Expression,
    parameters: &[EncodedValue],
) -> Result<[Box<NewValue>; 2], StatementError> {
    let left = new_value(left, parameters)?;
    let right = new_value(right, parameters)?;
    for operand in [&left, &right] {
        let NewValue::Value(value) = operand else {
            continue;
        };
        let attribute_type = value.view().attribute_type();
        if attribute_type != wanted {
            return Err(Problem::OperandType {
                operator,
                attribute_type,
            }
            .into());
        }
    }
    Ok([Box::new(left), Box::new(right)])
}
