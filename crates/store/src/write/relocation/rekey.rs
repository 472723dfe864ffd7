//! Items under the keys of moved rows, and back under their own.

use super::super::collection::Owned;
use super::Relocation;
use crate::address::PartitionRange;
use crate::interrupt::Interrupt;
use crate::scope::Scope;
use crate::template::find_value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::{CompiledKey, KeyTemplate, Shown, SourcePath, render_parts};
use monotable_model::model::{EntityId, KeyPlace, Part, Root, Source, TableId, Template};

impl Relocation<'_> {
    /// Where the items of a partition are after they were moved.
    pub(super) fn partition_away(
        &self,
        rest: EntityId,
        rows: PartitionRange,
    ) -> Result<Option<PartitionRange>, Interrupt> {
        let reader = self.reader;
        let table = reader.model().table(rows.table());
        let known = Item::new().with(table.hash.value.as_str(), rows.partition.key_text());
        let Some(key) = primary(reader, rest) else {
            return Ok(None);
        };
        let own = self.render(&key.hash, rows.table(), &known);
        // The sort key begins as that of the rows did.
        let range = key.range.as_ref().map(|range| {
            let name = table.range.as_ref().map_or("", |range| &range.value);
            let known = Item::new().with(name, rows.prefix.as_str());
            self.render(range, rows.table(), &known)
        });
        let table = reader.entity(rest).table;
        let addressing = reader.addressing();
        Ok(own.map(|own| {
            let own = addressing.add_prefix(own, key.global);
            let partition = addressing.stored_partition(table, own);
            partition.beginning_with(range.flatten().unwrap_or_default())
        }))
    }

    /// The text of a template that shows keys of another row.
    fn render(&self, template: &KeyTemplate, table: TableId, item: &Item) -> Option<String> {
        template
            .render(|path| self.find_value(path, table, item))
            .ok()
    }

    fn find_value(&self, path: &SourcePath<'_>, table: TableId, item: &Item) -> Option<Shown> {
        if path.root != Some(Root::Row) {
            return find_value(self.reader.model(), item, path, &self.reader.circumstances);
        }
        let name = *path.names.first()?;
        let Some(AttributeValue::S(text)) = item.get(name) else {
            return None;
        };
        let text = if is_partition(self.reader, table, name) {
            text.strip_prefix(self.reader.addressing().prefix())?
        } else {
            text
        };
        Some(Shown::One(text.to_owned()))
    }

    /// The item with the keys of a moved row.
    pub(super) fn away(&self, rest: EntityId, owned: &Owned) -> Option<Item> {
        let table = owned.address.table();
        let mut item = owned.item.clone();
        for key in keys(self.reader, rest) {
            let value = |path: &SourcePath<'_>| self.find_value(path, table, &owned.item);
            match self.reader.addressing().render_key_with(key, value) {
                Ok(texts) => {
                    for (name, text) in texts.into_written(key) {
                        item.insert(name, text);
                    }
                }
                // It is not in that index.
                Err(_) if key.place != KeyPlace::Primary => {}
                Err(_) => return None,
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
            let addressing = self.reader.addressing();
            let own = addressing.strip_prefix(hash, key.global)?;
            if key.writes(&key.hash_attribute) {
                let own = self.inner(key.hash.template(), own)?;
                let own = addressing.add_prefix(own, false);
                item.insert(key.hash_attribute.clone(), own);
            }
            let sort = key.range_attribute.iter().zip(&key.range);
            let further = key.further.hash.iter().chain(&key.further.range);
            let further = further.map(|part| (&part.attribute, &part.template));
            for (name, template) in sort.chain(further).filter(|(name, _)| key.writes(name)) {
                if let Some(AttributeValue::S(text)) = moved.get(name) {
                    item.insert(name.clone(), self.inner(template.template(), text)?);
                }
            }
        }
        Some(item)
    }

    /// What stands in a text where a template shows the other row's key.
    fn inner(&self, template: &Template, text: &str) -> Option<String> {
        let at = template.parts.iter().position(shows_row)?;
        let (before, after) = template.parts.split_at(at);
        let nothing = Item::new();
        let rendered = |parts: &[Part]| {
            let value = |path: &SourcePath<'_>| {
                let reader = self.reader;
                find_value(reader.model(), &nothing, path, &reader.circumstances)
            };
            render_parts(parts, value).ok()
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
