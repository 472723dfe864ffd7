//! Moves: rows that come to stand elsewhere, and what that asks.

use super::evaluator::{Evaluator, Right};
use super::judge::{Pair, Question, consequence, is_written_by_mechanism};
use super::state::Row;
use monotable_model::model::{EntityId, Model, Move, MoveKind, Role};
use monotable_model::span::Name;

/// Rows that were deleted under one key and put under another are one change.
pub(super) fn join_moved(
    model: &Model,
    pairs: Vec<Pair>,
    moves: &dyn Fn(EntityId) -> bool,
) -> Vec<Pair> {
    let (added, mut joined): (Vec<Pair>, Vec<Pair>) = pairs
        .into_iter()
        .partition(|pair| pair.old.is_none() && pair.entity().is_some_and(moves));
    for new in added {
        let is_same = |pair: &&mut Pair| {
            pair.new.is_none() && pair.entity() == new.entity() && {
                let (Some(old), Some(new)) = (&pair.old, &new.new) else {
                    return false;
                };
                is_same_row(model, old, new)
            }
        };
        let found = joined.iter_mut().find(is_same);
        match found {
            Some(pair) => pair.new = new.new,
            None => joined.push(new),
        }
    }
    joined
}

/// Whether two rows are one that has moved: what cannot change is alike.
fn is_same_row(model: &Model, old: &Row, new: &Row) -> bool {
    let entity = model.entity(old.entity);
    let mut attributes = entity.attributes.iter();
    attributes.all(|attribute| {
        let name = &attribute.name.value;
        let may_differ = attribute.movable
            || attribute.computed.is_some()
            || attribute.role == Some(Role::Updated)
            || attribute.position.is_some()
            || is_changed_by_moves(model, name);
        may_differ || old.values.get(name) == new.values.get(name)
    })
}

/// Whether a move gives an attribute of that name another value.
fn is_changed_by_moves(model: &Model, name: &str) -> bool {
    model.moves.iter().any(|known| match &known.kind {
        MoveKind::Changes { changes, .. } => changes.iter().any(|changed| changed.value == name),
        MoveKind::To { .. } => false,
    })
}

/// A move by its own name, or by that of its way back or of its end.
pub(crate) fn find_move<'m>(model: &'m Model, name: &str) -> Option<(&'m Move, MoveWay)> {
    model.moves.iter().find_map(|known| {
        let is = |other: &Option<Name>| other.as_ref().is_some_and(|other| other.value == name);
        let way = match &known.kind {
            _ if known.name.value == name => MoveWay::Forth,
            MoveKind::To { undo, .. } if is(undo) => MoveWay::Back,
            MoveKind::To { purge, .. } if is(purge) => MoveWay::Purge,
            _ => return None,
        };
        Some((known, way))
    })
}

/// Which of a move's operations is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveWay {
    Forth,
    Back,
    Purge,
}

pub(super) fn move_questions(
    evaluator: &Evaluator<'_>,
    name: &str,
    pairs: Vec<Pair>,
) -> Vec<Question> {
    let model = evaluator.state.model;
    let (known, way) = find_move(model, name).unwrap();
    let named = |right, old, new| Question {
        right,
        old,
        new,
        is_named: true,
        is_put: false,
    };
    let MoveKind::To { to, .. } = &known.kind else {
        let pairs = join_moved(model, pairs, &|_| true);
        let mut questions = Vec::new();
        for pair in pairs {
            let Some(id) = pair.entity() else { continue };
            let is_moved = pair.old.is_some() && pair.new.is_some();
            if id == known.of {
                questions.push(named(Right::Update, pair.old, pair.new));
            } else if is_moved && !is_written_by_mechanism(model, id) {
                let mut question = named(Right::Update, pair.old, pair.new);
                question.is_named = false;
                questions.push(question);
            } else {
                questions.extend(consequence(evaluator, &[], pair));
            }
        }
        return questions;
    };
    let (from, to) = match way {
        MoveWay::Forth => (known.of, Some(*to)),
        MoveWay::Back => (*to, Some(known.of)),
        MoveWay::Purge => (*to, None),
    };
    let is_of = |id: EntityId| move |pair: &&Pair| pair.entity() == Some(id);
    let old = pairs
        .iter()
        .find(is_of(from))
        .and_then(|pair| pair.old.clone());
    let new = to
        .and_then(|to| pairs.iter().find(is_of(to)))
        .and_then(|pair| pair.new.clone());
    let right = match way {
        MoveWay::Forth => Right::MoveAway,
        MoveWay::Back => Right::Update,
        MoveWay::Purge => Right::Delete,
    };
    let owners: Vec<Row> = old.iter().cloned().collect();
    let mut questions = vec![named(right, old, new)];
    for pair in pairs {
        let id = pair.entity();
        if id == Some(from) || to.is_some() && id == to {
            continue;
        }
        let is_carried = to.is_some() && pair.old.is_some() != pair.new.is_some();
        if !is_carried {
            questions.extend(consequence(evaluator, &owners, pair));
        }
    }
    questions
}
