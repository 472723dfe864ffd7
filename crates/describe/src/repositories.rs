//! Versioned data.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::page::section;
use super::sentence;
use monotable_model::model::{Key, Model, Repository};

/// All repositories.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let parts = model.repositories.iter().map(|repository| {
        let name = &repository.name.value;
        let id = anchor(Place::Repository, name);
        section(
            id,
            name,
            &repository.notes,
            said(model, repository),
            facts(model, repository),
        )
    });
    super::page::chapter("repositories", "Repositories", parts)
}

fn said(model: &Model, repository: &Repository) -> Inline {
    let partition = model
        .entity(repository.head)
        .primary()
        .map_or("", |key| key.hash.text.as_str());
    Inline::new()
        .text("Rows of ")
        .then(sentence::entities(model, &repository.entities))
        .text(" are versioned as a whole. A commit writes a new snapshot, then a revision, and last moves the head, on the condition that it has not moved. There is one repository for each ")
        .code(partition)
        .text(".")
}

fn facts(model: &Model, repository: &Repository) -> Vec<(String, Inline)> {
    let key = |key: Option<&Key>| {
        let parts = key.into_iter().flat_map(Key::templates);
        Inline::join(parts.map(|template| Inline::of_code(&template.text)), " / ")
    };
    let row = |id| {
        sentence::entity(model, id)
            .text(" at ")
            .then(key(model.entity(id).primary()))
    };
    let log = match &repository.parent {
        Some(parent) => row(repository.log)
            .text("; ")
            .code(&parent.value)
            .text(" names the revision before"),
        None => row(repository.log),
    };
    let snapshot = repository
        .entities
        .first()
        .and_then(|id| model.entity(*id).primary())
        .map_or_else(Inline::new, |key| Inline::of_code(&key.hash.text));
    vec![
        (
            "Head".to_owned(),
            row(repository.head)
                .text("; ")
                .code(&repository.pointer.value)
                .text(" names the current revision"),
        ),
        ("Log".to_owned(), log),
        (
            "Snapshot".to_owned(),
            Inline::new()
                .text("the partition ")
                .then(snapshot)
                .text("; ")
                .code(&repository.revision.value)
                .text(" names the revision"),
        ),
        ("Commits under way".to_owned(), row(repository.intent)),
    ]
}
