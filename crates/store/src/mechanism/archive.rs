//! Archives: the row that was, kept when it changes or goes.

use super::note::{self, NoteSource};
use crate::address::Address;
use crate::change::{Cause, ItemChange, Run, StoredRow};
use crate::draft::Archived;
use crate::interrupt::Interrupt;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{Archive, Attribute, Entity, EntityId, OnDelete, Role};
use std::collections::BTreeSet;

/// Adds what the archives hold of the old rows to what must be unchanged.
pub(crate) fn complete(scope: &Scope, change: &mut ItemChange) {
    let mut names = BTreeSet::new();
    for row in &change.rows {
        if let Some(old) = &row.old {
            names.extend(watched(scope, &old.record, row.new.as_ref()));
        }
    }
    change.decided_by.extend(names);
}

/// Adds what a change leaves in the archives.
pub(crate) fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    for row in &change.rows {
        match (&row.old, &row.new) {
            (Some(old), Some(new)) => changed(run, old, new)?,
            (Some(old), None) => deleted(run, old, cascade_path(&change.cause))?,
            (None, _) => {}
        }
    }
    Ok(())
}

/// The references by which a row goes with others.
fn cascade_path(cause: &Cause) -> &[(String, EntityId)] {
    match cause {
        Cause::Cascade(path) => path,
        _ => &[],
    }
}

fn changed(run: &mut Run<'_>, old: &StoredRow, new: &Record) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    for archive in archives_of(scope, old.record.entity) {
        if counts(scope.entity(old.record.entity), archive, &old.record, new) {
            let row = build_kept_row(scope, archive, &old.record, &old.item)?;
            add(run, &old.address, archive, row)?;
        }
    }
    Ok(())
}

fn deleted(
    run: &mut Run<'_>,
    old: &StoredRow,
    cascade_path: &[(String, EntityId)],
) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    let archives = archives_of(scope, old.record.entity);
    for archive in archives.filter(|archive| archive.deleted) {
        let row = build_kept_row(scope, archive, &old.record, &old.item)?;
        // What goes with a row that goes now is not written first.
        if !goes_too(scope, &row, &old.record, cascade_path) {
            add(run, &old.address, archive, row)?;
        }
    }
    Ok(())
}

/// The attributes that must be what was read for the archives to hold what was there. Without a new row: for a delete.
fn watched(scope: &Scope, old: &Record, new: Option<&Record>) -> BTreeSet<String> {
    let entity = scope.entity(old.entity);
    let acts = |archive: &&Archive| match new {
        Some(new) => counts(entity, archive, old, new),
        None => archive.deleted,
    };
    let mut names = BTreeSet::new();
    for archive in archives_of(scope, old.entity).filter(acts) {
        let own = scope.entity(archive.entity).attributes.iter();
        let own = own.map(|attribute| attribute.name.value.as_str());
        let known = own.filter(|name| entity.attribute(name).is_some());
        let stored = old.values.iter().map(|(name, _)| name.as_str());
        names.extend(known.chain(stored).map(str::to_owned));
    }
    names.retain(|name| entity.attribute(name).is_none_or(is_stored));
    names
}

const fn is_stored(attribute: &Attribute) -> bool {
    !attribute.key_only
}

fn archives_of(scope: &Scope, entity: EntityId) -> impl Iterator<Item = &Archive> {
    let archives = scope.model().archives.iter();
    archives.filter(move |archive| archive.of == entity)
}

/// Whether something changes that counts.
fn counts(entity: &Entity, archive: &Archive, old: &Record, new: &Record) -> bool {
    let mut names = old
        .values
        .iter()
        .chain(new.values.iter())
        .map(|(name, _)| name);
    names.any(|name| {
        old.values.get(name) != new.values.get(name)
            && archive
                .changed
                .iter()
                .any(|wanted| means(entity, &wanted.value, name))
    })
}

/// Whether `*`, a family or a name means an attribute. The time of the last write is no change of its own.
fn means(entity: &Entity, wanted: &str, name: &str) -> bool {
    let touched = || {
        let attribute = entity.attribute(name);
        attribute.is_some_and(|attribute| attribute.role == Some(Role::Updated))
    };
    match wanted.strip_suffix('*') {
        Some("") => !touched(),
        Some(prefix) => name.starts_with(prefix),
        None => wanted == name,
    }
}

/// The row that is kept.
fn build_kept_row(
    scope: &Scope,
    archive: &Archive,
    old: &Record,
    item: &Item,
) -> Result<Record, Interrupt> {
    let shown = note::mask_row(scope, old);
    let facts = NoteSource {
        of: Some(old.entity),
        copied: copied(scope, archive, old, &shown),
        row: shown.clone(),
        old: shown,
        stored: item.clone(),
        ..NoteSource::default()
    };
    note::build_note(scope, archive.entity, &archive.set, &facts)
}

/// What is copied: a secret only to an attribute that is as secret.
fn copied(scope: &Scope, archive: &Archive, old: &Record, shown: &Item) -> Item {
    let (from, to) = (scope.entity(old.entity), scope.entity(archive.entity));
    let hides = |attribute: &Attribute| {
        (
            attribute.internal,
            attribute.secret.is_some(),
            attribute.hashed.is_some(),
        )
    };
    let mut copied = Item::new();
    for (name, value) in old.values.iter() {
        let alike = match (from.attribute(name), to.attribute(name)) {
            (Some(from), Some(to)) => hides(from) == hides(to),
            _ => false,
        };
        let value = if alike { Some(value) } else { shown.get(name) };
        if let Some(value) = value {
            copied.insert(name.clone(), value.clone());
        }
    }
    copied
}

/// Whether a kept row would go at once, because it refers to what is being deleted.
fn goes_too(
    scope: &Scope,
    row: &Record,
    old: &Record,
    cascade_path: &[(String, EntityId)],
) -> bool {
    let own = scope.entity(old.entity).id.as_ref();
    let own = own.and_then(|id| old.values.get(id));
    let mut references = crate::profile::references(scope.entity(row.entity))
        .filter(|(_, reference)| reference.on_delete == OnDelete::Cascade);
    references.any(|(attribute, reference)| {
        let Some(id) = row.values.get(&attribute.name.value) else {
            return false;
        };
        let above = cascade_path
            .iter()
            .any(|(name, entity)| *entity == reference.target && old.values.get(name) == Some(id));
        above || reference.target == old.entity && own == Some(id)
    })
}

fn add(
    run: &mut Run<'_>,
    address: &Address,
    archive: &Archive,
    row: Record,
) -> Result<(), Interrupt> {
    let item = note::push_note(run, row)?;
    run.draft.archived.push(Archived {
        of: address.clone(),
        archive: archive.name.value.clone(),
        item,
    });
    Ok(())
}
