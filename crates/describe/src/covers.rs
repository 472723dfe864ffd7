//! Which construct fulfils which requirement.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use monotable_model::model::{Model, Notes};
use std::cmp::Ordering;

/// The index of requirements.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut rows: Vec<(String, Inline)> = Vec::new();
    for (place, word, name, notes) in constructs(model) {
        for id in &notes.covers {
            let link = Inline::new()
                .text(format!("{word} "))
                .link(anchor(place, &name), &name);
            match rows.iter_mut().find(|(known, _)| *known == id.value) {
                Some((_, links)) => *links = links.clone().text(", ").then(link),
                None => rows.push((id.value.clone(), link)),
            }
        }
    }
    rows.sort_by(|one, other| by_number(&one.0, &other.0));
    let mut blocks = vec![Block::heading(2, "covers", "Requirements covered")];
    if rows.is_empty() {
        blocks.push(Block::paragraph("The model names no requirements."));
        return blocks;
    }
    let rows = rows
        .into_iter()
        .map(|(id, links)| vec![Inline::of_code(id), links])
        .collect();
    blocks.push(Block::table(
        "Requirements covered",
        &["Id", "Construct"],
        rows,
    ));
    blocks
}

/// Everything that can cover something, in the order of the page.
fn constructs(model: &Model) -> Vec<(Place, &'static str, String, &Notes)> {
    let mut all = Vec::new();
    for entity in &model.entities {
        let name = &entity.name.value;
        all.push((Place::Entity, "entity", name.clone(), &entity.notes));
        for claim in &entity.claims {
            let name = format!("{name}.{}", claim.name.value);
            all.push((Place::Claim, "unique", name, &claim.notes));
        }
    }
    macro_rules! add {
        ($($field:ident, $place:ident, $word:literal;)+) => {
            $(for thing in &model.$field {
                all.push((Place::$place, $word, thing.name.value.clone(), &thing.notes));
            })+
        };
    }
    add! {
        access, Pattern, "access pattern";
        repositories, Repository, "repository";
        derives, Derive, "derive";
        checks, Check, "check";
        grants, Grant, "grant";
        moves, Move, "move";
        paths, Path, "path";
        carries, Carry, "carry";
        audits, Audit, "audit";
        archives, Archive, "archive";
    }
    all
}

/// `FK-A9` before `FK-A10`.
fn by_number(one: &str, other: &str) -> Ordering {
    let split = |id: &str| {
        let at = id.find(|c: char| c.is_ascii_digit()).unwrap_or(id.len());
        let (word, rest) = id.split_at(at);
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let number: u64 = rest
            .get(..end)
            .and_then(|digits| digits.parse().ok())
            .unwrap_or(0);
        (word.to_owned(), number, rest.to_owned())
    };
    split(one).cmp(&split(other))
}
