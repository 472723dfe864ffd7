//! Runs of a text through a sequence of pieces, without building its automaton.

use super::automaton::Automaton;
use super::readable::Taste;
use super::search::{Move, Outcome, Trail, shortest};

/// One piece of a track.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    Text(&'a [u8]),
    Set(&'a Automaton),
}

/// A place in a track: the piece that took the last byte, and the state in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) piece: u32,
    state: u32,
}

/// Pieces one after the other. Piece 0 is an empty text, so that "nothing taken yet" is a position too:
/// the caller's first piece has number 1.
#[derive(Clone, Debug)]
pub(super) struct Track<'a> {
    pieces: Vec<Piece<'a>>,
}

pub(super) const START: Position = Position { piece: 0, state: 0 };

impl<'a> Track<'a> {
    pub(super) fn new(pieces: impl IntoIterator<Item = Piece<'a>>) -> Track<'a> {
        Track {
            pieces: std::iter::once(Piece::Text(b"")).chain(pieces).collect(),
        }
    }

    /// The number past the last piece.
    pub(super) fn end(&self) -> u32 {
        u32::try_from(self.pieces.len()).unwrap_or(u32::MAX)
    }

    /// May the piece end here?
    fn completes(&self, at: Position) -> bool {
        match self.pieces.get(at.piece as usize) {
            Some(Piece::Text(text)) => at.state as usize == text.len(),
            Some(Piece::Set(automaton)) => automaton.state(at.state).accept,
            None => false,
        }
    }

    /// May the text end here, with all later pieces empty?
    pub(super) fn ends(&self, at: Position) -> bool {
        let mut at = at;
        while self.completes(at) {
            at = Position {
                piece: at.piece + 1,
                state: 0,
            };
        }
        at.piece == self.end()
    }

    /// All moves on one byte, in this piece or in a later one if those between may be empty.
    pub(super) fn moves(&self, at: Position, out: &mut Vec<Move<Position>>) {
        let mut at = at;
        loop {
            self.moves_inside(at, out);
            if !self.completes(at) {
                return;
            }
            at = Position {
                piece: at.piece + 1,
                state: 0,
            };
        }
    }

    fn moves_inside(&self, at: Position, out: &mut Vec<Move<Position>>) {
        let to = |state| Position {
            piece: at.piece,
            state,
        };
        match self.pieces.get(at.piece as usize) {
            Some(Piece::Text(text)) => {
                if let Some(byte) = text.get(at.state as usize) {
                    out.push(Move {
                        lo: *byte,
                        hi: *byte,
                        to: to(at.state + 1),
                    });
                }
            }
            Some(Piece::Set(automaton)) => {
                let edges = automaton.state(at.state).edges.iter();
                out.extend(edges.map(|edge| Move {
                    lo: edge.lo,
                    hi: edge.hi,
                    to: to(edge.target),
                }));
            }
            None => {}
        }
    }
}

/// A text that two tracks share, with the piece that takes each byte on either side.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    text: Vec<u8>,
    left: Vec<u32>,
    right: Vec<u32>,
}

impl Reading {
    pub(super) fn new<N>(trail: &Trail<N>, places: impl Fn(&N) -> (Position, Position)) -> Reading {
        let (left, right) = trail
            .nodes
            .iter()
            .map(places)
            .map(|(l, r)| (l.piece, r.piece))
            .unzip();
        Reading {
            text: trail.bytes.clone(),
            left,
            right,
        }
    }

    /// What the caller's piece `index` (from 0) of the left track takes.
    pub(super) fn left_value(&self, index: usize) -> Vec<u8> {
        taken(&self.text, &self.left, index)
    }

    /// What the caller's piece `index` (from 0) of the right track takes.
    pub(super) fn right_value(&self, index: usize) -> Vec<u8> {
        taken(&self.text, &self.right, index)
    }
}

fn taken(text: &[u8], owners: &[u32], index: usize) -> Vec<u8> {
    let own = text
        .iter()
        .zip(owners)
        .filter(|(_, owner)| **owner as usize == index + 1);
    own.map(|(byte, _)| *byte).collect()
}

/// Calls `visit` for each pair of moves that share bytes.
pub(super) fn common_moves(
    (left, right): (&Track<'_>, &Track<'_>),
    (p, q): (Position, Position),
    mut visit: impl FnMut(u8, u8, Position, Position),
) {
    let (mut lefts, mut rights) = (Vec::with_capacity(8), Vec::with_capacity(8));
    left.moves(p, &mut lefts);
    right.moves(q, &mut rights);
    for l in &lefts {
        for r in &rights {
            let (lo, hi) = (l.lo.max(r.lo), l.hi.min(r.hi));
            if lo <= hi {
                visit(lo, hi, l.to, r.to);
            }
        }
    }
}

/// A shortest text of both tracks.
pub(super) fn common_text(left: &Track<'_>, right: &Track<'_>, taste: Taste) -> Outcome<Reading> {
    let found = shortest(
        (START, START),
        taste,
        |(p, q)| left.ends(*p) && right.ends(*q),
        |(p, q), moves| {
            common_moves((left, right), (*p, *q), |lo, hi, l, r| {
                moves.push(Move { lo, hi, to: (l, r) })
            });
        },
    );
    found.map(|trail| Reading::new(&trail, |(p, q)| (*p, *q)))
}
