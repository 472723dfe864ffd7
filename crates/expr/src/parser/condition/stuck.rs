//! Where a predicate's text stops making sense, and what could have stood there.

use super::{Frame, Parser};
use crate::mark::Mark;
use crate::syntax::Node;
use crate::token::{Token, TokenKind};

/// A token that cannot stand where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    pub(crate) token: Token,
    pub(crate) expected: Expected,
}

/// What could have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Condition,
    Operand,
    Name,
    Index,
    CloseBracket,
    /// `(` after `IN`.
    List,
    /// A comparison of the operand before.
    Comparison,
    /// `AND` between the bounds of `BETWEEN`.
    UpperBound,
    /// `,` or `)`.
    NextOperand,
    /// `)` after an operand.
    CloseParen,
    /// `AND`, `OR` or `)`.
    JunctionOrClose,
    /// `AND`, `OR` or the end.
    JunctionOrEnd,
}

impl<M: Mark> Parser<'_, M> {
    /// What is wrong at the current token, after an error.
    pub(super) fn stuck(&self) -> Stuck {
        Stuck {
            token: self.cursor.current(),
            expected: self.expected(),
        }
    }

    fn expected(&self) -> Expected {
        match self.cursor.missing() {
            Some(TokenKind::Index) => return Expected::Index,
            Some(TokenKind::CloseBracket) => return Expected::CloseBracket,
            Some(TokenKind::OpenParen) => return Expected::List,
            _ => {}
        }
        match self.cursor.previous().map(|token| token.kind) {
            Some(TokenKind::Dot) => Expected::Name,
            _ if self.after_term => self.expected_after_term(),
            _ if self.wants_operand() => Expected::Operand,
            _ => Expected::Condition,
        }
    }

    fn expected_after_term(&self) -> Expected {
        let is_operand = match self.syntax.nodes().last() {
            Some(Node::Path(_) | Node::Value(_)) => true,
            Some(Node::Call { name, .. }) => *name == "size",
            _ => false,
        };
        match self.frames.last() {
            Some(Frame::Call { .. } | Frame::In { .. }) => Expected::NextOperand,
            Some(Frame::Between(_)) => Expected::UpperBound,
            Some(Frame::Parentheses { of_operand: true }) => Expected::CloseParen,
            _ if is_operand => Expected::Comparison,
            _ if self.is_enclosed() => Expected::JunctionOrClose,
            _ => Expected::JunctionOrEnd,
        }
    }

    fn is_enclosed(&self) -> bool {
        let is_open = |frame: &Frame<'_, M>| matches!(frame, Frame::Parentheses { .. });
        self.frames.iter().any(is_open)
    }
}
