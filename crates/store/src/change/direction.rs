//! Moves of the model that make a row one of another entity.

use monotable_model::model::{EntityId, Move, MoveKind};
use monotable_model::span::Name;

/// Which way a row is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Away,
    Back,
    Purge,
}

/// A move to another entity, and which way.
pub(crate) struct MoveToOther {
    pub(crate) direction: Direction,
    /// What the row becomes.
    pub(crate) to: EntityId,
    /// What the rows become that it owns.
    pub(crate) rest: Option<EntityId>,
}

/// Which way a name takes a move to another entity; none if it means another move.
pub(crate) fn find_direction(declared: &Move, name: &str) -> Option<MoveToOther> {
    let MoveKind::To {
        to,
        rest,
        undo,
        purge,
        ..
    } = &declared.kind
    else {
        return None;
    };
    let is = |known: &Option<Name>| known.as_ref().is_some_and(|known| known.value == name);
    let direction = if declared.name.value == name {
        Direction::Away
    } else if is(undo) {
        Direction::Back
    } else if is(purge) {
        Direction::Purge
    } else {
        return None;
    };
    Some(MoveToOther {
        direction,
        to: *to,
        rest: *rest,
    })
}
