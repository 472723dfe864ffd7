//! Key conditions of patterns.

use crate::model::{
    Access, Entity, Field, Format, Key, Kind, Mode, Model, OnExists, Part, TableId, Template,
    TimeFormat,
};
use crate::plan::condition::{
    KeyCondition, LastValue, PartitionText, RangeText, SortText, Spread, ValueText,
};
use crate::plan::key_text::{KeyTarget, is_one_value};

/// What a pattern asks of a key.
pub(super) fn compile(model: &Model, access: &Access, table: TableId, key: &Key) -> KeyCondition {
    let at = KeyTarget::new(model, table, key);
    let sort: Vec<_> = at.sort_attributes().zip(key.sort_templates()).collect();
    let asked = Asked {
        model,
        access,
        key,
        position: sort.len().saturating_sub(1),
    };
    let value = |(attribute, template): &(&str, &Template)| asked.value(attribute, template);
    let further = at.partition_attributes().zip(key.partition_templates());
    KeyCondition {
        partition: asked.partition(&at),
        further: further.skip(1).map(|one| value(&one)).collect(),
        leading: sort.iter().take(asked.position).map(value).collect(),
        sort: asked.sort(sort.last().copied()),
        at,
    }
}

/// A key that a pattern asks for.
struct Asked<'m> {
    model: &'m Model,
    access: &'m Access,
    key: &'m Key,
    /// The attribute of the sort key that is asked for last.
    position: usize,
}

impl Asked<'_> {
    fn partition(&self, at: &KeyTarget) -> PartitionText {
        let template = &self.key.hash;
        let (parts, spread) = match template.parts.split_last() {
            Some((Part::Field(field), before)) if field.mode == Mode::Range => {
                (before.to_vec(), spread(field))
            }
            _ => (template.parts.clone(), Spread::One),
        };
        PartitionText {
            parts,
            spread,
            number: self.is_number(&at.partition_attribute, template),
        }
    }

    /// One value of an attribute.
    fn value(&self, attribute: &str, template: &Template) -> ValueText {
        ValueText {
            parts: template.parts.clone(),
            number: self.is_number(attribute, template),
        }
    }

    /// What is asked of the last attribute of the sort key that is asked for.
    fn sort(&self, asked: Option<(&str, &Template)>) -> SortText {
        let Some((attribute, template)) = asked else {
            return SortText::Any;
        };
        let Some((last, before)) = template.parts.split_last() else {
            return SortText::Any;
        };
        let number = self.is_number(attribute, template);
        if let Part::Field(field) = last
            && field.mode == Mode::Range
        {
            return SortText::Range(Box::new(RangeText {
                before: before.to_vec(),
                number,
                time: self.time(field),
                last: self.last_value(field),
                field: field.clone(),
            }));
        }
        let is_open = template.fields().any(|field| field.mode == Mode::Open);
        let parts = template.parts.clone();
        if template.open_end || is_open {
            SortText::Begins(parts)
        } else {
            SortText::Is { parts, number }
        }
    }

    /// The kind of a value that is a time.
    fn time(&self, field: &Field) -> Option<Kind> {
        let name = field.name();
        let mut parameters = self.access.parameters.iter();
        let parameter = parameters.find(|parameter| parameter.name == name)?;
        Some(parameter.kind.clone()).filter(Kind::is_time)
    }

    fn last_value(&self, field: &Field) -> LastValue {
        let entities = || {
            let returns = self.access.returns.iter();
            returns.map(|id| self.model.entity(*id))
        };
        let ends_there = |entity: &Entity| {
            let keys = self.keys_of(entity);
            let ends_with = |key: &&Key| ends_with(self.sort_template(key), field);
            !keys.is_empty() && keys.iter().all(ends_with)
        };
        LastValue {
            goes_on: !entities().all(ends_there),
            delimiter: entities()
                .flat_map(|entity| self.keys_of(entity))
                .filter_map(|key| delimiter(self.sort_template(key), field))
                .max(),
            fractions: self.has_fractions(field),
        }
    }

    /// Whether keys may have a more precise time than the format shows: two rows of one second are both kept.
    fn has_fractions(&self, field: &Field) -> bool {
        let is_second = |kind: &Kind| {
            matches!(
                kind,
                Kind::Timestamp(TimeFormat::Seconds | TimeFormat::Zoned)
            )
        };
        let name = field.name();
        let mut parameters = self.access.parameters.iter();
        let mut returns = self.access.returns.iter();
        parameters.any(|parameter| parameter.name == name && is_second(&parameter.kind))
            && returns.any(|id| self.model.entity(*id).on_exists == OnExists::Fraction)
    }

    /// The keys that rows of an entity have there: in all layouts, or in the one that the pattern is about.
    fn keys_of<'e>(&self, entity: &'e Entity) -> Vec<&'e Key> {
        let wanted = self.access.layout.as_ref().map(|name| name.value.as_str());
        let written = entity.keys.iter().filter(|_| wanted.is_none());
        let layouts = entity
            .layouts
            .iter()
            .filter(|layout| wanted.is_none_or(|wanted| wanted == layout.name.value));
        let all = written.chain(layouts.flat_map(|layout| &layout.keys));
        all.filter(|key| key.place == self.key.place).collect()
    }

    /// The template of a key of an entity at the place that is asked for last.
    fn sort_template<'k>(&self, key: &'k Key) -> Option<&'k Template> {
        key.sort_templates().nth(self.position)
    }

    /// Whether an index is on a number that the rows have anyway. Other keys are text.
    fn is_number(&self, attribute: &str, template: &Template) -> bool {
        let mut returns = self.access.returns.iter();
        let is_number = returns.any(|id| {
            let mut attributes = self.model.entity(*id).attributes.iter();
            attributes.any(|known| known.stored == attribute && known.kind.is_number())
        });
        is_number && is_one_value(template)
    }
}

/// Shards, or else days.
fn spread(field: &Field) -> Spread {
    match field.formats.last().map(|format| &format.value) {
        Some(Format::Shard(count)) => Spread::Shards { count: *count },
        _ => Spread::Days {
            parameter: field.name(),
        },
    }
}

/// The character that follows a value in a sort key.
fn delimiter(template: Option<&Template>, field: &Field) -> Option<char> {
    let parts = template?.parts.as_slice();
    let is_value = |part: &Part| matches!(part, Part::Field(own) if own.name() == field.name());
    let value = parts.iter().position(is_value)?;
    match parts.get(value + 1)? {
        Part::Literal(text) => text.value.chars().next(),
        Part::Field(_) => None,
    }
}

/// Whether a sort key ends with a value, shown the same way.
fn ends_with(template: Option<&Template>, field: &Field) -> bool {
    let formats = |field: &Field| -> Vec<Format> {
        let formats = field.formats.iter();
        formats.map(|format| format.value.clone()).collect()
    };
    match template.and_then(|template| template.parts.last()) {
        Some(Part::Field(last)) => last.name() == field.name() && formats(last) == formats(field),
        Some(Part::Literal(_)) | None => false,
    }
}
