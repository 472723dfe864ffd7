//! Tokens to a tree.
//!
//! AWS parses statements with PartiQL's reference parser, and passes its messages on. So the order in which things are
//! asked here is that parser's: a statement is an expression, and what is left after it is refused.

mod cursor;
mod expression;
mod select;
mod term;
mod write;

use super::error::{StatementError, StatementProblem};
use super::lexer::tokenize;
use super::syntax::Expression;
use super::token::{Precedence, TokenKind};
use cursor::Cursor;

/// What a text says, and how many parameters it has.
pub(super) fn parse(text: &str) -> Result<(Expression, usize), StatementError> {
    let mut cursor = Cursor::new(tokenize(text)?);
    let expression = cursor.expression(Precedence::Lowest)?;
    cursor.take_if(&TokenKind::Semicolon);
    match cursor.kind() {
        TokenKind::End => Ok((expression, cursor.parameters())),
        _ => Err(malformed("Unexpected token after expression")),
    }
}

fn malformed(detail: &'static str) -> StatementError {
    StatementProblem::Malformed(detail).into()
}

/// Ours: how deep AWS follows a statement is not known.
fn too_deep() -> StatementError {
    malformed("The statement is nested too deeply")
}
