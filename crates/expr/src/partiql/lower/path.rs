//! Paths.

use crate::Problem;
use crate::partiql::error::{StatementError, StatementProblem};
use crate::partiql::syntax::{Expression, Node, Step};
use crate::tree::{DocumentPath, PathStep};
use monotable_item::limits::MAX_NESTING;

/// The document path that an expression is.
pub(super) fn document_path(expression: &Expression) -> Result<DocumentPath, StatementError> {
    let (root, steps) = match &expression.node {
        Node::Identifier(_) => (expression, [].as_slice()),
        Node::Path { root, steps } => (&**root, steps.as_slice()),
        _ => return Err(StatementProblem::PathComponent.at(expression.at)),
    };
    let Node::Identifier(attribute) = &root.node else {
        return Err(StatementProblem::PathComponent.at(root.at));
    };
    check_name(attribute)?;
    let mut path = DocumentPath::new(attribute);
    for step in steps {
        path = path.with(path_step(step)?);
    }
    if steps.len() >= MAX_NESTING {
        return Err(Problem::PathTooDeep {
            levels: steps.len() + 1,
        }
        .into());
    }
    Ok(path)
}

fn check_name(name: &str) -> Result<(), StatementError> {
    if name.is_empty() {
        return Err(StatementProblem::EmptyPathComponent.into());
    }
    Ok(())
}

fn path_step(step: &Step) -> Result<PathStep, StatementError> {
    match step {
        Step::Name(name) => {
            check_name(name)?;
            Ok(PathStep::Name(name.clone()))
        }
        Step::Unpivot => Err(StatementProblem::UnpivotPath.into()),
        Step::Wildcard => Err(StatementProblem::WildcardPath.into()),
        Step::Index(index) => match &index.node {
            // `a['b']` is `a.b`.
            Node::Text(name) => {
                check_name(name)?;
                Ok(PathStep::Name(name.clone()))
            }
            Node::Number(text) => {
                let number: Option<i32> = text.parse().ok();
                let position = number.and_then(|number| usize::try_from(number).ok());
                position
                    .map(PathStep::Index)
                    .ok_or_else(|| StatementProblem::ListIndex(text.clone()).at(index.at))
            }
            _ => Err(StatementProblem::PathComponent.at(index.at)),
        },
    }
}
