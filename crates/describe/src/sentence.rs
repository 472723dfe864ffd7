//! Small sentences that several parts of the page need.

use super::anchor::{Place, anchor};
use super::inline::Inline;
use monotable_model::model::{
    AccessId, Assigned, Assignment, EntityId, Model, Notes, Predicate, Template,
};
use monotable_model::span::Name;

/// A link to an entity.
pub(crate) fn entity(model: &Model, id: EntityId) -> Inline {
    let name = &model.entity(id).name.value;
    Inline::new().link(anchor(Place::Entity, name), name)
}

/// Links to entities.
pub(crate) fn entities(model: &Model, ids: &[EntityId]) -> Inline {
    Inline::join(ids.iter().map(|id| entity(model, *id)), ", ")
}

/// A link to an access pattern.
pub(crate) fn pattern(model: &Model, id: AccessId) -> Inline {
    let name = &model.pattern(id).name.value;
    Inline::new().link(anchor(Place::Pattern, name), name)
}

/// Links to access patterns.
pub(crate) fn patterns(model: &Model, ids: &[AccessId]) -> Inline {
    Inline::join(ids.iter().map(|id| pattern(model, *id)), ", ")
}

/// Names of attributes.
pub(crate) fn names(names: &[Name]) -> Inline {
    Inline::join(names.iter().map(|name| Inline::of_code(&name.value)), ", ")
}

/// A condition, after a word: `if P`.
pub(crate) fn condition(word: &str, predicate: &Predicate) -> Inline {
    Inline::new()
        .text(format!("{word} "))
        .code(predicate.to_string())
}

/// What the model tells callers who are refused, as a fact.
pub(crate) fn message(message: Option<&String>) -> Option<(String, Inline)> {
    let message = message?;
    let said = Inline::new().text(format!("\u{201c}{message}\u{201d}"));
    Some(("Refused with".to_owned(), said))
}

/// A rule, with what the model tells callers whom it refuses.
pub(crate) fn with_message(said: Inline, message: Option<&String>) -> Inline {
    match message {
        Some(message) => said.text(format!("; refused with \u{201c}{message}\u{201d}")),
        None => said,
    }
}

/// What an assignment gives, as it is written.
pub(crate) fn assigned(value: &Assigned) -> String {
    match value {
        Assigned::Template(template) => template.text.clone(),
        Assigned::Flag(flag) => flag.to_string(),
        Assigned::Number(number) => number.clone(),
    }
}

/// The template of an assignment, if it is one.
pub(crate) const fn assigned_template(value: &Assigned) -> Option<&Template> {
    match value {
        Assigned::Template(template) => Some(template),
        Assigned::Flag(_) | Assigned::Number(_) => None,
    }
}

/// Assignments: `a = {b}, c = true`.
pub(crate) fn assignments(set: &[Assignment]) -> Inline {
    let parts = set.iter().map(|assignment| {
        Inline::of_code(format!(
            "{} = {}",
            assignment.name.value,
            assigned(&assignment.value)
        ))
    });
    Inline::join(parts, ", ")
}

/// The requirements that something fulfils.
pub(crate) fn covers(notes: &Notes) -> Vec<String> {
    notes.covers.iter().map(|id| id.value.clone()).collect()
}

/// What the model says about something.
pub(crate) fn about(notes: &Notes) -> Option<Inline> {
    notes
        .about
        .as_deref()
        .map(|about| Inline::new().text(about))
}
