//! Rows of one repository's head, committed to another.

use super::change_set::position;
use super::commit::{finish, prepare_carry};
use super::instance::RepositoryInstance;
use super::other_repositories::{self, Named};
use super::snapshot_rows::{SnapshotRows, place_number};
use crate::assignment::assigned_value;
use crate::draft::Draft;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::operation::Committed;
use crate::operation::{AnyOperation, Create};
use crate::profile::references;
use crate::read::has_tombstone;
use crate::reader::Reader;
use crate::record::reference_values;
use crate::record::{self, Conditions, Record};
use crate::rights::{Gate, Question};
use crate::scope::Scope;
use crate::secret;
use crate::token;
use monotable_item::Item;
use monotable_model::model::Carry;
use std::collections::BTreeMap;

/// Carries rows over, in their order. Rows that are there already stay as they are.
pub(crate) async fn carry(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    given: &Item,
) -> Result<Committed, Interrupt> {
    let declared = find_carry(reader, name)?;
    let from = reader.model().repository(declared.from);
    let from = RepositoryInstance::new(reader, &from.name.value, key)?;
    let head = from.visible_head().await?;
    let contents = SnapshotRows::read(&from, &head.revision).await?;
    let rows = chosen(reader, declared, &contents).await?;
    // What is carried can be read in the other repository; so it must be seen in this one. It is not left out silently.
    let questions: Vec<_> = rows.iter().map(Question::read).collect();
    let mut gate = Gate::new(reader);
    gate.admit_all(&Draft::default(), &questions).await?;
    let (to, values) = target(&from, declared, given)?;
    let prepared = prepare_carry(to.clone(), &values, |there| {
        changes(&to, declared, rows, there)
    })
    .await?;
    match prepared {
        Some(prepared) => finish(reader, vec![prepared]).await,
        None => {
            token::complete_unchanged(reader, &[]).await?;
            Ok(Committed::default())
        }
    }
}

fn find_carry<'s>(scope: &'s Scope, name: &str) -> Result<&'s Carry, Error> {
    let carries = &scope.model().carries;
    let found = carries.iter().find(|carry| carry.name.value == name);
    found.ok_or_else(|| {
        let known: Vec<_> = carries
            .iter()
            .map(|carry| carry.name.value.as_str())
            .collect();
        Error::usage(format!(
            "the model has no carry `{name}`; it has {}",
            known.join(", ")
        ))
    })
}

/// The rows that are carried, in their order.
async fn chosen(
    reader: &Reader<'_>,
    declared: &Carry,
    contents: &SnapshotRows<'_>,
) -> Result<Vec<Record>, Interrupt> {
    let entity = reader.entity(declared.of);
    let mut rows: Vec<Record> = contents
        .rows(declared.of)
        .map(|member| contents.record(member).clone())
        .filter(|record| !has_tombstone(reader, record))
        .collect();
    if let Some(attribute) = position(entity) {
        rows.sort_by_key(|row| place_number(row.values.get(&attribute.name.value)));
    }
    let Some(when) = &declared.when else {
        return Ok(rows);
    };
    let referred = referred_by(reader, &rows).await?;
    let mut kept = Vec::new();
    for (row, referred) in rows.into_iter().zip(referred) {
        let circumstances = reader.circumstances.with_referred(referred);
        let conditions = Conditions::new(reader.model(), &row.values, &circumstances);
        if conditions.holds(entity, when) == Some(true) {
            kept.push(row);
        }
    }
    Ok(kept)
}

/// What each row refers to; a row that is not there says nothing.
async fn referred_by(
    reader: &Reader<'_>,
    rows: &[Record],
) -> Result<Vec<BTreeMap<String, Item>>, Interrupt> {
    let mut named = Vec::new();
    let mut of = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        for (attribute, reference) in references(reader.entity(row.entity)) {
            for id in reference_values(attribute, row).into_iter().take(1) {
                of.push((index, attribute.name.value.clone()));
                named.push(Named {
                    by: row,
                    target: reference.target,
                    id,
                });
            }
        }
    }
    let found = other_repositories::rows(reader, &named, &[]).await?;
    let mut all: Vec<BTreeMap<String, Item>> = rows.iter().map(|_| BTreeMap::new()).collect();
    for ((index, name), found) in of.into_iter().zip(found) {
        if let Some(referred) = all.get_mut(index) {
            let values = found.map(|found| found.values).unwrap_or_default();
            referred.insert(name, values);
        }
    }
    Ok(all)
}

/// The other repository, and what its new revision says.
fn target<'s>(
    from: &RepositoryInstance<'s>,
    declared: &Carry,
    given: &Item,
) -> Result<(RepositoryInstance<'s>, Item), Error> {
    let reader = from.reader;
    let to = reader.model().repository(declared.to);
    let head = reader.entity(to.head).key_attributes();
    let log = reader.entity(to.log);
    let mut key = Item::new();
    for name in &head {
        if let Some(value) = from.key.get(name) {
            key.insert(*name, value.clone());
        }
    }
    let mut values = Item::new();
    for assignment in &declared.set {
        let name = &assignment.name.value;
        let Some(value) = assigned_value(reader, &from.key, &assignment.value) else {
            continue;
        };
        if head.contains(&name.as_str()) {
            key.insert(name.clone(), value);
        } else if log.attribute(name).is_some() {
            values.insert(name.clone(), value);
        }
    }
    for (name, value) in given.iter() {
        values.insert(name.clone(), value.clone());
    }
    Ok((
        RepositoryInstance::new(reader, &to.name.value, &key)?,
        values,
    ))
}

/// The creates of the rows that are not there yet.
fn changes(
    to: &RepositoryInstance<'_>,
    declared: &Carry,
    rows: Vec<Record>,
    there: &SnapshotRows<'_>,
) -> Vec<AnyOperation> {
    let reader = to.reader;
    let entity = reader.entity(declared.of);
    let mut changes = Vec::new();
    for row in rows {
        if there.find(&row).is_some() {
            continue;
        }
        let mut values = Item::new();
        for (name, value) in row.values.iter() {
            let attribute = entity.attribute(name);
            let made = attribute.is_some_and(|attribute| {
                record::is_set_by_the_store(attribute) || attribute.position.is_some()
            });
            let is_hashed = attribute.is_some_and(|attribute| attribute.hashed.is_some());
            let of_partition = name == to.revision_name() || to.key.get(name).is_some();
            if !made && !of_partition {
                let value = if is_hashed {
                    secret::as_given(value)
                } else {
                    value.clone()
                };
                values.insert(name.clone(), value);
            }
        }
        for assignment in &declared.set {
            let name = &assignment.name.value;
            let of_row = entity.attribute(name).is_some() && to.key.get(name).is_none();
            if let (true, Some(value)) = (
                of_row,
                assigned_value(reader, &row.values, &assignment.value),
            ) {
                values.insert(name.clone(), value);
            }
        }
        changes.push(AnyOperation::Create(Create {
            entity: entity.name.value.clone(),
            values,
        }));
    }
    changes
}
