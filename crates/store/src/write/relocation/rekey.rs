//! Items under the keys of moved rows, and back under their own.

use super::super::collection::Owned;
use super::Relocation;
use crate::interrupt::Interrupt;
use crate::reader::PartitionRange;
use crate::record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::{CompiledKey, KeyTemplate, Shown, SourcePath, render};
use monotable_model::model::{EntityId, KeyPlace, Part, Root, Source, TableId, Template};

impl Relocation<'_> {
    /// Where the items of a partition are after they were moved.
    pub(super) fn partition_away(
        &self,
        rest: EntityId,
        rows: PartitionRange,
    ) -> Result<Option<PartitionRange>, Interrupt> {
        let reader = self.reader;
        let table = reader.model().table(rows.table);
        let known = Item::new().with(table.hash.value.as_str(), rows.hash.as_str());
        let Some(key) = primary(reader, rest) else {
            return Ok(None);
        };
        let hash = self.shown(&key.hash, rows.table, &known);
        // The sort key begins as that of the rows did.
        let range = key.range.as_ref().map(|range| {
            let name = table.range.as_ref().map_or("", |range| &range.value);
            let known = Item::new().with(name, rows.prefix.as_str());
            self.shown(range, rows.table, &known)
        });
        Ok(hash.map(|hash| PartitionRange {
            table: reader.entity(rest).table,
            index: None,
            hash: self.prefixed(key, hash),
            prefix: range.flatten().unwrap_or_default(),
        }))
    }

    fn prefixed(&self, key: &CompiledKey, hash: String) -> String {
        match key.global {
            true => hash,
            false => format!("{}{hash}", self.reader.prefix),
        }
    }

    /// The text of a template that shows keys of another row.
    fn shown(&self, template: &KeyTemplate, table: TableId, item: &Item) -> Option<String> {
        let value = |path: &SourcePath<'_>| self.source(path, table, item);
        render(template.template(), value).ok()
    }

    fn source(&self, path: &SourcePath<'_>, table: TableId, item: &Item) -> Option<Shown> {
        if path.root != Some(Root::Row) {
            return record::source(self.reader.model(), item, path, &self.reader.circumstances);
        }
        let name = *path.names.first()?;
        let Some(AttributeValue::S(text)) = item.get(name) else {
            return None;
        };
        let partition = is_partition(self.reader, table, name);
        let text = match partition {
            true => text.strip_prefix(self.reader.prefix.as_str())?,
            false => text,
        };
        Some(Shown::One(text.to_owned()))
    }

    /// The item with the keys of a moved row.
    pub(super) fn away(&self, rest: EntityId, owned: &Owned) -> Option<Item> {
        let table = owned.address.table;
        let mut item = owned.item.clone();
        for key in keys(self.reader, rest) {
            let hash = self.shown(&key.hash, table, &owned.item);
            let range = match &key.range {
                Some(range) => self.shown(range, table, &owned.item),
                None => None,
            };
            match (hash, key.place) {
                (Some(hash), _) => {
                    item.insert(key.hash_attribute.clone(), self.prefixed(key, hash));
                    if let (Some(name), Some(range)) = (&key.range_attribute, range) {
                        item.insert(name.clone(), range);
                    }
                }
                // It is not in that index.
                (None, KeyPlace::Index(_)) => {}
                (None, KeyPlace::Primary) => return None,
            }
        }
        Some(item)
    }

    /// The item with the keys that it had before it was moved: exactly one marker is taken off.
    pub(super) fn back(&self, rest: EntityId, moved: &Item) -> Option<Item> {
        let mut item = moved.clone();
        for key in keys(self.reader, rest) {
            let Some(AttributeValue::S(hash)) = moved.get(&key.hash_attribute) else {
                continue;
            };
            let hash = match key.global {
                true => hash.as_str(),
                false => hash.strip_prefix(self.reader.prefix.as_str())?,
            };
            let hash = self.inner(key.hash.template(), hash)?;
            item.insert(
                key.hash_attribute.clone(),
                format!("{}{hash}", self.reader.prefix),
            );
            if let (Some(name), Some(template)) = (&key.range_attribute, &key.range)
                && let Some(AttributeValue::S(range)) = moved.get(name)
            {
                item.insert(name.clone(), self.inner(template.template(), range)?);
            }
        }
        Some(item)
    }

    /// What stands in a text where a template shows the other row's key.
    fn inner(&self, template: &Template, text: &str) -> Option<String> {
        let at = template.parts.iter().position(shows_row)?;
        let (before, after) = template.parts.split_at(at);
        let rendered = |parts: &[Part]| {
            let piece = Template {
                parts: parts.to_vec(),
                ..template.clone()
            };
            record::render(
                self.reader.model(),
                &Item::new(),
                &piece,
                &self.reader.circumstances,
            )
        };
        let text = text.strip_prefix(rendered(before)?.as_str())?;
        let after = after.get(1..).unwrap_or_default();
        text.strip_suffix(rendered(after)?.as_str())
            .map(str::to_owned)
    }
}

fn keys(scope: &Scope, entity: EntityId) -> &[CompiledKey] {
    let compiled = scope.compiled().entity(entity);
    compiled.map_or(&[], |compiled| compiled.keys.as_slice())
}

fn primary(scope: &Scope, entity: EntityId) -> Option<&CompiledKey> {
    let mut keys = keys(scope, entity).iter();
    keys.find(|key| key.place == KeyPlace::Primary)
}

/// Whether an attribute is the partition key of the table or of an index.
fn is_partition(scope: &Scope, table: TableId, name: &str) -> bool {
    let table = scope.model().table(table);
    let indexes = table.indexes.iter().map(|index| &index.hash);
    std::iter::once(&table.hash)
        .chain(indexes)
        .any(|hash| hash.value == name)
}

fn shows_row(part: &Part) -> bool {
    match part {
        Part::Literal(_) => false,
        Part::Field(field) => field.sources.iter().any(|source| {
            matches!(
                source,
                Source::Path {
                    root: Some(Root::Row),
                    ..
                }
            )
        }),
    }
}
