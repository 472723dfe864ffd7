//! `path = name ( "." name | "[" index "]" )*`

use super::cursor::Cursor;
use crate::Problem;
use crate::mark::Mark;
use crate::syntax::{PathSyntax, Step, Syntax};
use crate::token::TokenKind;

/// A document path that starts here.
pub(super) fn path<'t, M: Mark>(
    cursor: &mut Cursor<'t>,
    syntax: &mut Syntax<'t, M>,
) -> Result<PathSyntax, Problem> {
    let step = name(cursor)?;
    path_after(step, cursor, syntax)
}

/// A document path whose first name has been read.
pub(super) fn path_after<'t, M: Mark>(
    first: Step<'t>,
    cursor: &mut Cursor<'t>,
    syntax: &mut Syntax<'t, M>,
) -> Result<PathSyntax, Problem> {
    let mut path = syntax.open_path();
    syntax.push_step(&mut path, first);
    extend(&mut path, cursor, syntax)?;
    Ok(path)
}

/// The steps that follow, if any.
pub(super) fn extend<'t, M: Mark>(
    path: &mut PathSyntax,
    cursor: &mut Cursor<'t>,
    syntax: &mut Syntax<'t, M>,
) -> Result<(), Problem> {
    loop {
        let step = if cursor.take(TokenKind::Dot) {
            name(cursor)?
        } else if cursor.take(TokenKind::OpenBracket) {
            let index = cursor.expect(TokenKind::Index)?;
            cursor.expect(TokenKind::CloseBracket)?;
            Step::Index(index)
        } else {
            return Ok(());
        };
        syntax.push_step(path, step);
    }
}

fn name<'t>(cursor: &mut Cursor<'t>) -> Result<Step<'t>, Problem> {
    match cursor.kind() {
        // Inside a predicate's path a keyword can only be a name.
        TokenKind::Word if cursor.is_inline() || cursor.keyword().is_none() => {
            Ok(Step::Word(cursor.advance()))
        }
        TokenKind::Name => Ok(Step::Name(cursor.advance())),
        _ => Err(cursor.unexpected()),
    }
}
