//! The table that a statement is about.

use crate::partiql::error::{StatementError, StatementProblem};
use crate::partiql::syntax::{Expression, Node, Source, Step};

/// A table, and maybe one of its indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The table.
    pub table: String,
    /// The index.
    pub index: Option<String>,
}

impl Target {
    pub(super) fn from_source(source: &Source) -> Result<Self, StatementError> {
        let target = Self::from_path(&source.path)?;
        if source.has_alias {
            return Err(StatementProblem::Alias.into());
        }
        Ok(target)
    }

    pub(super) fn from_path(path: &Expression) -> Result<Self, StatementError> {
        let (table, index) = match &path.node {
            Node::Identifier(table) => (table, None),
            Node::Path { root, steps } => {
                let Node::Identifier(table) = &root.node else {
                    return Err(StatementProblem::FromSource.into());
                };
                match steps.as_slice() {
                    [Step::Name(index)] => (table, Some(index.clone())),
                    [_] => return Err(StatementProblem::FromSource.into()),
                    _ => return Err(StatementProblem::TooManyPathComponents.into()),
                }
            }
            _ => return Err(StatementProblem::FromSource.into()),
        };
        if table.is_empty() || index.as_deref() == Some("") {
            return Err(StatementProblem::EmptyPathComponent.into());
        }
        Ok(Self {
            table: table.clone(),
            index,
        })
    }
}
