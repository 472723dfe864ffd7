//! Changes that were made for one revision, brought to another.

use super::change_set::identity_text;
use super::instance::RepositoryInstance;
use super::log;
use super::snapshot_rows::{SnapshotRows, identity, identity_names};
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::operation::{AnyOperation, Attach, Create, Delete, Detach, Put, Update};
use crate::record::Record;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Entity;

/// Refuses changes of rows that others have changed since.
pub(super) async fn check(
    instance: &RepositoryInstance<'_>,
    base: &str,
    head: &SnapshotRows<'_>,
    changes: &[AnyOperation],
) -> Result<(), Interrupt> {
    if log::find(instance, base).await?.is_none() {
        return Err(instance.unknown(base));
    }
    let base = SnapshotRows::read(instance, base).await?;
    let mut rows: Vec<String> = Vec::new();
    for change in changes {
        let Some((wanted, name)) = about(instance, change) else {
            continue;
        };
        let (before, after) = (row(&base, &wanted), row(head, &wanted));
        if !same(instance, before, after) {
            let entity = instance.reader.entity(wanted.entity);
            let row = format!("{name} {}", identity_text(&identity(entity, &wanted)));
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    if rows.is_empty() {
        Ok(())
    } else {
        let name = &instance.declared.name.value;
        Err(Error::conflict(name, Clash::Rebase { rows }).into())
    }
}

/// The row that a change is about; none for one that nobody else can know.
fn about<'o>(
    instance: &RepositoryInstance<'_>,
    change: &'o AnyOperation,
) -> Option<(Record, &'o str)> {
    let (name, values) = match change {
        AnyOperation::Create(Create { entity, values })
        | AnyOperation::Attach(Attach { entity, values })
        | AnyOperation::Put(Put { entity, values }) => (entity, values),
        AnyOperation::Update(Update { entity, key, .. })
        | AnyOperation::Delete(Delete { entity, key })
        | AnyOperation::Detach(Detach { entity, key }) => (entity, key),
        _ => return None,
    };
    let (entity, declared) = instance.reader.model().entity_named(name)?;
    let whole = identity_names(declared)
        .into_iter()
        .all(|name| values.get(name).is_some());
    let record = Record {
        entity,
        values: values.clone(),
    };
    whole.then_some((record, name.as_str()))
}

fn row<'c>(contents: &'c SnapshotRows<'_>, wanted: &Record) -> Option<&'c Record> {
    let position = contents.find(wanted)?;
    let member = contents.member(position)?;
    Some(contents.record(member))
}

fn same(
    instance: &RepositoryInstance<'_>,
    before: Option<&Record>,
    after: Option<&Record>,
) -> bool {
    match (before, after) {
        (None, None) => true,
        (Some(before), Some(after)) => {
            let entity = instance.reader.entity(before.entity);
            let own = |values| find_given(instance, entity, values);
            own(&before.values) == own(&after.values)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// What callers gave: not the revision, nor what follows from other rows.
fn find_given<'v>(
    instance: &RepositoryInstance<'_>,
    entity: &Entity,
    values: &'v Item,
) -> Vec<(&'v String, &'v AttributeValue)> {
    let made = |name: &str| {
        let attribute = entity.attribute(name);
        name == instance.revision_name()
            || attribute.is_some_and(|attribute| {
                attribute.position.is_some()
                    || attribute.top.is_some()
                    || attribute.computed.is_some()
            })
    };
    values.iter().filter(|(name, _)| !made(name)).collect()
}
