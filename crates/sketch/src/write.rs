//! The text of a sketch.

mod block;
mod entity;
mod pattern;
mod table;

pub use block::quote;

use crate::Sketch;
use block::{Block, comment};
use std::ops::Range;

/// The text of a sketch, and where its patterns are.
#[derive(Debug)]
pub(crate) struct SketchText {
    pub(crate) text: String,
    /// The bytes of each entity's sections, in the order of the sketch.
    pub(crate) entities: Vec<Range<usize>>,
    /// The bytes of each pattern's section, in the order of the sketch.
    pub(crate) patterns: Vec<Range<usize>>,
}

pub(crate) fn write(sketch: &Sketch) -> SketchText {
    let mut text = String::new();
    comment(&mut text, sketch.origin.as_slice());
    comment(&mut text, &sketch.remarks);
    let mut head = Block::default();
    head.line("monotable", "1");
    head.line("model", quote(&sketch.name));
    if let Some(about) = &sketch.about {
        head.line("about", quote(about));
    }
    if sketch.open {
        head.line("open", "true");
    }
    head.write(&mut text);
    if let Some(tenant) = &sketch.tenant {
        text.push_str("\n[tenant]\n");
        let mut block = Block::default();
        block.line("name", quote(&tenant.name));
        block.line("type", quote("text, matches = /[A-Za-z0-9_-]{1,64}/"));
        let prefix = format!("{{{}}}{}", tenant.name, tenant.separator);
        block.line("prefix", quote(&prefix));
        if tenant.bare {
            block.line("bare", quote("default"));
        }
        block.write(&mut text);
    }
    for table in &sketch.tables {
        table::write(&mut text, table);
    }
    let entities = sketch.entities.iter().map(|entity| {
        let start = text.len();
        entity::write(&mut text, entity);
        start..text.len()
    });
    let entities = entities.collect();
    let patterns = sketch.patterns.iter().map(|pattern| {
        let start = text.len();
        pattern::write(&mut text, pattern);
        start..text.len()
    });
    let patterns = patterns.collect();
    SketchText {
        text,
        entities,
        patterns,
    }
}
