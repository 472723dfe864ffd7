//! Rows and the folders above them: their own, or those of the row they belong to.

use super::super::find::by_ids;
use super::super::paths::{names, segments};
use super::spares;
use crate::record::Record;
use crate::session::{Interrupt, Session};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, MoveKind, OnDelete, Path, PathId};
use std::collections::BTreeMap;

/// The most folders above a row that are looked at.
const MOST: usize = 64;

/// A row, with the folders above it, from the root on, along each path that grants climb.
pub(super) struct Located<'r> {
    pub(super) row: &'r Record,
    folders: BTreeMap<usize, Vec<String>>,
}

impl Located<'_> {
    pub(super) fn folders(&self, path: PathId) -> &[String] {
        let folders = self.folders.get(&path.index());
        folders.map(Vec::as_slice).unwrap_or_default()
    }
}

/// The rows, each with what is above it.
pub(super) async fn all<'r>(
    session: &Session,
    rows: &'r [Record],
) -> Result<Vec<Located<'r>>, Interrupt> {
    let located = |row| Located {
        row,
        folders: BTreeMap::new(),
    };
    let mut all: Vec<_> = rows.iter().map(located).collect();
    for grant in &session.model().grants {
        let Some(id) = grant.above else { continue };
        let path = session.model().path(id);
        let is_asked =
            |row: &Record| grant.of.contains(&row.entity) && !spares(session, grant, row);
        let asked: Vec<&Record> = rows.iter().filter(|row| is_asked(row)).collect();
        let owners = owners(session, path, &asked).await?;
        for located in all.iter_mut().filter(|located| is_asked(located.row)) {
            let row = located.row;
            let owner = owner_id(session, path, row).and_then(|id| owners.get(&shown(&id)));
            let folders = folders(session, path, owner.unwrap_or(row)).await?;
            located.folders.insert(id.index(), folders);
        }
    }
    Ok(all)
}

/// The rows with a path that others belong to, all at once.
async fn owners(
    session: &Session,
    path: &Path,
    rows: &[&Record],
) -> Result<BTreeMap<String, Record>, Interrupt> {
    let mut ids: BTreeMap<String, AttributeValue> = BTreeMap::new();
    for row in rows {
        if let Some(id) = owner_id(session, path, row) {
            ids.insert(shown(&id), id);
        }
    }
    let mut owners = BTreeMap::new();
    for entity in kinds(session, path) {
        let open: Vec<_> = ids
            .iter()
            .filter(|(id, _)| !owners.contains_key(*id))
            .collect();
        let wanted: Vec<_> = open.iter().map(|(_, id)| (*id).clone()).collect();
        if wanted.is_empty() {
            break;
        }
        let found = by_ids(session, entity, &Item::new(), &wanted).await?;
        let found = open.into_iter().zip(found);
        let found =
            found.filter_map(|((id, _), rows)| Some((id.clone(), rows.into_iter().next()?)));
        let found: Vec<_> = found.collect();
        owners.extend(found);
    }
    Ok(owners)
}

fn shown(id: &AttributeValue) -> String {
    format!("{id:?}")
}

/// The id of the row with a path that a row goes with.
fn owner_id(session: &Session, path: &Path, row: &Record) -> Option<AttributeValue> {
    if has_path(session, path, row.entity) || [path.folder, path.leaf].contains(&row.entity) {
        return None;
    }
    let mut attributes = session.entity(row.entity).attributes.iter();
    let owner = attributes.find(|attribute| {
        attribute.reference.as_ref().is_some_and(|reference| {
            reference.target == path.of && reference.on_delete == OnDelete::Cascade
        })
    });
    row.values.get(&owner?.name.value).cloned()
}

/// The entities whose rows have the path: the one that it is kept for, and what moves make of it.
fn kinds(session: &Session, path: &Path) -> Vec<EntityId> {
    let moves = session.model().moves.iter();
    let moved = moves.filter_map(|movement| match &movement.kind {
        MoveKind::To { to, .. } if movement.of == path.of => Some(*to),
        MoveKind::To { .. } | MoveKind::Changes { .. } => None,
    });
    std::iter::once(path.of).chain(moved).collect()
}

fn has_path(session: &Session, path: &Path, entity: EntityId) -> bool {
    kinds(session, path).contains(&entity)
}

/// The folders above a row, and a folder itself, from the root on.
async fn folders(session: &Session, path: &Path, row: &Record) -> Result<Vec<String>, Interrupt> {
    if has_path(session, path, row.entity) {
        let mut segments = segments(path, row);
        segments.pop();
        return Ok(segments);
    }
    let Some(names) = names(session.entity(path.folder)) else {
        return Ok(Vec::new());
    };
    let text = |row: &Record, name: &str| match row.values.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    };
    let mut folders = Vec::new();
    if row.entity == path.folder {
        folders.extend(text(row, names.segment));
    }
    let mut parent = row.values.get(names.parent).cloned();
    // A chain in old data may lead back.
    for _ in 0..MOST {
        let Some(id) = parent else { break };
        let id = std::slice::from_ref(&id);
        let found = by_ids(session, path.folder, &Item::new(), id).await?;
        let Some(folder) = found.into_iter().flatten().next() else {
            break;
        };
        folders.extend(text(&folder, names.segment));
        parent = folder.values.get(names.parent).cloned();
    }
    folders.reverse();
    Ok(folders)
}
