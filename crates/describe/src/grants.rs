//! Rights that rows give.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::page::{chapter, section};
use super::sentence;
use monotable_model::model::{Grant, Model};

/// All grants.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let parts = model.grants.iter().map(|grant| {
        let name = &grant.name.value;
        let id = anchor(Place::Grant, name);
        section(
            id,
            name,
            &grant.notes,
            said(model, grant),
            facts(model, grant),
        )
    });
    chapter("grants", "Grants", parts)
}

fn said(model: &Model, grant: &Grant) -> Inline {
    let all = grant.of.len() == model.stored().count();
    let rows = if all {
        Inline::prose("rows of every entity")
    } else {
        Inline::new()
            .text("rows of ")
            .then(sentence::entities(model, &grant.of))
    };
    let mut said = Inline::new()
        .text("What a principal may do to ")
        .then(rows)
        .text(" stands in the rows of ")
        .then(sentence::pattern(model, grant.access))
        .text(", in ")
        .code(&grant.allows.text)
        .text(".");
    if let Some(unless) = &grant.unless {
        said = said
            .then(sentence::condition(" Not asked if", unless))
            .text(".");
    }
    said
}

fn facts(model: &Model, grant: &Grant) -> Vec<(String, Inline)> {
    let mut facts = Vec::new();
    if let Some(path) = grant.above {
        let name = &model.path(path).name.value;
        let link = Inline::new().link(anchor(Place::Path, name), name);
        facts.push((
            "Asked again".to_owned(),
            Inline::new()
                .text("for every folder above, along path ")
                .then(link),
        ));
    }
    if !grant.set.is_empty() {
        facts.push(("Asked with".to_owned(), sentence::assignments(&grant.set)));
    }
    if let Some(all) = &grant.all {
        let said = format!("`{all}` stands for every right");
        facts.push(("All rights".to_owned(), said.as_str().into()));
    }
    let none = if grant.allow_none {
        "no rows, no restriction"
    } else {
        "no rows, no rights"
    };
    facts.push(("Without rows".to_owned(), none.into()));
    facts.extend(sentence::message(grant.message.as_ref()));
    facts
}
