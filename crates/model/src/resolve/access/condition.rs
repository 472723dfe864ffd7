//! Key conditions.

use super::layout::{self, Asked};
use super::{Declared, WORDS};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{
    Entity, EntityId, Further, Key, KeyPlace, Model, Table, TableId, Template, Way,
};
use crate::span::Name;
use crate::suggest::nearest;
use crate::syntax::key::KeyTemplates;

pub(super) struct Condition<'d> {
    pub(super) index: &'d Name,
    pub(super) key: &'d KeyTemplates,
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
            let message = if declared.returns.is_empty() {
                "a pattern on a key says which entities it returns"
            } else {
                "nothing that the pattern returns has rows: no key, and nothing that is like it"
            };
            // Unknown names are reported as that.
            if declared.returns.is_empty() || !findings.has_errors() {
                findings.error(Code::MissingKey, declared.name.span, message);
            }
            return None;
        };
        let layout = asked_layout(declared, returns, model);
        let layout = layout.map(|name| name.value.as_str());
        // Without a layout of its own a pattern speaks of the keys that are declared.
        let declared_table = match &declared.layout {
            None => model.entity(*first).declared_keys().0,
            Some(_) => table_of(model.entity(*first), layout),
        };
        let table = model.table(declared_table);
        let place = self.place(table, findings)?;
        let several = table.index_at(place);
        let asked = match several.filter(|index| !index.further.is_empty()) {
            Some(index) => self.of_several(index, (declared_table, place), findings)?,
            None => self.of_single(table, (declared_table, place), findings)?,
        };
        check_hash(&asked.hash, findings);
        let asked = if declared.layout.is_none() && layout::is_chosen(model, returns) {
            self.in_layout(&asked, declared, returns, model, findings)?
        } else {
            asked
        };
        let Asked {
            table,
            place,
            hash,
            range,
            further,
        } = asked;
        let has_range = has_range(model.table(table), place);
        let full = hash.is_full() && (!has_range || range.as_ref().is_some_and(Template::is_full));
        let global = returns
            .iter()
            .all(|id| key_is_global(model.entity(*id), place, layout));
        let key = Box::new(Key {
            place,
            hash,
            range,
            further,
            own: Vec::new(),
            when: None,
            global,
            implied: false,
            span: self.key.span,
        });
        Some(if full && place == KeyPlace::Primary {
            Way::Get { table, key }
        } else {
            Way::Query { table, key }
        })
    }

    fn in_layout(
        &self,
        asked: &Asked,
        declared: &Declared,
        returns: &[EntityId],
        model: &Model,
        findings: &mut Findings,
    ) -> Option<Asked> {
        match layout::asked(model, asked, returns) {
            Ok(asked) => Some(asked),
            Err(why) => {
                let name = &declared.name.value;
                let message =
                    format!("`{name}` cannot be asked in the layout that is written: {why}");
                let help =
                    "say in which layout its keys are (`layout = ..`), or leave the pattern out";
                findings.push(
                    Diagnostic::new(Code::StrangerInQuery, self.key.span, message).help(help),
                );
                None
            }
        }
    }

    fn place(&self, table: &Table, findings: &mut Findings) -> Option<KeyPlace> {
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
            let near = nearest(&self.index.value, known.chain(WORDS.iter().copied()));
            let found = Diagnostic::new(Code::UnknownKey, self.index.span, message);
            findings.push(found.did_you_mean(near));
        }
        position.map(KeyPlace::Index)
    }

    /// The condition on a key of one attribute in each part.
    fn of_single(
        &self,
        table: &Table,
        (id, place): (TableId, KeyPlace),
        findings: &mut Findings,
    ) -> Option<Asked> {
        let templates = self.key.singles().unwrap_or_default();
        let (hash, range) = match (templates.as_slice(), has_range(table, place)) {
            ([both], true) if self.key.fills_all => (*both, Some(*both)),
            ([hash], _) => (*hash, None),
            ([hash, range], true) => (*hash, Some(*range)),
            _ => {
                let message = "a key condition has a partition key, and at most one sort key";
                findings.error(Code::WrongKind, self.key.span, message);
                return None;
            }
        };
        Some(Asked {
            table: id,
            place,
            hash: hash.clone(),
            range: range.cloned(),
            further: Further::none(),
        })
    }
}

/// A partition is one value; a range of it is asked one after the other, which needs steps.
fn check_hash(hash: &Template, findings: &mut Findings) {
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
            let message = "a range of partitions is a range of days (`{time:date..}`) or of shards";
            findings.error(Code::BadTemplate, field.span, message);
        }
    }
}

/// The layout that a pattern speaks of, if it is not the one that is written.
pub(super) fn asked_layout<'d>(
    declared: &'d Declared,
    returns: &[EntityId],
    model: &Model,
) -> Option<&'d Name> {
    declared.layout.as_ref().filter(|asked| {
        let written = |id: &EntityId| {
            let written = model.entity(*id).layout.as_ref();
            written.is_some_and(|name| name.value == asked.value)
        };
        !returns.iter().all(written)
    })
}

fn has_range(table: &Table, place: KeyPlace) -> bool {
    match place {
        KeyPlace::Primary => table.range.is_some(),
        KeyPlace::Index(index) => {
            let index = table.indexes.get(index);
            index.is_some_and(|index| index.range.is_some())
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
