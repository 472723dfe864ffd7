//! ```text
//! condition = condition OR condition | condition AND condition | NOT condition    in this precedence
//!           | operand comparator operand
//!           | operand BETWEEN operand AND operand
//!           | operand IN "(" operand ( "," operand )* ")"
//!           | call
//!           | "(" condition ")"
//! operand   = path | value | call | "(" operand ")"
//! call      = name "(" operand ( "," operand )* ")"
//! ```
//!
//! What an opening parenthesis encloses is known only later: `(a) = b` and `(a = b)` start alike. So the
//! parser keeps what is open as [`Frame`]s on a stack of its own and decides when a term is complete. A
//! term is an operand, a condition, or a call, which can be either until the next token tells.

use super::cursor::Cursor;
use super::path::{extend, path, path_after};
use crate::syntax::{Node, Step, Syntax};
use crate::token::{Keyword, TokenKind};
use crate::tree::Comparator;
use crate::{ExpressionKind, Problem};

/// Parses a condition, filter or key condition.
pub(crate) fn parse_condition(kind: ExpressionKind, text: &str) -> Result<Syntax<'_>, Problem> {
    let mut parser = Parser {
        cursor: Cursor::open(kind, text)?,
        syntax: Syntax::default(),
        frames: Vec::new(),
    };
    loop {
        let term = parser.begin_term()?;
        if parser.follow_term(term)? == Expecting::Nothing {
            return Ok(parser.syntax);
        }
    }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    syntax: Syntax<'t>,
    frames: Vec<Frame<'t>>,
}

/// Something that has begun and waits for its end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Frame<'t> {
    /// `(`
    Parentheses {
        /// Whether only an operand can stand inside.
        of_operand: bool,
    },
    /// `name(operand, `
    Call { name: &'t str, arguments: usize },
    /// `operand IN (operand, `
    In { candidates: usize },
    /// `operand <`
    Compare(Comparator),
    /// `operand BETWEEN`
    Between,
    /// `operand BETWEEN operand AND`
    BetweenAnd,
    /// `NOT`
    Not,
    /// `condition AND`
    And,
    /// `condition OR`
    Or,
}

/// Something complete, whose nodes are the newest ones.
#[derive(Clone, Copy)]
struct Term {
    kind: TermKind,
    /// Whether parentheses stand directly around it.
    enclosed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum TermKind {
    Operand,
    /// A call: an operand or a condition.
    Call,
    Condition,
}

impl TermKind {
    const fn term(self) -> Term {
        Term {
            kind: self,
            enclosed: false,
        }
    }
}

/// What must come after a term and what joins it.
#[derive(PartialEq)]
enum Expecting {
    Term,
    Nothing,
}

impl<'t> Parser<'t> {
    /// Reads up to the end of the next path or value.
    fn begin_term(&mut self) -> Result<Term, Problem> {
        loop {
            match self.cursor.kind() {
                TokenKind::OpenParen => {
                    let of_operand = self.wants_operand();
                    self.open(Frame::Parentheses { of_operand });
                }
                TokenKind::Word => match self.cursor.keyword() {
                    Some(Keyword::Not) if !self.wants_operand() => self.open(Frame::Not),
                    Some(_) => return Err(self.cursor.unexpected()),
                    None => {
                        if let Some(term) = self.word()? {
                            return Ok(term);
                        }
                    }
                },
                TokenKind::Name => {
                    let path = path(&mut self.cursor, &mut self.syntax)?;
                    self.syntax.push(Node::Path(path));
                    return Ok(TermKind::Operand.term());
                }
                TokenKind::Value => {
                    let value = self.cursor.advance();
                    self.syntax.push(Node::Value(value));
                    return Ok(TermKind::Operand.term());
                }
                _ => return Err(self.cursor.unexpected()),
            }
        }
    }

    /// A path, or the beginning of a call, which is no term yet.
    fn word(&mut self) -> Result<Option<Term>, Problem> {
        let name = self.cursor.advance();
        if self.cursor.is(TokenKind::OpenParen) {
            self.open(Frame::Call { name, arguments: 0 });
            return Ok(None);
        }
        let path = path_after(Step::Word(name), &mut self.cursor, &mut self.syntax)?;
        self.syntax.push(Node::Path(path));
        Ok(Some(TermKind::Operand.term()))
    }

    /// Reads on after a term, completing all that the next token completes.
    fn follow_term(&mut self, mut term: Term) -> Result<Expecting, Problem> {
        loop {
            term = self.complete_comparison(term)?;
            match self.cursor.kind() {
                TokenKind::Comparator(comparator) => {
                    return self.compare(term, Frame::Compare(comparator));
                }
                TokenKind::Comma => return self.comma(),
                TokenKind::CloseParen => term = self.close(term)?,
                TokenKind::End => {
                    self.join(term, 0)?;
                    return self.end();
                }
                TokenKind::Word => return self.keyword(term),
                _ => return Err(self.cursor.unexpected()),
            }
        }
    }

    /// The comparison that `term` is the last operand of; else `term`.
    fn complete_comparison(&mut self, mut term: Term) -> Result<Term, Problem> {
        if term.enclosed && self.continues_path() {
            self.extend_newest_path()?;
            term.enclosed = false;
        }
        let node = match self.frames.last() {
            Some(Frame::Compare(comparator)) => Node::Compare(*comparator),
            Some(Frame::BetweenAnd) => Node::Between,
            _ => return Ok(term),
        };
        self.frames.pop();
        self.syntax.push(node);
        Ok(TermKind::Condition.term())
    }

