//! Rows that come to stand elsewhere: moves, paths, carries.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::page::{chapter, section};
use super::sentence;
use monotable_model::model::{Carry, Model, Move, MoveKind, Path};

/// All moves.
pub(crate) fn moves(model: &Model) -> Vec<Block> {
    let parts = model.moves.iter().map(|moved| {
        let name = &moved.name.value;
        let id = anchor(Place::Move, name);
        section(
            id,
            name,
            &moved.notes,
            moved_to(model, moved),
            move_facts(model, moved),
        )
    });
    chapter("moves", "Moves", parts)
}

fn moved_to(model: &Model, moved: &Move) -> Inline {
    let of = sentence::entity(model, moved.of);
    match &moved.kind {
        MoveKind::To { to, .. } => Inline::new()
            .text("A row of ")
            .then(of)
            .text(" becomes a row of ")
            .then(sentence::entity(model, *to))
            .text(". It keeps every attribute; what does not fit one transaction is done in chunks, its own row last."),
        MoveKind::Changes { changes, .. } => Inline::new()
            .text("Changes ")
            .then(sentence::names(changes))
            .text(" in the key of a row of ")
            .then(of)
            .text(": the row is deleted and put under its new key."),
    }
}

fn move_facts(model: &Model, moved: &Move) -> Vec<(String, Inline)> {
    let mut facts: Vec<(String, Inline)> = Vec::new();
    match &moved.kind {
        MoveKind::To {
            rest,
            undo,
            purge,
            removes,
            ..
        } => {
            if let Some(rest) = rest {
                let rest = Inline::new()
                    .text("become rows of ")
                    .then(sentence::entity(model, *rest));
                facts.push(("Rows it owns".to_owned(), rest));
            }
            if !removes.is_empty() {
                let removes =
                    sentence::entities(model, removes).text(", and made again on the way back");
                facts.push(("Deleted on the way".to_owned(), removes));
            }
            if let Some(undo) = undo {
                facts.push(("The way back".to_owned(), Inline::of_code(&undo.value)));
            }
            if let Some(purge) = purge {
                facts.push((
                    "Deletes what was moved".to_owned(),
                    Inline::of_code(&purge.value),
                ));
            }
        }
        MoveKind::Changes { carries, .. } => {
            if !carries.is_empty() {
                facts.push((
                    "Rows that change too".to_owned(),
                    sentence::patterns(model, carries),
                ));
            }
        }
    }
    if !moved.set.is_empty() {
        facts.push(("Sets".to_owned(), sentence::assignments(&moved.set)));
    }
    facts
}

/// All paths.
pub(crate) fn paths(model: &Model) -> Vec<Block> {
    let parts = model.paths.iter().map(|path| {
        let name = &path.name.value;
        let id = anchor(Place::Path, name);
        section(id, name, &path.notes, chain(model, path), Vec::new())
    });
    chapter("paths", "Paths", parts)
}

fn chain(model: &Model, path: &Path) -> Inline {
    Inline::of_code(&path.attribute.value)
        .text(" of ")
        .then(sentence::entity(model, path.of))
        .text(", split at ")
        .code(&path.split)
        .text(", is a chain of rows: a ")
        .then(sentence::entity(model, path.folder))
        .text(" for each segment but the last, a ")
        .then(sentence::entity(model, path.leaf))
        .text(" for the last. Missing folders are made; the leaf goes with its row.")
}

/// All carries.
pub(crate) fn carries(model: &Model) -> Vec<Block> {
    let parts = model.carries.iter().map(|carry| {
        let name = &carry.name.value;
        let id = anchor(Place::Carry, name);
        section(id, name, &carry.notes, carried(model, carry), Vec::new())
    });
    chapter("carries", "Carries", parts)
}

fn carried(model: &Model, carry: &Carry) -> Inline {
    let repository = |id| {
        let name = &model.repository(id).name.value;
        Inline::new().link(anchor(Place::Repository, name), name)
    };
    let mut said = Inline::new()
        .text("Rows of ")
        .then(sentence::entity(model, carry.of))
        .text(" of a head of ")
        .then(repository(carry.from))
        .text(" are committed to a head of ")
        .then(repository(carry.to));
    if let Some(when) = &carry.when {
        said = said.then(sentence::condition(", if", when));
    }
    if !carry.set.is_empty() {
        said = said.text(", with ").then(sentence::assignments(&carry.set));
    }
    said.text(".")
}
