//! An entity: what it is, where it stands, what it holds.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::{attributes, claims, keys, references, rules, sentence};
use monotable_model::model::{Each, Entity, EntityId, KeyPlace, Model, OnExists, Volume, Writes};

/// All entities.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut blocks = vec![Block::heading(2, "entities", "Entities")];
    for (id, _) in model.entities() {
        blocks.extend(entity(model, id));
    }
    blocks
}

fn entity(model: &Model, id: EntityId) -> Vec<Block> {
    let entity = model.entity(id);
    let name = &entity.name.value;
    let mut blocks = vec![Block::Heading {
        level: 3,
        id: anchor(Place::Entity, name),
        text: Inline::of_code(name),
        covers: sentence::covers(&entity.notes),
    }];
    blocks.extend(sentence::about(&entity.notes).map(Block::Paragraph));
    blocks.push(Block::Facts(facts(model, id, entity)));
    blocks.extend(key_table(model, entity));
    blocks.extend(attributes::blocks(model, entity));
    blocks.extend(claims::blocks(model, entity));
    blocks.extend(references::blocks(model, id));
    blocks.extend(rules::blocks(entity));
    blocks.extend(read_by(model, id));
    blocks
}

fn facts(model: &Model, id: EntityId, entity: &Entity) -> Vec<(String, Inline)> {
    let mut facts: Vec<(String, Inline)> = Vec::new();
    let mut say = |name: &str, value: Inline| facts.push((name.to_owned(), value));
    if let Some(like) = entity.like {
        say("Like", sentence::entity(model, like));
    }
    if !entity.is_stored() {
        let kinds: Vec<_> = model
            .kinds_of(id)
            .into_iter()
            .map(|id| sentence::entity(model, id))
            .collect();
        say(
            "Kind",
            "no rows of its own: what other entities share".into(),
        );
        say("Shared by", Inline::join(kinds, ", "));
        return facts;
    }
    let table = &model.table(entity.table).name.value;
    say(
        "Table",
        Inline::new().link(anchor(Place::Table, table), table),
    );
    say("Recognised by", recognised(entity));
    if let Some(id) = &entity.id {
        say("Id", Inline::of_code(id).text(", which references hold"));
    }
    say("Writes", writes(entity.writes).into());
    say("Existing key", on_exists(entity.on_exists).into());
    if entity.open {
        say("Other attributes", "are kept".into());
    }
    if !entity.each.is_empty() {
        say(
            "One item",
            Inline::new()
                .text("is stored as one row for each ")
                .then(each(&entity.each)),
        );
    }
    if entity.also_camel_case {
        say("Old rows", "may have their attributes in camel case".into());
    }
    if entity.volume == Volume::High {
        say("Volume", "high: more than one partition can take".into());
    }
    facts
}

fn recognised(entity: &Entity) -> Inline {
    if entity.is.is_empty() {
        return "its key".into();
    }
    let parts = entity.is.iter().map(|is| {
        let inline = Inline::of_code(format!("{} = {}", is.attribute.value, is.written));
        let others: Vec<_> = is.read.iter().filter(|read| **read != is.written).collect();
        if others.is_empty() {
            inline
        } else {
            inline
                .text(", read also ")
                .then(Inline::join(others.into_iter().map(Inline::of_code), ", "))
        }
    });
    Inline::join(parts, " and ")
}

/// Which writes callers have, in words.
pub(crate) fn writes(writes: Writes) -> String {
    let all = [
        (writes.create, "create"),
        (writes.update, "update"),
        (writes.delete, "delete"),
    ];
    let allowed: Vec<_> = all
        .into_iter()
        .filter_map(|(allowed, word)| allowed.then_some(word))
        .collect();
    if allowed.is_empty() {
        "none: only mechanisms write it".to_owned()
    } else {
        allowed.join(", ")
    }
}

const fn on_exists(on_exists: OnExists) -> &'static str {
    match on_exists {
        OnExists::Conflict => "a create fails",
        OnExists::Replace => "a create replaces the row",
        OnExists::Keep => "a create answers with the row that is there",
        OnExists::Fraction => "a create makes the time in the key more precise until it is free",
    }
}

/// `element in list`, for each.
pub(crate) fn each(each: &[Each]) -> Inline {
    let parts = each.iter().map(|each| {
        let lists: Vec<_> = each
            .lists
            .iter()
            .map(|list| {
                let names: Vec<_> = list.iter().map(|name| name.value.as_str()).collect();
                names.join(".")
            })
            .collect();
        Inline::of_code(format!("{} in {}", each.variable.value, lists.join(" + ")))
    });
    Inline::join(parts, " and ")
}

fn key_table(model: &Model, entity: &Entity) -> Option<Block> {
    let table = model.table(entity.table);
    let rows: Vec<_> = entity
        .keys
        .iter()
        .map(|key| {
            let place = match key.place {
                KeyPlace::Primary => Inline::prose("table key"),
                KeyPlace::Index(position) => table
                    .indexes
                    .get(position)
                    .map_or_else(Inline::new, |index| Inline::of_code(&index.name.value)),
            };
            vec![place, keys::cell(model, key)]
        })
        .collect();
    let label = format!("Keys of {}", entity.name.value);
    (!rows.is_empty()).then(|| Block::table(label, &["Where", "Key"], rows))
}

/// The patterns that return it.
fn read_by(model: &Model, id: EntityId) -> Vec<Block> {
    let patterns: Vec<_> = model
        .patterns()
        .filter(|(_, access)| access.returns.contains(&id))
        .map(|(pattern, _)| pattern)
        .collect();
    if patterns.is_empty() {
        Vec::new()
    } else {
        vec![
            Block::caption("Read by"),
            Block::Paragraph(sentence::patterns(model, &patterns)),
        ]
    }
}