    /// Whether a path in parentheses goes on behind them: AWS reads `(a).b[0]` as `a.b[0]`.
    fn continues_path(&mut self) -> bool {
        matches!(self.cursor.kind(), TokenKind::Dot | TokenKind::OpenBracket)
            && self.syntax.newest_path().is_some()
    }

    fn extend_newest_path(&mut self) -> Result<(), Problem> {
        let Some(mut path) = self.syntax.newest_path().copied() else {
            return Ok(());
        };
        extend(&mut path, &mut self.cursor, &mut self.syntax)?;
        if let Some(newest) = self.syntax.newest_path() {
            *newest = path;
        }
        Ok(())
    }

    fn keyword(&mut self, term: Term) -> Result<Expecting, Problem> {
        match self.cursor.keyword() {
            Some(Keyword::Between) => self.compare(term, Frame::Between),
            Some(Keyword::In) => {
                self.compare(term, Frame::In { candidates: 0 })?;
                self.cursor.expect(TokenKind::OpenParen)?;
                Ok(Expecting::Term)
            }
            Some(Keyword::And) if self.frames.last() == Some(&Frame::Between) => {
                self.frames.pop();
                Ok(self.open_term(Frame::BetweenAnd))
            }
            Some(Keyword::And) => {
                self.join(term, precedence(&Frame::And))?;
                Ok(self.open_term(Frame::And))
            }
            Some(Keyword::Or) => {
                self.join(term, precedence(&Frame::Or))?;
                Ok(self.open_term(Frame::Or))
            }
            _ => Err(self.cursor.unexpected()),
        }
    }

    /// Takes `term` as the first operand of a comparison.
    fn compare(&mut self, term: Term, frame: Frame<'t>) -> Result<Expecting, Problem> {
        if term.kind == TermKind::Condition || self.wants_operand() {
            return Err(self.cursor.unexpected());
        }
        Ok(self.open_term(frame))
    }

    /// Counts the operand before a comma.
    fn comma(&mut self) -> Result<Expecting, Problem> {
        match self.frames.last_mut() {
            Some(
                Frame::Call {
                    arguments: count, ..
                }
                | Frame::In { candidates: count },
            ) => {
                *count += 1;
            }
            _ => return Err(self.cursor.unexpected()),
        }
        self.cursor.advance();
        Ok(Expecting::Term)
    }

    /// Closes the innermost parenthesis after `term`.
    fn close(&mut self, term: Term) -> Result<Term, Problem> {
        let joined = match self.frames.last() {
            Some(Frame::Not | Frame::And | Frame::Or) => self.join(term, 0)?,
            _ => term,
        };
        let closed = match self.frames.pop() {
            Some(Frame::Parentheses { .. }) => {
                self.syntax.redundant_parentheses |= joined.enclosed;
                Term {
                    enclosed: true,
                    ..joined
                }
            }
            Some(Frame::Call { name, arguments }) => {
                self.syntax.push(Node::Call {
                    name,
                    arguments: arguments + 1,
                    is_condition: false,
                });
                TermKind::Call.term()
            }
            Some(Frame::In { candidates }) => {
                let candidates = candidates + 1;
                self.syntax.push(Node::In { candidates });
                TermKind::Condition.term()
            }
            _ => return Err(self.cursor.unexpected()),
        };
        self.cursor.advance();
        Ok(closed)
    }

    /// Applies to `term`, a condition, the open operators that bind at least as strongly as `least`.
    fn join(&mut self, term: Term, least: u8) -> Result<Term, Problem> {
        let mut joined = match term.kind {
            TermKind::Operand => return Err(self.cursor.unexpected()),
            _ if self.wants_operand() => return Err(self.cursor.unexpected()),
            TermKind::Call => {
                self.syntax.newest_call_is_condition();
                Term {
                    kind: TermKind::Condition,
                    ..term
                }
            }
            TermKind::Condition => term,
        };
        while let Some(frame) = self.frames.last() {
            let node = match frame {
                Frame::Not => Node::Not,
                Frame::And => Node::And,
                Frame::Or => Node::Or,
                _ => break,
            };
            if precedence(frame) < least {
                break;
            }
            self.frames.pop();
            self.syntax.push(node);
            joined = TermKind::Condition.term();
        }
        Ok(joined)
    }

    fn end(&self) -> Result<Expecting, Problem> {
        if self.frames.is_empty() {
            Ok(Expecting::Nothing)
        } else {
            Err(self.cursor.unexpected())
        }
    }

    /// Whether what comes next can only be an operand.
    fn wants_operand(&self) -> bool {
        match self.frames.last() {
            None | Some(Frame::Not | Frame::And | Frame::Or) => false,
            Some(Frame::Parentheses { of_operand }) => *of_operand,
            Some(_) => true,
        }
    }

    fn open(&mut self, frame: Frame<'t>) {
        self.frames.push(frame);
        self.cursor.advance();
    }

    fn open_term(&mut self, frame: Frame<'t>) -> Expecting {
        self.open(frame);
        Expecting::Term
    }
}

/// How strongly an operator binds.
const fn precedence(frame: &Frame<'_>) -> u8 {
    match frame {
        Frame::Or => 1,
        Frame::And => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests;
