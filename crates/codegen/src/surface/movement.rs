//! Moves of a model as programs call them.

use monotable_model::model::{Attribute, EntityId, Model, Move, MoveKind};

/// A move, the way back, or the end of what was moved.
pub(crate) struct MoveSurface<'m> {
    pub(crate) declared: &'m Move,
    pub(crate) name: &'m str,
    /// The rows that it is called with.
    pub(crate) of: EntityId,
    /// The row that it answers with.
    pub(crate) answers: EntityId,
    pub(crate) target: MoveTarget<'m>,
}

/// Where a move leads.
pub(crate) enum MoveTarget<'m> {
    /// New values of attributes of the key, which the caller gives.
    Values(Vec<&'m Attribute>),
    /// Rows of another entity.
    Entity,
    /// Back to what the rows were.
    Back,
    /// Nowhere: what was moved is deleted.
    Nowhere,
}

/// Every operation that the moves of a model declare.
pub(super) fn list_moves(model: &Model) -> Vec<MoveSurface<'_>> {
    let mut moves = Vec::new();
    for declared in &model.moves {
        let mut push = |name, of, answers, target| {
            moves.push(MoveSurface {
                declared,
                name,
                of,
                answers,
                target,
            });
        };
        let (name, of) = (declared.name.value.as_str(), declared.of);
        match &declared.kind {
            MoveKind::Changes { changes, .. } => {
                let entity = model.entity(of);
                let changes = changes.iter();
                let attributes = changes.filter_map(|name| entity.attribute(&name.value));
                push(name, of, of, MoveTarget::Values(attributes.collect()));
            }
            MoveKind::To {
                to, undo, purge, ..
            } => {
                push(name, of, *to, MoveTarget::Entity);
                if let Some(undo) = undo {
                    push(&undo.value, *to, of, MoveTarget::Back);
                }
                if let Some(purge) = purge {
                    push(&purge.value, *to, *to, MoveTarget::Nowhere);
                }
            }
        }
    }
    moves
}
