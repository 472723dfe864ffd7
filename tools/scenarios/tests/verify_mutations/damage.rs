//! What can happen to stored items.

use crate::sample::{Sample, SampleItem, text};
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{KeyPlace, Kind as ValueKind, Role};

/// The tenant that copies of rows come to stand in. No script has it.
pub(crate) const ELSEWHERE: &str = "elsewhere";

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Removed,
    /// A copy stands under another key.
    Copied,
    /// A copy stands in the partition of another tenant.
    CopiedToTenant,
    /// All rows of a revision are gone.
    SnapshotRemoved,
    /// A revision follows one that follows it.
    Looped,
    AttributeRemoved(String),
    /// Another value of the same type.
    AttributeChanged(String),
    /// A value of another type.
    AttributeRetyped(String),
    /// The mark of a long delete or move.
    MarkAdded(String),
    /// An attribute that was absent.
    AttributeAdded(String),
    /// A key of an index in which the row does not stand.
    IndexKeyAdded(String),
    /// What a hash was made of.
    SecretShown(String),
}

/// One item that is written or goes.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    Put(Item),
    Delete(Item),
}

/// A change of one item, or of the rows of one revision. All are in one table.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    /// The item, or the first of them.
    pub(crate) index: usize,
    pub(crate) kind: Kind,
    pub(crate) writes: Vec<Write>,
}

impl Damage {
    fn put(index: usize, kind: Kind, item: Item) -> Self {
        let writes = vec![Write::Put(item)];
        Self {
            index,
            kind,
            writes,
        }
    }

    /// The item as it is afterwards; none if it is gone.
    pub(crate) fn after(&self) -> Option<&Item> {
        self.writes.iter().find_map(|write| match write {
            Write::Put(item) => Some(item),
            Write::Delete(_) => None,
        })
    }

    pub(crate) fn describe(&self, sample: &Sample) -> String {
        let item = &sample.items[self.index];
        let entity = item
            .entity
            .map_or("guard", |id| &sample.model().entity(id).name.value);
        format!(
            "{entity} {:?} {:?}",
            sample.key(item.table, &item.item),
            self.kind
        )
    }
}

/// Every damage of a store.
pub(crate) fn damages(sample: &Sample) -> Vec<Damage> {
    let mut all = Vec::new();
    for (index, stored) in sample.items.iter().enumerate() {
        all.push(Damage {
            index,
            kind: Kind::Removed,
            writes: vec![Write::Delete(stored.item.clone())],
        });
        all.extend(copies(sample, index, stored));
        all.extend(attributes(sample, index, stored));
        all.extend(additions(sample, index, stored));
        all.extend(snapshot(sample, index, stored));
        all.extend(loops(sample, index, stored));
    }
    all
}

fn is_index_key(sample: &Sample, stored: &SampleItem, name: &str) -> bool {
    let mut indexes = sample.model().table(stored.table).indexes.iter();
    indexes.any(|index| {
        let mut names = std::iter::once(&index.hash).chain(&index.range);
        names.any(|known| known.value == name)
    })
}

/// Copies under another key, and in another tenant.
fn copies(sample: &Sample, index: usize, stored: &SampleItem) -> Vec<Damage> {
    let declared = sample.model().table(stored.table);
    let last = declared.range.as_ref().unwrap_or(&declared.hash);
    let mut all = Vec::new();
    if let Some(AttributeValue::S(text)) = stored.item.get(&last.value) {
        let copy = stored
            .item
            .clone()
            .with(last.value.as_str(), format!("{text}x"));
        all.push(Damage::put(index, Kind::Copied, copy));
    }
    let entity = stored.entity.map(|id| sample.model().entity(id));
    if let (Some(entity), Some(prefix)) = (entity, sample.tenant_prefix(stored))
        && entity.primary().is_some_and(|key| !key.global)
    {
        let mut copy = stored.item.clone();
        for key in entity.keys.iter().filter(|key| !key.global) {
            let name = match key.place {
                KeyPlace::Primary => &declared.hash.value,
                KeyPlace::Index(position) => &declared.indexes[position].hash.value,
            };
            let own = text(&stored.item, name);
            if let Some(own) = own.strip_prefix(prefix).filter(|own| !own.is_empty()) {
                copy.insert(name.as_str(), format!("{ELSEWHERE}/{own}"));
            }
        }
        all.push(Damage::put(index, Kind::CopiedToTenant, copy));
    }
    all
}

/// Attributes that are gone, or say something else.
fn attributes(sample: &Sample, index: usize, stored: &SampleItem) -> Vec<Damage> {
    let declared = sample.model().table(stored.table);
    let mut all = Vec::new();
    for (name, value) in stored
        .item
        .iter()
        .filter(|(name, _)| !declared.is_key(name))
    {
        let mut without = stored.item.clone();
        without.remove(name);
        all.push(Damage::put(
            index,
            Kind::AttributeRemoved(name.clone()),
            without,
        ));
        if let Some(other) = changed(value) {
            let item = stored.item.clone().with(name.clone(), other);
            all.push(Damage::put(
                index,
                Kind::AttributeChanged(name.clone()),
                item,
            ));
        }
        // DynamoDB itself keeps the type of index keys.
        if !is_index_key(sample, stored, name) {
            let item = stored.item.clone().with(name.clone(), retyped(value));
            all.push(Damage::put(
                index,
                Kind::AttributeRetyped(name.clone()),
                item,
            ));
        }
        let entity = stored.entity.map(|id| sample.model().entity(id));
        let attribute = entity.and_then(|entity| {
            let mut attributes = entity.attributes.iter();
            attributes.find(|attribute| attribute.stored == *name)
        });
        if attribute.is_some_and(|attribute| attribute.hashed.is_some()) {
            let item = stored.item.clone().with(name.clone(), "correct horse");
            all.push(Damage::put(index, Kind::SecretShown(name.clone()), item));
        }
    }
    all
}

