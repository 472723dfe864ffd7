//! The rows of a revision.

use super::change_set::position;
use super::instance::RepositoryInstance;
use super::log;
use super::snapshot_rows::{place_number, text};
use crate::address::Finder;
use crate::allowed::Allowed;
use crate::error::Error;
use crate::find::finder;
use crate::interrupt::Interrupt;
use crate::operation::At;
use crate::operation::{Link, Snapshot};
use crate::read::{Omitted, has_tombstone, see_alive, see_rows};
use crate::record::Record;
use crate::record::StoredRow;
use crate::record::reference_values;
use crate::row::Row;
use monotable_model::model::{EntityId, Relation};
use std::collections::BTreeMap;

/// Reads a revision, or what lies below one of its rows.
pub(super) async fn show(
    instance: &RepositoryInstance<'_>,
    at: &At,
    buried: bool,
    under: Option<&str>,
) -> Result<Snapshot, Interrupt> {
    let revision = log::resolve(instance, at).await?;
    let found = match under {
        Some(id) => below(instance, &revision, id).await?,
        None => {
            let rows = instance.partition(&revision)?;
            let items = instance.reader.all_encoded(&[rows]).await?;
            decode_rows(instance, items.into_iter().flatten())
        }
    };
    let found = see(instance, found, buried).await?;
    let found = ordered(instance, found);
    let links = links(instance, &found);
    let model = instance.reader.compiled();
    let rows = found
        .into_iter()
        .map(|found| Row::reveal(model, found.into_record()))
        .collect();
    Ok(Snapshot {
        revision,
        rows,
        links,
    })
}

/// The rows of the repository among these items.
pub(super) fn decode_rows(
    instance: &RepositoryInstance<'_>,
    items: impl IntoIterator<Item = monotable_item::EncodedItem>,
) -> Vec<StoredRow> {
    let reader = instance.reader;
    let first = instance.declared.entities.first();
    let Some(table) = first.map(|id| reader.entity(*id).table) else {
        return Vec::new();
    };
    let found = items.into_iter().filter_map(|item| {
        let record = reader.decode_view(table, item.view())?;
        Some(StoredRow { record, item })
    });
    let ours = |found: &StoredRow| instance.declared.entities.contains(&found.record.entity);
    found.filter(ours).collect()
}

/// What a relation leads to from a row: its rows, and the rows at their ends.
async fn below(
    instance: &RepositoryInstance<'_>,
    revision: &str,
    id: &str,
) -> Result<Vec<StoredRow>, Interrupt> {
    let reader = instance.reader;
    let mut found = Vec::new();
    let mut related = false;
    for entity in &instance.declared.entities {
        let Some(relation) = &reader.entity(*entity).relation else {
            continue;
        };
        let known = instance
            .values_at(revision)
            .with(relation.from.value.as_str(), id);
        let Some(Finder::Range(rows)) = finder(reader, *entity, &known, &relation.from.value)
        else {
            continue;
        };
        related = true;
        let items = reader.all_encoded(&[rows]).await?;
        let edges: Vec<_> = decode_rows(instance, items.into_iter().flatten())
            .into_iter()
            .filter(|edge| edge.record.entity == *entity)
            .collect();
        let addresses: Vec<_> = edges
            .iter()
            .filter_map(|edge| end(instance, &edge.record, *entity, relation))
            .collect();
        if !addresses.is_empty() {
            let ends = reader.get_many(&addresses, true).await?;
            found.extend(decode_rows(instance, ends.into_iter().flatten()));
        }
        found.extend(edges);
    }
    if related {
        Ok(found)
    } else {
        let name = &instance.declared.name.value;
        let message = format!("no relation in `{name}` is found by where it begins");
        Err(Error::usage(message).into())
    }
}

fn end(
    instance: &RepositoryInstance<'_>,
    edge: &Record,
    entity: EntityId,
    relation: &Relation,
) -> Option<crate::address::Address> {
    let attribute = instance
        .reader
        .entity(entity)
        .attribute(&relation.to.value)?;
    let target = attribute.reference.as_ref()?.target;
    let id = reference_values(attribute, edge).into_iter().next()?;
    instance.reader.target_address(edge, target, &id)
}

/// What is shown: nothing buried unless it is asked for, nor relations that lead there.
async fn see(
    instance: &RepositoryInstance<'_>,
    found: Vec<StoredRow>,
    buried: bool,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let reader = instance.reader;
    if buried {
        return see_rows(reader, found, &mut Omitted::default()).await;
    }
    let gone: Vec<(EntityId, String)> = found
        .iter()
        .filter(|found| has_tombstone(reader, &found.record))
        .filter_map(|found| key(instance, &found.record))
        .collect();
    let mut found = see_alive(reader, found, &mut Omitted::default()).await?;
    found.retain(|found| {
        let ends = ends(instance, &found.record);
        !ends.iter().any(|end| gone.contains(end))
    });
    Ok(found)
}

/// What a reference to a row holds.
fn key(instance: &RepositoryInstance<'_>, record: &Record) -> Option<(EntityId, String)> {
    let id = instance.reader.entity(record.entity).id.as_ref()?;
    Some((record.entity, text(&record.values, id)?))
}

/// What a relation connects: nothing for other rows.
fn ends(instance: &RepositoryInstance<'_>, record: &Record) -> Vec<(EntityId, String)> {
    let entity = instance.reader.entity(record.entity);
    let Some(relation) = &entity.relation else {
        return Vec::new();
    };
    let ends = [&relation.from, &relation.to].into_iter();
    let ends = ends.filter_map(|name| {
        let target = entity.attribute(&name.value)?.reference.as_ref()?.target;
        Some((target, text(&record.values, &name.value)?))
    });
    ends.collect()
}

/// Rows with a place in an order stand in it; the others in that of their sort keys.
fn ordered(
    instance: &RepositoryInstance<'_>,
    mut found: Vec<Allowed<StoredRow>>,
) -> Vec<Allowed<StoredRow>> {
    let reader = instance.reader;
    let address = |found: &Allowed<StoredRow>| {
        let attribute = position(reader.entity(found.record.entity))?;
        let group = attribute
            .position
            .as_ref()
            .and_then(|group| text(&found.record.values, &group.value));
        let address = place_number(found.record.values.get(&attribute.name.value));
        Some((group, address))
    };
    let entities = &instance.declared.entities;
    let of = |found: &Allowed<StoredRow>| entities.iter().position(|id| *id == found.record.entity);
    found.sort_by_cached_key(|found| (of(found), address(found)));
    found
}

fn links(instance: &RepositoryInstance<'_>, found: &[Allowed<StoredRow>]) -> Vec<Link> {
    let mut positions: BTreeMap<(EntityId, String), usize> = BTreeMap::new();
    for (index, found) in found.iter().enumerate() {
        if let Some(key) = key(instance, &found.record) {
            positions.insert(key, index);
        }
    }
    let mut links = Vec::new();
    for (by, found) in found.iter().enumerate() {
        if let [from, to] = ends(instance, &found.record).as_slice()
            && let (Some(from), Some(to)) = (positions.get(from), positions.get(to))
        {
            let (from, to) = (*from, *to);
            links.push(Link { by, from, to });
        }
    }
    links
}
