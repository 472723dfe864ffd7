//! The folders above a row: its own, or those of the row it belongs to.

use crate::find::by_ids;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::record::{path_names, path_segments};
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, MoveKind, OnDelete, Path, PathId};
use std::collections::BTreeMap;

/// The most folders above a row that are looked at.
const MOST: usize = 64;

/// What was read to find the folders above rows, by the path and the id of a row.
#[derive(Debug)]
pub(super) struct Folders<'s> {
    reader: &'s Reader<'s>,
    /// Rows with a path that others belong to; none if there is no such row.
    owners: BTreeMap<(usize, String), Option<Record>>,
    folders: BTreeMap<(usize, String), Option<Record>>,
}

impl<'s> Folders<'s> {
    pub(super) const fn new(reader: &'s Reader<'s>) -> Self {
        Self {
            reader,
            owners: BTreeMap::new(),
            folders: BTreeMap::new(),
        }
    }

    /// Reads the rows with a path that these belong to, all at once.
    pub(super) async fn read_owners<'r>(
        &mut self,
        id: PathId,
        rows: impl Iterator<Item = &'r Record>,
    ) -> Result<(), Interrupt> {
        let reader = self.reader;
        let path = reader.model().path(id);
        let mut open: BTreeMap<String, AttributeValue> = BTreeMap::new();
        for row in rows {
            for owner in owner_ids(reader, path, row) {
                let text = id_text(&owner);
                if !self.owners.contains_key(&(id.index(), text.clone())) {
                    open.insert(text, owner);
                }
            }
        }
        for entity in kinds(reader, path) {
            if open.is_empty() {
                break;
            }
            let (texts, ids): (Vec<_>, Vec<_>) = open.clone().into_iter().unzip();
            let found = by_ids(reader, entity, &Item::new(), &ids).await?;
            for (text, rows) in texts.into_iter().zip(found) {
                if let Some(row) = rows.into_iter().next() {
                    open.remove(&text);
                    self.owners.insert((id.index(), text), Some(row));
                }
            }
        }
        for text in open.into_keys() {
            self.owners.insert((id.index(), text), None);
        }
        Ok(())
    }

    /// Whether a row was read as one that others belong to.
    pub(super) fn knows_owner(&self, entity: EntityId, id: &AttributeValue) -> bool {
        let paths = self.reader.model().paths.iter().enumerate();
        let mut owners = paths.map(|(path, _)| self.owners.get(&(path, id_text(id))));
        owners.any(|owner| {
            let owner = owner.and_then(Option::as_ref);
            owner.is_some_and(|owner| owner.entity == entity)
        })
    }

    /// The folders above a row, and a folder itself, from the root on: one chain for each row that it belongs to. None: the
    /// row names one with a path without belonging to it, as notes do, and that one is gone, so nobody knows any more where
    /// it was.
    pub(super) async fn above(
        &mut self,
        id: PathId,
        row: &Record,
    ) -> Result<Option<Vec<Vec<String>>>, Interrupt> {
        let reader = self.reader;
        let path = reader.model().path(id);
        if has_place(reader, path, row) {
            return Ok(Some(vec![self.chain(id, row).await?]));
        }
        let belongs = owner_references(reader, path, row).next().is_some();
        let mut chains = Vec::new();
        for owner in owner_ids(reader, path, row) {
            let known = self.owners.get(&(id.index(), id_text(&owner)));
            match known.and_then(Option::as_ref).cloned() {
                Some(owner) => chains.push(self.chain(id, &owner).await?),
                None if belongs => {}
                None => return Ok(None),
            }
        }
        Ok(Some(chains))
    }

    /// The folders above a row that has the path, a folder or a leaf.
    async fn chain(&mut self, id: PathId, row: &Record) -> Result<Vec<String>, Interrupt> {
        let reader = self.reader;
        let path = reader.model().path(id);
        if kinds(reader, path).contains(&row.entity) {
            let mut segments = path_segments(path, row);
            segments.pop();
            return Ok(segments);
        }
        let Some(names) = path_names(reader.entity(path.folder)) else {
            return Ok(Vec::new());
        };
        let mut folders = Vec::new();
        if row.entity == path.folder {
            folders.extend(text(row, names.segment));
        }
        let mut parent = row.values.get(names.parent).cloned();
        // A chain in old data may lead back.
        for _ in 0..MOST {
            let Some(folder) = parent else { break };
            let Some(folder) = self.folder(id, folder).await? else {
                break;
            };
            folders.extend(text(&folder, names.segment));
            parent = folder.values.get(names.parent).cloned();
        }
        folders.reverse();
        Ok(folders)
    }

    async fn folder(
        &mut self,
        path: PathId,
        folder: AttributeValue,
    ) -> Result<Option<Record>, Interrupt> {
        let reader = self.reader;
        let key = (path.index(), id_text(&folder));
        if let Some(known) = self.folders.get(&key) {
            return Ok(known.clone());
        }
        let entity = reader.model().path(path).folder;
        let found = by_ids(reader, entity, &Item::new(), &[folder]).await?;
        let found = found.into_iter().flatten().next();
        self.folders.insert(key, found.clone());
        Ok(found)
    }
}

fn text(row: &Record, name: &str) -> Option<String> {
    match row.values.get(name) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        _ => None,
    }
}

fn id_text(id: &AttributeValue) -> String {
    format!("{id:?}")
}

/// Whether a row says itself where it is: it has the path, or is a folder or a leaf.
pub(super) fn has_place(scope: &Scope, path: &Path, row: &Record) -> bool {
    let has_path = kinds(scope, path).contains(&row.entity);
    has_path || [path.folder, path.leaf].contains(&row.entity)
}

/// The ids of the rows with a path that a row goes with.
fn owner_ids(scope: &Scope, path: &Path, row: &Record) -> Vec<AttributeValue> {
    if has_place(scope, path, row) {
        return Vec::new();
    }
    let mut names: Vec<_> = owner_references(scope, path, row).collect();
    if names.is_empty() {
        // A note has no reference, because it outlives the row; it names the row by the same name.
        names.extend(scope.entity(path.of).id.as_deref());
    }
    let values = names.into_iter().map(|name| row.values.get(name).cloned());
    values.flatten().collect()
}

/// The references by which a row goes with others that have the path: a link goes with both of its ends.
fn owner_references<'s>(
    scope: &'s Scope,
    path: &Path,
    row: &Record,
) -> impl Iterator<Item = &'s str> + use<'s> {
    let of = path.of;
    let attributes = scope.entity(row.entity).attributes.iter();
    let owners = attributes.filter(move |attribute| {
        attribute.reference.as_ref().is_some_and(|reference| {
            reference.target == of && reference.on_delete == OnDelete::Cascade
        })
    });
    owners.map(|attribute| attribute.name.value.as_str())
}

/// The entities whose rows have the path: the one that it is kept for, and what moves make of it.
fn kinds(scope: &Scope, path: &Path) -> Vec<EntityId> {
    let moves = scope.model().moves.iter();
    let moved = moves.filter_map(|movement| match &movement.kind {
        MoveKind::To { to, .. } if movement.of == path.of => Some(*to),
        MoveKind::To { .. } | MoveKind::Changes { .. } => None,
    });
    std::iter::once(path.of).chain(moved).collect()
}
