//! The whole page, in order.

use super::block::Block;
use super::inline::Inline;
use super::{
    covers, entity, grants, history, keys, movement, patterns, references, repositories, rows,
    sentence, tables, templates, tenancy,
};
use monotable_model::model::{Model, Notes};

/// Everything below the title and the contents.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let chapters = [
        tables::blocks(model),
        tenancy::blocks(model),
        keys::blocks(model),
        templates::blocks(model),
        references::overview(model),
        entity::blocks(model),
        patterns::blocks(model),
        repositories::blocks(model),
        rows::derives(model),
        rows::checks(model),
        grants::blocks(model),
        movement::moves(model),
        movement::paths(model),
        movement::carries(model),
        history::audits(model),
        history::archives(model),
        covers::blocks(model),
    ];
    chapters.into_iter().flatten().collect()
}

/// A chapter of constructs of one kind; nothing if there are none.
pub(crate) fn chapter(
    id: &str,
    title: &str,
    sections: impl Iterator<Item = Vec<Block>>,
) -> Vec<Block> {
    let sections: Vec<_> = sections.flatten().collect();
    if sections.is_empty() {
        Vec::new()
    } else {
        let mut blocks = vec![Block::heading(2, id, title)];
        blocks.extend(sections);
        blocks
    }
}

/// One construct: what the model says about it, what it does, and the facts.
pub(crate) fn section(
    id: String,
    name: &str,
    notes: &Notes,
    said: Inline,
    facts: Vec<(String, Inline)>,
) -> Vec<Block> {
    let mut blocks = vec![Block::Heading {
        level: 3,
        id,
        text: Inline::of_code(name),
        covers: sentence::covers(notes),
    }];
    blocks.extend(sentence::about(notes).map(Block::Paragraph));
    blocks.push(Block::Paragraph(said));
    if !facts.is_empty() {
        blocks.push(Block::Facts(facts));
    }
    blocks
}

/// What the model is, in a sentence.
pub(crate) fn about(model: &Model) -> Option<Inline> {
    let about = model.about.as_deref()?;
    Some(Inline::new().text(about))
}
