//! Key conditions.

use super::{Declared, WORDS};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Entity, EntityId, Key, KeyPlace, Model, TableId, Template, Way};
use crate::span::{Name, Span};
use crate::suggest::did_you_mean;

pub(super) struct Condition<'d> {
    pub(super) index: &'d Name,
    pub(super) templates: &'d [Template],
    pub(super) fills_all: bool,
    pub(super) span: Span,
}

impl Condition<'_> {
    pub(super) fn resolve(
        &self,
        declared: &Declared,
        returns: &[EntityId],
        model: &Model,
        findings: &mut Findings,
    ) -> Option<Way> {
        let Some(first) = returns.first() else {
            if declared.returns.is_empty() {
                let message = "a pattern on a key says which entities it returns";
                findings.error(Code::MissingKey, declared.name.span, message);
            }
            return None;
        };
        let layout = declared.layout.as_ref().map(|name| name.value.as_str());
        let table_id = table_of(model.entity(*first), layout);
        let table = model.table(table_id);
        let place = self.place(table, findings)?;
        let has_range = match place {
            KeyPlace::Primary => table.range.is_some(),
            KeyPlace::Index(index) => table
                .indexes
                .get(index)
                .is_some_and(|index| index.range.is_some()),
        };
        let (hash, range) = match (self.templates, has_range) {
            ([both], true) if self.fills_all => (both.clone(), Some(both.clone())),
            ([hash], _) => (hash.clone(), None),
            ([hash, range], true) => (hash.clone(), Some(range.clone())),
            _ => {
                findings.error(
                    Code::WrongKind,
                    self.span,
                    "a key condition has a partition key, and at most one sort key",
                );
                return None;
            }
        };
        self.check_hash(&hash, findings);
        let full = hash.is_full() && (!has_range || range.as_ref().is_some_and(Template::is_full));
        let global = returns
            .iter()
            .all(|id| key_is_global(model.entity(*id), place, layout));
        let key = Box::new(Key {
            place,
            hash,
            range,
            when: None,
            global,
            implied: false,
            span: self.span,
        });
        let table = table_id;
        Some(match full && place == KeyPlace::Primary {
            true => Way::Get { table, key },
            false => Way::Query { table, key },
        })
    }

    fn place(&self, table: &crate::model::Table, findings: &mut Findings) -> Option<KeyPlace> {
        if self.index.value == "key" {
            return Some(KeyPlace::Primary);
        }
        let position = table
            .indexes
            .iter()
            .position(|index| index.name.value == self.index.value);
        if position.is_none() {
            let message = format!(
                "`{}` has no index `{}`, and a pattern no such key",
                table.name.value, self.index.value
            );
            let known = table.indexes.iter().map(|index| index.name.value.as_str());
            let help = did_you_mean(&self.index.value, known.chain(WORDS.iter().copied()));
            findings
                .push(Diagnostic::new(Code::UnknownKey, self.index.span, message).help_if(help));
        }
        position.map(KeyPlace::Index)
    }

    /// A partition is one value; a range of it is asked one after the other, which needs steps.
    fn check_hash(&self, hash: &Template, findings: &mut Findings) {
        use crate::model::{Format, Mode};
        if hash.open_end
            || hash
                .fields()
                .any(|field| matches!(field.mode, Mode::Open | Mode::Optional))
        {
            let message = "a partition key is given whole: DynamoDB has no prefix of it";
            findings.error(Code::BadTemplate, hash.span, message);
        }
        for field in hash.fields().filter(|field| field.mode == Mode::Range) {
            let steps = matches!(
                field.formats.last().map(|format| &format.value),
                Some(Format::Date | Format::Shard(_))
            );
            if !steps {
                let message =
                    "a range of partitions is a range of days (`{time:date..}`) or of shards";
                findings.error(Code::BadTemplate, field.span, message);
            }
        }
    }
}

pub(super) fn table_of(entity: &Entity, layout: Option<&str>) -> TableId {
    let layout = layout.and_then(|name| {
        entity
            .layouts
            .iter()
            .find(|layout| layout.name.value == name)
    });
    layout.map_or(entity.table, |layout| layout.table)
}

fn key_is_global(entity: &Entity, place: KeyPlace, layout: Option<&str>) -> bool {
    let layout = layout.and_then(|name| {
        entity
            .layouts
            .iter()
            .find(|layout| layout.name.value == name)
    });
    let keys = layout.map_or(entity.keys.as_slice(), |layout| layout.keys.as_slice());
    keys.iter()
        .find(|key| key.place == place)
        .is_some_and(|key| key.global)
}
