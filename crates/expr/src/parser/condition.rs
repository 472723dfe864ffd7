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

mod stuck;

pub(crate) use stuck::{Expected, Stuck};

use super::cursor::Cursor;
use super::path::{extend, path, path_after};
use crate::mark::Mark;
use crate::syntax::{Node, Step, Syntax};
use crate::token::{Keyword, TokenKind};
use crate::tree::Comparator;
use crate::{ExpressionKind, Problem};

/// Parses a condition, filter or key condition.
pub(crate) fn parse_condition(kind: ExpressionKind, text: &str) -> Result<Syntax<'_>, Problem> {
    let mut parser = Parser::new(Cursor::open(kind, text)?);
    parser.run()?;
    Ok(parser.syntax)
}

/// Parses a predicate: a condition with literals in it.
pub(crate) fn parse_predicate<M: Mark>(text: &str) -> Result<Syntax<'_, M>, Stuck> {
    let mut parser = Parser::new(Cursor::inline(text));
    match parser.run() {
        Ok(()) => Ok(parser.syntax),
        // What AWS would say is not needed: the parser stands where it got stuck.
        Err(_) => Err(parser.stuck()),
    }
}

struct Parser<'t, M> {
    cursor: Cursor<'t>,
    syntax: Syntax<'t, M>,
    frames: Vec<Frame<'t, M>>,
    /// Whether a term stands before the current token; for errors.
    after_term: bool,
}

/// Something that has begun and waits for its end. The marks are those of the operators.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Frame<'t, M> {
    /// `(`
    Parentheses {
        /// Whether only an operand can stand inside.
        of_operand: bool,
    },
    /// `name(operand, `
    Call {
        name: &'t str,
        arguments: usize,
        mark: M,
    },
    /// `operand IN (operand, `
    In { candidates: usize, mark: M },
    /// `operand <`
    Compare(Comparator, M),
    /// `operand BETWEEN`
    Between(M),
    /// `operand BETWEEN operand AND`
    BetweenAnd(M),
    /// `NOT`
    Not(M),
    /// `condition AND`
    And(M),
    /// `condition OR`
    Or(M),
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

impl<'t, M: Mark> Parser<'t, M> {
    fn new(cursor: Cursor<'t>) -> Self {
        Self {
            cursor,
            syntax: Syntax::default(),
            frames: Vec::new(),
            after_term: false,
        }
    }

    /// Reads all of the text. After an error the current token is the one that cannot stand there.
    fn run(&mut self) -> Result<(), Problem> {
        loop {
            self.after_term = false;
            let term = self.begin_term()?;
            self.after_term = true;
            if self.follow_term(term)? == Expecting::Nothing {
                return Ok(());
            }
        }
    }

    /// Reads up to the end of the next path or value.
    fn begin_term(&mut self) -> Result<Term, Problem> {
        loop {
            match self.cursor.kind() {
                TokenKind::OpenParen => {
                    let of_operand = self.wants_operand();
                    self.open(Frame::Parentheses { of_operand });
                }
                TokenKind::Word => match self.cursor.keyword() {
                    Some(Keyword::Not) if !self.wants_operand() => {
                        let mark = self.cursor.mark();
                        self.open(Frame::Not(mark));
                    }
                    Some(_) => return Err(self.cursor.unexpected()),
                    None => {
                        if let Some(term) = self.word()? {
                            return Ok(term);
                        }
                    }
                },
                TokenKind::Name => {
                    let mark = self.cursor.mark();
                    let path = path(&mut self.cursor, &mut self.syntax)?;
                    return Ok(self.operand(Node::Path(path), mark));
                }
                TokenKind::Value => return Ok(self.value()),
                TokenKind::Index if self.cursor.is_inline() => return Ok(self.value()),
                _ => return Err(self.cursor.unexpected()),
            }
        }
    }

    /// A path, or the beginning of a call, which is no term yet.
    fn word(&mut self) -> Result<Option<Term>, Problem> {
        let mark = self.cursor.mark();
        let name = self.cursor.advance();
        if self.cursor.is(TokenKind::OpenParen) {
            self.open(Frame::Call {
                name,
                arguments: 0,
                mark,
            });
            return Ok(None);
        }
        let path = path_after(Step::Word(name), &mut self.cursor, &mut self.syntax)?;
        Ok(Some(self.operand(Node::Path(path), mark)))
    }

    fn value(&mut self) -> Term {
        let mark = self.cursor.mark();
        let value = self.cursor.advance();
        self.operand(Node::Value(value), mark)
    }

