//! Kinds in keys: where a condition asks for a kind of row, its word in a key is a field too.

use super::Asked;
use crate::model::{Discriminator, Entity, Field, Key, Mode, Part, Source, Template};
use crate::span::Spanned;

/// The key of an entity, with a field instead of each word by which its rows are recognised and that is asked for.
pub(super) fn shown(entity: &Entity, key: &Key, asked: &Asked) -> Key {
    let mut key = key.clone();
    let fields = asked
        .hash
        .fields()
        .chain(asked.range.iter().flat_map(Template::fields));
    let names: Vec<_> = fields.map(Field::name).collect();
    let told = entity
        .is
        .iter()
        .filter(|kind| names.contains(&kind.attribute.value));
    for kind in told {
        key.hash = with_field(&key.hash, kind);
        key.range = key.range.map(|range| with_field(&range, kind));
    }
    key
}

fn with_field(template: &Template, kind: &Discriminator) -> Template {
    let mut parts = Vec::new();
    for part in &template.parts {
        let split = match part {
            Part::Literal(text) => text
                .value
                .split_once(&kind.written)
                .map(|ends| (text, ends)),
            Part::Field(_) => None,
        };
        let Some((text, (before, after))) = split else {
            parts.push(part.clone());
            continue;
        };
        let literal = |value: &str| Part::Literal(Spanned::new(value.to_owned(), text.span));
        let pieces = [literal(before), field(kind), literal(after)];
        let is_there = |part: &Part| !matches!(part, Part::Literal(text) if text.value.is_empty());
        parts.extend(pieces.into_iter().filter(is_there));
    }
    Template::of_parts(parts, template.open_end, template.span)
}

fn field(kind: &Discriminator) -> Part {
    let name = kind.attribute.clone();
    let span = name.span;
    Part::Field(Field {
        sources: vec![Source::Path {
            root: None,
            names: vec![name],
            span,
        }],
        formats: Vec::new(),
        mode: Mode::Plain,
        span,
    })
}
