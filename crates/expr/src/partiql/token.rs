//! The tokens of a statement.

use super::position::SourcePosition;
use crate::tree::Comparator;
use std::borrow::Cow;

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) at: SourcePosition,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'t> {
    /// A name without quotes.
    Identifier(&'t str),
    /// A name in double quotes.
    QuotedIdentifier(Cow<'t, str>),
    /// A keyword, in lower case.
    Keyword(&'static str),
    /// A text in single quotes.
    Text(Cow<'t, str>),
    /// A number without sign, as written.
    Number(&'t str),
    True,
    False,
    Null,
    Missing,
    Operator(Operator),
    /// `?`
    Parameter,
    Star,
    Dot,
    Comma,
    Colon,
    Semicolon,
    LeftParenthesis,
    RightParenthesis,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    /// `<<`
    LeftBag,
    /// `>>`
    RightBag,
    End,
}

/// What stands between or before operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Compare(Comparator),
    And,
    Or,
    Not,
    In,
    Is,
    Between,
    /// Of numbers in updates.
    Plus,
    /// Of numbers in updates, and the sign of a number.
    Minus,
    /// One that PartiQL has and DynamoDB does not; with what it binds like.
    Other(&'static str, Precedence),
}

/// How strongly an operator binds; the later in the list, the stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Precedence {
    /// Nothing has been read yet.
    Lowest,
    /// `UNION` and its kin.
    Set,
    /// What stands in a clause of a SELECT: everything but `UNION` and its kin.
    Clause,
    Or,
    And,
    Not,
    Equality,
    Comparison,
    Addition,
    Multiplication,
}

impl Operator {
    /// How strongly it binds between two operands; none if it does not stand there.
    pub(super) const fn precedence(self) -> Option<Precedence> {
        Some(match self {
            Self::Compare(Comparator::Equal | Comparator::NotEqual) | Self::In | Self::Is => {
                Precedence::Equality
            }
            Self::Compare(_) | Self::Between => Precedence::Comparison,
            Self::And => Precedence::And,
            Self::Or => Precedence::Or,
            Self::Plus | Self::Minus => Precedence::Addition,
            Self::Other(_, precedence) => precedence,
            Self::Not => return None,
        })
    }

    /// The operator that a keyword is.
    pub(super) fn from_keyword(keyword: &str) -> Option<Self> {
        Some(match keyword {
            "and" => Self::And,
            "or" => Self::Or,
            "not" => Self::Not,
            "in" => Self::In,
            "is" => Self::Is,
            "between" => Self::Between,
            "like" => Self::Other("LIKE", Precedence::Comparison),
            "union" => Self::Other("UNION", Precedence::Set),
            "except" => Self::Other("EXCEPT", Precedence::Set),
            "intersect" => Self::Other("INTERSECT", Precedence::Set),
            _ => return None,
        })
    }
}