    /// Takes in an operand that starts with `mark` and ends before the current token.
    fn operand(&mut self, node: Node<'t>, mark: M) -> Term {
        let end = self.cursor.previous_end();
        self.syntax.push_marked(node, mark.until(end));
        TermKind::Operand.term()
    }

    /// Reads on after a term, completing all that the next token completes.
    fn follow_term(&mut self, mut term: Term) -> Result<Expecting, Problem> {
        loop {
            term = self.complete_comparison(term)?;
            match self.cursor.kind() {
                TokenKind::Comparator(comparator) => {
                    let mark = self.cursor.mark();
                    return self.compare(term, Frame::Compare(comparator, mark));
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
        let (node, mark) = match self.frames.last() {
            Some(Frame::Compare(comparator, mark)) => (Node::Compare(*comparator), *mark),
            Some(Frame::BetweenAnd(mark)) => (Node::Between, *mark),
            _ => return Ok(term),
        };
        self.frames.pop();
        self.syntax.push_marked(node, mark);
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
        self.syntax.newest_ends_at(self.cursor.previous_end());
        if let Some(newest) = self.syntax.newest_path() {
            *newest = path;
        }
        Ok(())
    }

    fn keyword(&mut self, term: Term) -> Result<Expecting, Problem> {
        let mark = self.cursor.mark();
        match self.cursor.keyword() {
            Some(Keyword::Between) => self.compare(term, Frame::Between(mark)),
            Some(Keyword::In) => {
                let candidates = 0;
                self.compare(term, Frame::In { candidates, mark })?;
                self.cursor.expect(TokenKind::OpenParen)?;
                Ok(Expecting::Term)
            }
            Some(Keyword::And) => match self.frames.last() {
                Some(Frame::Between(mark)) => {
                    let mark = *mark;
                    self.frames.pop();
                    Ok(self.open_term(Frame::BetweenAnd(mark)))
                }
                _ => self.junction(term, Frame::And(mark)),
            },
            Some(Keyword::Or) => self.junction(term, Frame::Or(mark)),
            _ => Err(self.cursor.unexpected()),
        }
    }

    /// Takes `term` as what stands left of `AND` or `OR`.
    fn junction(&mut self, term: Term, frame: Frame<'t, M>) -> Result<Expecting, Problem> {
        self.join(term, precedence(&frame))?;
        Ok(self.open_term(frame))
    }

    /// Takes `term` as the first operand of a comparison.
    fn compare(&mut self, term: Term, frame: Frame<'t, M>) -> Result<Expecting, Problem> {
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
                | Frame::In {
                    candidates: count, ..
                },
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
            Some(Frame::Not(_) | Frame::And(_) | Frame::Or(_)) => self.join(term, 0)?,
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
            Some(Frame::Call {
                name,
                arguments,
                mark,
            }) => {
                let call = Node::Call {
                    name,
                    arguments: arguments + 1,
                    is_condition: false,
                };
                self.syntax.push_marked(call, self.closed(mark));
                TermKind::Call.term()
            }
            Some(Frame::In { candidates, mark }) => {
                let candidates = candidates + 1;
                self.syntax
                    .push_marked(Node::In { candidates }, self.closed(mark));
                TermKind::Condition.term()
            }
            other => {
                // Still open: an error looks at it.
                self.frames.extend(other);
                return Err(self.cursor.unexpected());
            }
        };
        self.cursor.advance();
        Ok(closed)
    }

    /// The mark of something that the current token closes.
    fn closed(&self, mark: M) -> M {
        mark.until(self.cursor.current().end)
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
            let (node, mark) = match frame {
                Frame::Not(mark) => (Node::Not, *mark),
                Frame::And(mark) => (Node::And, *mark),
                Frame::Or(mark) => (Node::Or, *mark),
                _ => break,
            };
            if precedence(frame) < least {
                break;
            }
            self.frames.pop();
            self.syntax.push_marked(node, mark);
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
            None | Some(Frame::Not(_) | Frame::And(_) | Frame::Or(_)) => false,
            Some(Frame::Parentheses { of_operand }) => *of_operand,
            Some(_) => true,
        }
    }

    fn open(&mut self, frame: Frame<'t, M>) {
        self.frames.push(frame);
        self.cursor.advance();
    }

    fn open_term(&mut self, frame: Frame<'t, M>) -> Expecting {
        self.open(frame);
        Expecting::Term
    }
}

/// How strongly an operator binds.
const fn precedence<M>(frame: &Frame<'_, M>) -> u8 {
    match frame {
        Frame::Or(_) => 1,
        Frame::And(_) => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests;