/// Attributes that were absent: marks, index keys, and what else the entity has.
fn additions(sample: &Sample, index: usize, stored: &SampleItem) -> Vec<Damage> {
    let mut all = Vec::new();
    let Some(entity) = stored.entity else {
        return all;
    };
    for attribute in &sample.model().entity(entity).attributes {
        let name = &attribute.stored;
        if stored.item.get(name).is_some() || attribute.key_only {
            continue;
        }
        if attribute.role == Some(Role::Deleting) {
            let item = stored
                .item
                .clone()
                .with(name.clone(), "2025-01-01T00:00:00.000Z");
            all.push(Damage::put(index, Kind::MarkAdded(name.clone()), item));
        } else if let Some(value) = example(&attribute.kind).filter(|_| !name.ends_with('*')) {
            let item = stored.item.clone().with(name.clone(), value);
            all.push(Damage::put(index, Kind::AttributeAdded(name.clone()), item));
        }
    }
    for declared in &sample.model().table(stored.table).indexes {
        let names: Vec<_> = std::iter::once(&declared.hash)
            .chain(&declared.range)
            .collect();
        if names
            .iter()
            .any(|name| stored.item.get(&name.value).is_some())
        {
            continue;
        }
        let mut item = stored.item.clone();
        for name in names {
            item.insert(name.value.as_str(), "elsewhere");
        }
        all.push(Damage::put(
            index,
            Kind::IndexKeyAdded(declared.hash.value.clone()),
            item,
        ));
    }
    all
}

/// All rows of the revision that an item is the first row of.
fn snapshot(sample: &Sample, index: usize, stored: &SampleItem) -> Option<Damage> {
    let is_row = |item: &SampleItem| {
        let mut repositories = sample.model().repositories.iter();
        repositories.any(|one| item.entity.is_some_and(|id| one.entities.contains(&id)))
    };
    let hash = &sample.model().table(stored.table).hash.value;
    let is_same = |item: &&SampleItem| {
        item.table == stored.table && text(&item.item, hash) == text(&stored.item, hash)
    };
    let mut before = sample.items.iter().take(index).filter(is_same);
    if !is_row(stored) || before.any(is_row) {
        return None;
    }
    let rows = sample.items.iter().filter(is_same);
    Some(Damage {
        index,
        kind: Kind::SnapshotRemoved,
        writes: rows.map(|item| Write::Delete(item.item.clone())).collect(),
    })
}

/// A revision that follows itself, or one that follows it.
fn loops(sample: &Sample, index: usize, stored: &SampleItem) -> Vec<Damage> {
    let mut repositories = sample.model().repositories.iter();
    let Some(repository) = repositories.find(|one| Some(one.log) == stored.entity) else {
        return Vec::new();
    };
    let Some(parent) = &repository.parent else {
        return Vec::new();
    };
    let own = stored.values.get(&repository.revision.value);
    let follows = |item: &&SampleItem| {
        item.entity == stored.entity && own.is_some() && item.values.get(&parent.value) == own
    };
    let later = sample.items.iter().filter(follows);
    let later = later.filter_map(|item| item.values.get(&repository.revision.value));
    let all = own.into_iter().chain(later);
    all.map(|revision| {
        let item = stored
            .item
            .clone()
            .with(parent.value.as_str(), revision.clone());
        Damage::put(index, Kind::Looped, item)
    })
    .collect()
}

fn changed(value: &AttributeValue) -> Option<AttributeValue> {
    Some(match value {
        AttributeValue::S(text) => format!("{text}x").as_str().into(),
        AttributeValue::N(number) => AttributeValue::N(number.checked_add(Number::from(1)).ok()?),
        AttributeValue::Bool(flag) => AttributeValue::Bool(!flag),
        AttributeValue::L(values) if !values.is_empty() => {
            AttributeValue::L(values.iter().skip(1).cloned().collect())
        }
        _ => return None,
    })
}

fn retyped(value: &AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::B(_) => AttributeValue::Bool(true),
        _ => AttributeValue::B(vec![1]),
    }
}

/// A value that an attribute of a kind may have; none of kinds that need more thought.
fn example(kind: &ValueKind) -> Option<AttributeValue> {
    Some(match kind {
        ValueKind::Text(rule) if rule.matches.is_none() => "elsewhere".into(),
        ValueKind::Integer(_) | ValueKind::Number(_) | ValueKind::Epoch => {
            AttributeValue::N(Number::from(1))
        }
        ValueKind::Boolean => AttributeValue::Bool(true),
        ValueKind::Enum(words) => words.first()?.word.as_str().into(),
        _ => return None,
    })
}
