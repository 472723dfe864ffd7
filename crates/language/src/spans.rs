//! Must two tracks give a piece the same bytes of their common text?
//!
//! Both runs read one text. At each byte a run may enter or leave its watched piece. While both do so at the
//! same bytes the pieces agree; once they differ they differ for good. A text at whose end the runs differ
//! is a counterexample, and if no such text exists the pieces always have the same value.

use super::readable::Taste;
use super::search::{Move, Outcome, shortest};
use super::track::{Position, Reading, START, Track, common_moves};

/// A track and the number of the watched piece, counted from 0 as the caller does.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    pub(super) track: &'a Track<'a>,
    pub(super) piece: usize,
}

/// What happens to the watched piece between two bytes.
#[derive(PartialEq, Eq)]
struct Event {
    enters: bool,
    leaves: bool,
}

impl Watched<'_> {
    fn event(&self, from: u32, to: u32) -> Event {
        let own = u32::try_from(self.piece + 1).unwrap_or(u32::MAX);
        Event {
            enters: from < own && own <= to,
            leaves: from <= own && own < to,
        }
    }
}

/// A common text in which the watched pieces take different bytes.
pub(super) fn different_spans(
    left: Watched<'_>,
    right: Watched<'_>,
    taste: Taste,
) -> Outcome<Reading> {
    let found = shortest(
        (START, START, false),
        taste,
        |(p, q, differs)| {
            left.track.ends(*p)
                && right.track.ends(*q)
                && (*differs
                    || left.event(p.piece, left.track.end())
                        != right.event(q.piece, right.track.end()))
        },
        |(p, q, differs), moves| {
            common_moves((left.track, right.track), (*p, *q), |lo, hi, l, r| {
                if let Some(differs) = step(left, right, (*p, *q, *differs), l, r) {
                    moves.push(Move {
                        lo,
                        hi,
                        to: (l, r, differs),
                    });
                }
            });
        },
    );
    found.map(|trail| Reading::new(&trail, |(p, q, _)| (*p, *q)))
}

/// Whether the runs differ after a move; `None` once both pieces ended together, for then they agree.
fn step(
    left: Watched<'_>,
    right: Watched<'_>,
    (p, q, differs): (Position, Position, bool),
    l: Position,
    r: Position,
) -> Option<bool> {
    if differs {
        return Some(true);
    }
    let (a, b) = (left.event(p.piece, l.piece), right.event(q.piece, r.piece));
    if a != b {
        return Some(true);
    }
    (!a.leaves).then_some(false)
}
