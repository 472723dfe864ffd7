//! What the text of a statement says, before anything of it is judged.

use super::position::SourcePosition;
use crate::tree::Comparator;

/// An expression: a condition, a value, a path, or something that has no place in a statement.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) node: Node,
    /// The token that stands for it.
    pub(super) at: SourcePosition,
}

/// What an expression is. A tree is never deeper than the parser follows one.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Text(String),
    /// With its sign.
    Number(String),
    Bool(bool),
    Null,
    Missing,
    /// The position of a `?` among all of them, from 0.
    Parameter(usize),
    Identifier(String),
    Path {
        root: Box<Expression>,
        steps: Vec<Step>,
    },
    List(Vec<Expression>),
    Bag(Vec<Expression>),
    Struct(Vec<(Expression, Expression)>),
    Call {
        /// In lower case for a keyword, else as written.
        name: String,
        arguments: Vec<Expression>,
    },
    /// Conditions joined by `AND`.
    All(Vec<Expression>),
    /// Conditions joined by `OR`.
    Any(Vec<Expression>),
    Not(Box<Expression>),
    Compare {
        comparator: Comparator,
        left: Box<Expression>,
        right: Box<Expression>,
    },
    Between {
        operand: Box<Expression>,
        lower: Box<Expression>,
        upper: Box<Expression>,
    },
    In {
        operand: Box<Expression>,
        list: Box<Expression>,
    },
    IsType {
        operand: Box<Expression>,
        type_name: &'static str,
    },
    Sum(Box<Expression>, Box<Expression>),
    Difference(Box<Expression>, Box<Expression>),
    /// An operator that DynamoDB does not have, or a sign before something that is no number.
    Operation(&'static str),
    /// A statement inside parentheses, or the whole of it.
    Statement(Box<StatementSyntax>),
}

/// A step of a path.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// `.name`
    Name(String),
    /// `[expression]`
    Index(Expression),
    /// `.*`
    Unpivot,
    /// `[*]`
    Wildcard,
}

/// A statement as written.
#[derive(Clone, Debug)]
pub(super) enum StatementSyntax {
    Select(SelectSyntax),
    Insert(InsertSyntax),
    Update(UpdateSyntax),
    Delete(DeleteSyntax),
}

/// What stands after FROM, UPDATE and INTO.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) path: Expression,
    pub(super) has_alias: bool,
}

#[derive(Clone, Debug)]
pub(super) struct SelectSyntax {
    pub(super) projection: ProjectionSyntax,
    pub(super) sources: Vec<Source>,
    pub(super) condition: Option<Expression>,
    pub(super) order: Vec<OrderSyntax>,
    /// A clause that DynamoDB does not have.
    pub(super) unsupported: Option<Unsupported>,
}

/// A clause that DynamoDB does not have, and where it is if AWS says so.
#[derive(Clone, Debug)]
pub(super) struct Unsupported {
    pub(super) clause: &'static str,
    pub(super) at: Option<SourcePosition>,
}

#[derive(Clone, Debug)]
pub(super) enum ProjectionSyntax {
    /// `*`
    All,
    Columns(Vec<Column>),
    /// `VALUE` or `PIVOT`.
    Value,
    /// Columns after `DISTINCT`.
    Distinct,
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) expression: Expression,
    pub(super) has_alias: bool,
}

#[derive(Clone, Debug)]
pub(super) struct OrderSyntax {
    pub(super) expression: Expression,
    pub(super) descending: bool,
}

#[derive(Clone, Debug)]
pub(super) struct InsertSyntax {
    pub(super) target: Expression,
    pub(super) values: InsertedSyntax,
    pub(super) has_returning: bool,
}

#[derive(Clone, Debug)]
pub(super) enum InsertedSyntax {
    /// `VALUE item`
    Item(Expression),
    /// `VALUE item AT place`
    ItemAt,
    /// A bag of items.
    Several,
}

#[derive(Clone, Debug)]
pub(super) struct UpdateSyntax {
    pub(super) source: Source,
    pub(super) changes: Vec<ChangeSyntax>,
    pub(super) condition: Option<Expression>,
    pub(super) returning: Option<ReturningSyntax>,
}

#[derive(Clone, Debug)]
pub(super) enum ChangeSyntax {
    Set(Expression, Expression),
    Remove(Expression),
}

#[derive(Clone, Debug)]
pub(super) struct DeleteSyntax {
    pub(super) source: Source,
    pub(super) condition: Option<Expression>,
    pub(super) returning: Option<ReturningSyntax>,
}

/// `RETURNING ALL OLD *`: the first element, and what is wrong with the clause.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReturningSyntax {
    pub(super) returned: super::statement::Returning,
    pub(super) is_star: bool,
    pub(super) has_more: bool,
}

impl Node {
    /// What AWS calls the expression where it has no place.
    pub(super) fn type_name(&self) -> &str {
        match self {
            Self::Text(_) => "STRING",
            Self::Number(text) if text.contains(['.', 'e', 'E']) => "DECIMAL",
            Self::Number(_) => "INT",
            Self::Bool(_) => "BOOL",
            Self::Null => "NULL",
            Self::Missing => "LiteralMissing",
            Self::Parameter(_) => "Parameter",
            Self::Identifier(_) => "VariableReference",
            Self::Path { .. } => "Path",
            Self::List(_) | Self::Bag(_) => "Seq",
            Self::Struct(_) => "Struct",
            Self::Call { name, .. } => name,
            Self::All(_)
            | Self::Any(_)
            | Self::Not(_)
            | Self::Compare { .. }
            | Self::Between { .. }
            | Self::In { .. }
            | Self::Sum(..)
            | Self::Difference(..)
            | Self::Operation(_) => "NAry",
            Self::IsType { .. } => "IsType",
            Self::Statement(_) => "Select",
        }
    }
}
