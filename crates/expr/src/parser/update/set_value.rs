//! The right side of a `SET`. Calls and parentheses nest, so what is open is kept on a stack.

use crate::Problem;
use crate::parser::cursor::Cursor;
use crate::parser::path::{path, path_after};
use crate::syntax::{Node, Step, Syntax};
use crate::token::TokenKind;
use crate::tree::Comparator;

/// Something that has begun and waits for its end.
enum Frame<'t> {
    /// `(`
    Parentheses,
    /// `name(operand, `
    Call { name: &'t str, arguments: usize },
}

/// A complete operand or sum.
#[derive(Clone, Copy)]
struct Term {
    /// Whether it can be an operand: a sum cannot.
    is_sum: bool,
    /// Whether parentheses stand directly around it.
    enclosed: bool,
}

/// Reads `= value`.
pub(super) fn set_value<'t>(
    cursor: &mut Cursor<'t>,
    syntax: &mut Syntax<'t>,
) -> Result<(), Problem> {
    cursor.expect(TokenKind::Comparator(Comparator::Equal))?;
    let mut value = SetValue {
        cursor,
        syntax,
        frames: Vec::new(),
        sum: None,
    };
    while !value.term()? {}
    Ok(())
}

struct SetValue<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    syntax: &'c mut Syntax<'t>,
    frames: Vec<Frame<'t>>,
    /// The operator whose second operand is being read, and how many frames were open before it.
    sum: Option<(Node<'t>, usize)>,
}

impl<'t> SetValue<'_, 't> {
    /// Reads a term and what closes after it; whether that completes the value.
    fn term(&mut self) -> Result<bool, Problem> {
        self.begin_operand()?;
        let mut term = Term {
            is_sum: false,
            enclosed: false,
        };
        loop {
            term = self.complete_sum(term);
            match self.cursor.kind() {
                TokenKind::Plus => return self.operator(term, Node::Plus),
                TokenKind::Minus => return self.operator(term, Node::Minus),
                TokenKind::Comma if !self.frames.is_empty() => return self.comma(),
                TokenKind::CloseParen if !self.frames.is_empty() => term = self.close(term)?,
                _ if self.frames.is_empty() => return Ok(true),
                _ => return Err(self.cursor.unexpected()),
            }
        }
    }

    fn begin_operand(&mut self) -> Result<(), Problem> {
        loop {
            match self.cursor.kind() {
                TokenKind::OpenParen => {
                    self.cursor.advance();
                    self.frames.push(Frame::Parentheses);
                }
                TokenKind::Value => {
                    let value = self.cursor.advance();
                    self.syntax.push(Node::Value(value));
                    return Ok(());
                }
                TokenKind::Word if self.cursor.keyword().is_none() => {
                    let name = self.cursor.advance();
                    if !self.cursor.take(TokenKind::OpenParen) {
                        let path = path_after(Step::Word(name), self.cursor, self.syntax)?;
                        self.syntax.push(Node::Path(path));
                        return Ok(());
                    }
                    self.frames.push(Frame::Call { name, arguments: 0 });
                }
                _ => {
                    let path = path(self.cursor, self.syntax)?;
                    self.syntax.push(Node::Path(path));
                    return Ok(());
                }
            }
        }
    }

    /// Applies the open operator once its second operand is complete.
    fn complete_sum(&mut self, term: Term) -> Term {
        match self.sum.take() {
            Some((node, depth)) if depth == self.frames.len() => {
                self.syntax.push(node);
                Term {
                    is_sum: true,
                    enclosed: false,
                }
            }
            sum => {
                self.sum = sum;
                term
            }
        }
    }

    /// Takes `term` as the first operand of the one operator that a value can have. It may stand in
    /// parentheses, but never in a call.
    fn operator(&mut self, term: Term, node: Node<'t>) -> Result<bool, Problem> {
        let in_call = self
            .frames
            .iter()
            .any(|frame| matches!(frame, Frame::Call { .. }));
        if term.is_sum || self.sum.is_some() || in_call {
            return Err(self.cursor.unexpected());
        }
        self.sum = Some((node, self.frames.len()));
        self.cursor.advance();
        Ok(false)
    }

    fn comma(&mut self) -> Result<bool, Problem> {
        let Some(Frame::Call { arguments, .. }) = self.frames.last_mut() else {
            return Err(self.cursor.unexpected());
        };
        *arguments += 1;
        self.cursor.advance();
        Ok(false)
    }

    fn close(&mut self, term: Term) -> Result<Term, Problem> {
        let closed = match self.frames.pop() {
            Some(Frame::Parentheses) => {
                self.syntax.redundant_parentheses |= term.enclosed;
                Term {
                    enclosed: true,
                    ..term
                }
            }
            Some(Frame::Call { name, arguments }) => {
                self.syntax.push(Node::Call {
                    name,
                    arguments: arguments + 1,
                    is_condition: false,
                });
                Term {
                    is_sum: false,
                    enclosed: false,
                }
            }
            None => return Err(self.cursor.unexpected()),
        };
        self.cursor.advance();
        Ok(closed)
    }
}
