//! The parts of a statement as the trees that expressions become.

mod change;
mod condition;
mod path;
mod truth;
mod value;

use super::columns::Columns;
use super::error::{StatementError, StatementProblem};
use super::syntax::{Expression, Node, ProjectionSyntax, Step};
pub(super) use change::update;
pub(super) use condition::condition;
use monotable_item::EncodedValue;
pub(super) use value::item;

/// The columns of a projection; none for all of the item.
pub(super) fn columns(projection: &ProjectionSyntax) -> Result<Option<Columns>, StatementError> {
    let columns = match projection {
        ProjectionSyntax::All => return Ok(None),
        ProjectionSyntax::Value => return Err(StatementProblem::ValueProjection.into()),
        ProjectionSyntax::Distinct => {
            return Err(StatementProblem::UnsupportedToken("DISTINCT".into()).into());
        }
        ProjectionSyntax::Columns(columns) => columns,
    };
    let mut paths = Vec::with_capacity(columns.len());
    for column in columns {
        if let Node::Path { steps, .. } = &column.expression.node
            && matches!(steps.last(), Some(Step::Unpivot))
        {
            return Err(StatementProblem::ProjectAll.into());
        }
        if column.has_alias {
            return Err(StatementProblem::Alias.into());
        }
        if !matches!(
            column.expression.node,
            Node::Identifier(_) | Node::Path { .. }
        ) {
            return Err(StatementProblem::PathComponent.at(column.expression.at));
        }
        paths.push(path::document_path(&column.expression)?);
    }
    Columns::new(paths).map(Some)
}

/// The value of a parameter. That there are as many as a statement has `?` is known.
fn parameter(position: usize, parameters: &[EncodedValue]) -> Result<EncodedValue, StatementError> {
    let value = parameters.get(position).cloned();
    value.ok_or_else(|| StatementProblem::ParameterCount.into())
}

/// What AWS calls an expression that has no place where it stands.
fn misplaced(expression: &Expression) -> StatementError {
    let name = expression.node.type_name().to_owned();
    StatementProblem::UnsupportedToken(name).at(expression.at)
}
