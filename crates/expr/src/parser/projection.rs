//! `projection = path ( "," path )*`

use super::cursor::Cursor;
use super::path::path;
use crate::syntax::ProjectionSyntax;
use crate::token::TokenKind;
use crate::{ExpressionKind, Problem};

/// Parses a projection.
pub(crate) fn parse_projection(text: &str) -> Result<ProjectionSyntax<'_>, Problem> {
    let mut cursor = Cursor::open(ExpressionKind::Projection, text)?;
    let mut projection = ProjectionSyntax::default();
    loop {
        let path = path(&mut cursor, &mut projection.syntax)?;
        projection.paths.push(path);
        if !cursor.take(TokenKind::Comma) {
            break;
        }
    }
    cursor.expect(TokenKind::End)?;
    Ok(projection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Step;

    #[test]
    fn reads_paths() {
        let projection = parse_projection("a, #b . c [ 3 ][0]").unwrap();
        let paths: Vec<_> = projection
            .paths
            .iter()
            .map(|path| projection.syntax.steps_of(*path))
            .collect();
        assert_eq!(
            paths,
            [
                &[Step::Word("a")][..],
                &[
                    Step::Name("#b"),
                    Step::Word("c"),
                    Step::Index("3"),
                    Step::Index("0")
                ],
            ]
        );
    }

    #[test]
    fn refuses_everything_else() {
        for text in [
            "a,", ",a", "a,,b", "a b", "a.", "a[]", "a[:i]", "a[-1]", "a.[0]", "[0]", ":v", "(a)",
            " ",
        ] {
            assert!(
                matches!(parse_projection(text), Err(Problem::Syntax { .. })),
                "{text}"
            );
        }
    }
}
