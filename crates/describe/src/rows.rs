//! Rows that follow from rows, and rules that need other rows.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::page::{chapter, section};
use super::{entity, sentence};
use monotable_model::model::{Check, CheckRule, Derive, Model};

/// Derived rows.
pub(crate) fn derives(model: &Model) -> Vec<Block> {
    let parts = model.derives.iter().map(|derive| {
        let name = &derive.name.value;
        let id = anchor(Place::Derive, name);
        section(id, name, &derive.notes, derived(model, derive), Vec::new())
    });
    chapter("derives", "Derived rows", parts)
}

fn derived(model: &Model, derive: &Derive) -> Inline {
    let mut said = Inline::new()
        .text("Each ")
        .then(sentence::entity(model, derive.of))
        .text(" has ");
    said = if derive.each.is_empty() {
        said.text("one row of ")
            .then(sentence::entity(model, derive.entity))
    } else {
        said.text("a row of ")
            .then(sentence::entity(model, derive.entity))
            .text(" for each ")
            .then(entity::each(&derive.each))
    };
    if let Some(when) = &derive.when {
        said = said.then(sentence::condition(", if", when));
    }
    if !derive.set.is_empty() {
        said = said
            .text(", with ")
            .then(sentence::assignments(&derive.set));
    }
    said.text(". The rows are kept equal to what it says; attributes of the same name are copied.")
}

/// Rules that need other rows.
pub(crate) fn checks(model: &Model) -> Vec<Block> {
    let parts = model.checks.iter().map(|check| {
        let name = &check.name.value;
        let id = anchor(Place::Check, name);
        section(id, name, &check.notes, demanded(model, check), Vec::new())
    });
    chapter("checks", "Checks", parts)
}

fn demanded(model: &Model, check: &Check) -> Inline {
    let mut said = Inline::new()
        .text(format!("On {} of ", entity::writes(check.on)))
        .then(sentence::entity(model, check.of));
    if let Some(when) = &check.when {
        said = said.then(sentence::condition(", if", when));
    }
    said = match &check.demand {
        CheckRule::Must(predicate) => {
            said.then(sentence::condition(", it must hold that", predicate))
        }
        CheckRule::Among {
            value,
            pattern,
            attribute,
            allow_none,
        } => {
            let said = said
                .text(", ")
                .code(&value.value)
                .text(" must be among the ")
                .code(&attribute.value)
                .text(" of ")
                .then(sentence::pattern(model, *pattern));
            if *allow_none {
                said.text("; if that finds nothing, anything goes")
            } else {
                said
            }
        }
        CheckRule::Absent(pattern) => said
            .text(", ")
            .then(sentence::pattern(model, *pattern))
            .text(" must find nothing"),
    };
    if !check.set.is_empty() {
        said = said
            .text(", asked with ")
            .then(sentence::assignments(&check.set));
    }
    sentence::with_message(said, check.message.as_ref()).text(".")
}
