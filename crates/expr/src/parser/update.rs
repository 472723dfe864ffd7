//! ```text
//! update = clause+
//! clause = SET set ( "," set )* | REMOVE path ( "," path )*
//!        | ADD path value ( "," path value )* | DELETE path value ( "," path value )*
//! set    = path "=" operand ( ( "+" | "-" ) operand )?         parentheses around both or either
//! operand = path | value | name "(" operand ( "," operand )* ")" | "(" operand ")"
//! ```

mod set_value;

use super::cursor::Cursor;
use super::path::path;
use crate::syntax::{ActionSyntax, Clause, Node, UpdateSyntax};
use crate::token::{Keyword, TokenKind};
use crate::{ExpressionKind, Problem};
use set_value::set_value;

/// Parses an update.
pub(crate) fn parse_update(text: &str) -> Result<UpdateSyntax<'_>, Problem> {
    let mut cursor = Cursor::open(ExpressionKind::Update, text)?;
    let mut update = UpdateSyntax::default();
    loop {
        let clause = clause(&mut cursor)?;
        update.clauses.push(clause);
        actions(clause, &mut cursor, &mut update)?;
        if cursor.is(TokenKind::End) {
            return Ok(update);
        }
    }
}

fn clause(cursor: &mut Cursor<'_>) -> Result<Clause, Problem> {
    let clause = match cursor.keyword() {
        Some(Keyword::Set) => Clause::Set,
        Some(Keyword::Remove) => Clause::Remove,
        Some(Keyword::Add) => Clause::Add,
        Some(Keyword::Delete) => Clause::Delete,
        _ => return Err(cursor.unexpected()),
    };
    cursor.advance();
    Ok(clause)
}

fn actions<'t>(
    clause: Clause,
    cursor: &mut Cursor<'t>,
    update: &mut UpdateSyntax<'t>,
) -> Result<(), Problem> {
    loop {
        let path = path(cursor, &mut update.syntax)?;
        let start = update.syntax.nodes().len();
        match clause {
            Clause::Set => set_value(cursor, &mut update.syntax)?,
            Clause::Remove => {}
            Clause::Add | Clause::Delete => {
                let value = cursor.expect(TokenKind::Value)?;
                update.syntax.push(Node::Value(value));
            }
        }
        update.actions.push(ActionSyntax {
            clause,
            path,
            value: start..update.syntax.nodes().len(),
        });
        if !cursor.take(TokenKind::Comma) {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
