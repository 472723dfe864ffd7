//! Who may do what to an entity, what its rows satisfy, and how old rows are read.

use super::block::Block;
use super::inline::Inline;
use super::sentence;
use monotable_model::model::{Accept, Allow, Entity, Upgrade};

/// Rules, tombstone, upgrades and accepted findings of an entity.
pub(crate) fn blocks(entity: &Entity) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut add = |caption: &str, lines: Vec<Inline>| {
        if !lines.is_empty() {
            blocks.push(Block::caption(caption));
            blocks.push(Block::List(lines));
        }
    };
    let must = entity.must.iter().map(|must| {
        let said = Inline::of_code(&must.name.value)
            .text(": ")
            .code(must.predicate.to_string());
        sentence::with_message(said, must.message.as_ref())
    });
    add("Who may", allow(&entity.allow));
    add("Every row satisfies", must.collect());
    add("Tombstone", tombstone(entity));
    add(
        "Older shapes",
        entity.upgrades.iter().map(upgrade).collect(),
    );
    add("Accepted findings", accepted(&entity.accepts));
    blocks
}

fn allow(allow: &Allow) -> Vec<Inline> {
    let rules = [
        ("read: rows are shown", &allow.read, &None),
        ("create", &allow.create, &allow.messages.create),
        ("update", &allow.update, &allow.messages.update),
        ("delete", &allow.delete, &allow.messages.delete),
        (
            "delete, or clear a reference, by deleting what the row refers to",
            &allow.cascade,
            &allow.messages.cascade,
        ),
    ];
    let said = rules.into_iter().filter_map(|(what, predicate, message)| {
        let predicate = predicate.as_ref()?;
        let said = sentence::condition(&format!("{what} if"), predicate);
        Some(sentence::with_message(said, message.as_ref()))
    });
    said.collect()
}

fn tombstone(entity: &Entity) -> Vec<Inline> {
    if entity.tombstone.is_empty() {
        return Vec::new();
    }
    vec![
        Inline::new()
            .text("a delete sets ")
            .then(sentence::assignments(&entity.tombstone))
            .text("; reads leave such rows out"),
    ]
}

fn upgrade(upgrade: &Upgrade) -> Inline {
    let mut line = Inline::new().text(format!("to version {}", upgrade.to));
    if let Some(when) = &upgrade.when {
        line = line.then(sentence::condition(", if", when));
    }
    for (old, new) in &upgrade.rename {
        line = line
            .text("; ")
            .code(&old.value)
            .text(" becomes ")
            .code(&new.value);
    }
    if !upgrade.set.is_empty() {
        line = line
            .text("; sets ")
            .then(sentence::assignments(&upgrade.set));
    }
    if !upgrade.drop.is_empty() {
        line = line.text("; drops ").then(sentence::names(&upgrade.drop));
    }
    line
}

/// Findings that the model accepts, with the reasons.
pub(crate) fn accepted(accepts: &[Accept]) -> Vec<Inline> {
    let lines = accepts.iter().map(|accept| {
        Inline::of_code(format!("{} {}", accept.code.id(), accept.code.name()))
            .text(format!(": {}", accept.reason))
    });
    lines.collect()
}
