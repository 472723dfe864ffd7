//! Wildcards.

use super::Case;

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// This character.
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
}

/// Whether a text is one of those that the pieces stand for.
///
/// Where the text does not go on as the pieces do, the last `*` takes one character more; an earlier one never has to. So
/// the time is at most the product of both lengths.
pub(super) fn matches(pieces: &[Piece], text: &str, case: Case) -> bool {
    let text: Vec<char> = text.chars().collect();
    let (mut at_piece, mut at_char) = (0, 0);
    // Behind the last `*`: its next piece, and the character that it is to take next.
    let mut retry: Option<(usize, usize)> = None;
    while let Some(c) = text.get(at_char) {
        match pieces.get(at_piece) {
            Some(Piece::Many) => {
                at_piece += 1;
                retry = Some((at_piece, at_char));
            }
            Some(Piece::One) => {
                at_piece += 1;
                at_char += 1;
            }
            Some(Piece::Char(wanted)) if is_same(*wanted, *c, case) => {
                at_piece += 1;
                at_char += 1;
            }
            Some(Piece::Char(_)) | None => match retry {
                Some((piece, taken)) => {
                    at_piece = piece;
                    at_char = taken + 1;
                    retry = Some((piece, taken + 1));
                }
                None => return false,
            },
        }
    }
    let mut rest = pieces.iter().skip(at_piece);
    rest.all(|piece| *piece == Piece::Many)
}

fn is_same(one: char, other: char, case: Case) -> bool {
    match case {
        Case::Matters => one == other,
        Case::Ignored => one == other || one.to_lowercase().eq(other.to_lowercase()),
    }
}
