//! Statements as callers hold them: parsed, with their table known, and everything else yet to be judged.

mod target;
mod write;

use super::columns::Columns;
use super::error::{StatementError, StatementProblem};
use super::lower;
use super::parser;
use super::syntax::{Expression, Node, SelectSyntax, StatementSyntax};
use crate::tree::Predicate;
use monotable_item::EncodedValue;
pub use target::Target;
pub use write::{DeleteStatement, InsertStatement, Returning, UpdateStatement};

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `SELECT`
    Select(SelectStatement),
    /// `EXISTS(SELECT ...)`
    Exists(SelectStatement),
    /// `INSERT INTO`
    Insert(InsertStatement),
    /// `UPDATE`, or `FROM ... SET`
    Update(UpdateStatement),
    /// `DELETE FROM`
    Delete(DeleteStatement),
}

impl Statement {
    /// Parses a statement that has no parameters.
    pub fn parse(text: &str) -> Result<Self, StatementError> {
        Self::parse_with(text, 0)
    }

    /// Parses a statement that has so many parameters.
    pub fn parse_with(text: &str, parameters: usize) -> Result<Self, StatementError> {
        let (expression, count) = parser::parse(text)?;
        let statement = Self::from_expression(expression)?;
        if count == parameters {
            Ok(statement)
        } else {
            Err(StatementProblem::ParameterCount.into())
        }
    }

    fn from_expression(expression: Expression) -> Result<Self, StatementError> {
        match expression.node {
            Node::Statement(statement) => match *statement {
                StatementSyntax::Select(select) => SelectStatement::new(select).map(Self::Select),
                StatementSyntax::Insert(insert) => InsertStatement::new(insert).map(Self::Insert),
                StatementSyntax::Update(update) => UpdateStatement::new(update).map(Self::Update),
                StatementSyntax::Delete(delete) => DeleteStatement::new(delete).map(Self::Delete),
            },
            Node::Call { name, arguments } if name == "exists" => {
                let [argument] = <[Expression; 1]>::try_from(arguments)
                    .map_err(|_| StatementProblem::UnsupportedOperation("NAry"))?;
                match argument.node {
                    Node::Statement(statement) => match *statement {
                        StatementSyntax::Select(select) => {
                            SelectStatement::new(select).map(Self::Exists)
                        }
                        _ => Err(StatementProblem::UnsupportedOperation("NAry").into()),
                    },
                    _ => Err(StatementProblem::UnsupportedOperation("NAry").into()),
                }
            }
            node => {
                let name = match node {
                    Node::IsType { .. } => "IsType",
                    Node::Identifier(_) => "VariableReference",
                    Node::Path { .. } => "Path",
                    Node::List(_) | Node::Bag(_) => "Seq",
                    Node::Struct(_) => "Struct",
                    Node::Parameter(_) => "Parameter",
                    Node::Text(_) | Node::Number(_) | Node::Bool(_) | Node::Null => "Literal",
                    Node::Missing => "LiteralMissing",
                    _ => "NAry",
                };
                Err(StatementProblem::UnsupportedOperation(name).into())
            }
        }
    }

    /// The table that it reads or writes.
    pub const fn target(&self) -> &Target {
        match self {
            Self::Select(select) | Self::Exists(select) => &select.target,
            Self::Insert(insert) => insert.target(),
            Self::Update(update) => update.target(),
            Self::Delete(delete) => delete.target(),
        }
    }

    /// Whether it only reads. What EXISTS asks for is a condition of writes.
    pub const fn is_read(&self) -> bool {
        matches!(self, Self::Select(_))
    }

    /// What it returns of the item that it writes.
    pub const fn returning(&self) -> Option<Returning> {
        match self {
            Self::Update(update) => update.returning(),
            Self::Delete(delete) => delete.returning(),
            Self::Select(_) | Self::Exists(_) | Self::Insert(_) => None,
        }
    }
}

/// A SELECT.
#[derive(Clone, Debug)]
pub struct SelectStatement {
    target: Target,
    syntax: SelectSyntax,
}

/// A term of ORDER BY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTerm {
    /// The attribute.
    pub attribute: String,
    /// Whether its largest value comes first.
    pub descending: bool,
}

impl SelectStatement {
    fn new(syntax: SelectSyntax) -> Result<Self, StatementError> {
        let [source] = syntax.sources.as_slice() else {
            return Err(StatementProblem::SeveralSources.into());
        };
        let target = Target::from_source(source)?;
        Ok(Self { target, syntax })
    }

    /// The table, and the index to read instead of it.
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// The columns to return of each item; none for all of the item.
    pub fn columns(&self) -> Result<Option<Columns>, StatementError> {
        if let Some(unsupported) = &self.syntax.unsupported {
            return Err(StatementError {
                problem: StatementProblem::UnsupportedClause(unsupported.clause),
                at: unsupported.at,
            });
        }
        lower::columns(&self.syntax.projection)
    }

    /// What must hold of an item.
    pub fn condition(
        &self,
        parameters: &[EncodedValue],
    ) -> Result<Option<Predicate>, StatementError> {
        lower::condition(self.syntax.condition.as_ref(), parameters)
    }

    /// The order in which items are returned; empty if any will do.
    pub fn order(&self) -> Result<Vec<OrderTerm>, StatementError> {
        let terms = self.syntax.order.iter();
        terms
            .map(|term| match &term.expression.node {
                Node::Identifier(attribute) => Ok(OrderTerm {
                    attribute: attribute.clone(),
                    descending: term.descending,
                }),
                Node::Path { .. } => Err(StatementProblem::OrderTerm("Path").into()),
                Node::Text(_) | Node::Number(_) => {
                    Err(StatementProblem::OrderTerm("Literal").into())
                }
                _ => Err(StatementProblem::OrderTerm("NAry").into()),
            })
            .collect()
    }
}
