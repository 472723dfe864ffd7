//! Values that only one row may have, and the rows that guard them.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::sentence;
use monotable_model::model::{Assigned, Assignment, Claim, Entity, Guard, Key, Model, Template};
use monotable_model::span::Name;

/// The claims of an entity.
pub(crate) fn blocks(model: &Model, entity: &Entity) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !entity.claims.is_empty() {
        blocks.push(Block::caption("Unique values"));
    }
    for claim in &entity.claims {
        let name = format!("{}.{}", entity.name.value, claim.name.value);
        blocks.push(Block::Heading {
            level: 4,
            id: anchor(Place::Claim, &name),
            text: Inline::new().text("Unique ").code(&claim.name.value),
            covers: sentence::covers(&claim.notes),
        });
        blocks.extend(sentence::about(&claim.notes).map(Block::Paragraph));
        blocks.push(Block::Facts(facts(model, entity, claim)));
    }
    blocks
}

fn facts(model: &Model, entity: &Entity, claim: &Claim) -> Vec<(String, Inline)> {
    let mut facts = Vec::new();
    if let Some(when) = &claim.when {
        facts.push(("Claimed".to_owned(), sentence::condition("if", when)));
    }
    facts.extend(match &claim.guard {
        Guard::Row {
            key,
            kind,
            attributes,
            keeps,
            ..
        } => {
            let contents = row_contents(entity, kind, attributes, keeps);
            let mut own = vec![(
                "Guard row".to_owned(),
                key_texts(model, entity, key)
                    .text("; written in the transaction of its row, with ")
                    .code("attribute_not_exists"),
            )];
            own.push(("Contents".to_owned(), contents));
            own
        }
        Guard::Entity {
            entity: guard,
            set,
            also,
            ..
        } => entity_facts(model, entity, model.entity(*guard), set, also),
        Guard::Snapshot => vec![(
            "Checked".to_owned(),
            "within a snapshot, when it is committed; there is no guard row".into(),
        )],
    });
    facts.extend(sentence::message(claim.message.as_ref()));
    facts
}

/// The key of a guard row, attribute by attribute, with the tenant's prefix.
fn key_texts(model: &Model, entity: &Entity, key: &Key) -> Inline {
    let table = model.table(entity.table);
    let names = std::iter::once(&table.hash).chain(&table.range);
    let parts = names.zip(key.templates()).enumerate();
    let shown = parts.map(|(position, (name, template))| {
        let prefix = match (&model.tenant, position) {
            (Some(tenant), 0) if !key.global => tenant.prefix.text.as_str(),
            _ => "",
        };
        Inline::of_code(format!("{} = {prefix}{}", name.value, template.text))
    });
    Inline::join(shown, ", ")
}

fn row_contents(entity: &Entity, kind: &str, attributes: &[String], keeps: &[Name]) -> Inline {
    let mut contents: Vec<Inline> = Vec::new();
    contents.extend(
        entity
            .is
            .first()
            .map(|first| Inline::of_code(format!("{} = {kind}", first.attribute.value))),
    );
    let mut names: Vec<&String> = Vec::new();
    for name in attributes.iter().chain(&entity.id) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    contents.extend(names.iter().map(|name| {
        let stored = entity
            .attribute(name)
            .map_or(name.as_str(), |known| &known.stored);
        Inline::of_code(format!("{stored} = {{{name}}}"))
    }));
    contents.extend(
        keeps
            .iter()
            .map(|name| Inline::new().text("the row's ").code(&name.value)),
    );
    Inline::join(contents, ", ")
}

fn entity_facts(
    model: &Model,
    owner: &Entity,
    guard: &Entity,
    set: &[Assignment],
    also: &[Vec<Assignment>],
) -> Vec<(String, Inline)> {
    let link = Inline::new().link(anchor(Place::Entity, &guard.name.value), &guard.name.value);
    let mut facts = vec![(
        "Guard row".to_owned(),
        Inline::new().text("a row of ").then(link),
    )];
    let key = guard.primary().map(|key| {
        let table = model.table(guard.table);
        let names = std::iter::once(&table.hash).chain(&table.range);
        let parts = names.zip(key.templates()).map(|(name, template)| {
            Inline::of_code(format!("{} = {}", name.value, filled(template, set)))
        });
        Inline::join(parts, ", ")
    });
    facts.extend(key.map(|key| ("Its key".to_owned(), key)));
    let discriminators = guard
        .is
        .iter()
        .map(|is| Inline::of_code(format!("{} = {}", is.attribute.value, is.written)));
    let contents = Inline::join(
        discriminators.chain(std::iter::once(sentence::assignments(set))),
        ", ",
    );
    facts.push((
        "Contents".to_owned(),
        contents
            .text("; other attributes are those of the same name of ")
            .code(&owner.name.value),
    ));
    if !also.is_empty() {
        let others = also.iter().map(|set| sentence::assignments(set));
        facts.push(("Also taken".to_owned(), Inline::join(others, "; ")));
    }
    facts
}

/// A template of the guard with what the claim gives it.
fn filled(template: &Template, set: &[Assignment]) -> String {
    set.iter().fold(template.text.clone(), |text, assignment| {
        let place = format!("{{{}}}", assignment.name.value);
        let value = match &assignment.value {
            Assigned::Template(template) => template.text.clone(),
            other => sentence::assigned(other),
        };
        text.replace(&place, &value)
    })
}
