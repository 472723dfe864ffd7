//! Paths: a chain of folders and a leaf, kept in step with an attribute.
//!
//! Folders that are missing are made one after the other, each by a put of its own that the first of several callers
//! wins; the others take the winner's. They stay, whatever becomes of the row. The leaf is written in the transaction of
//! the row.

use super::claims;
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error, ErrorKind};
use crate::guard;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::{self, Record, path_names, path_segments};
use crate::scope::Scope;
use crate::writer;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, Path};

/// Adds what a write does to the leaves of a row's paths.
pub(super) async fn follow(
    reader: &Reader<'_>,
    draft: &mut Draft,
    old: Option<&Record>,
    new: Option<&Record>,
) -> Result<(), Interrupt> {
    let Some(entity) = new.or(old).map(|row| row.entity) else {
        return Ok(());
    };
    let paths = reader.model().paths.iter();
    for path in paths.filter(|path| path.of == entity) {
        let before = old.map(|old| path_segments(path, old)).unwrap_or_default();
        let after = new.map(|new| path_segments(path, new)).unwrap_or_default();
        if before == after {
            continue;
        }
        if let Some(old) = old {
            remove_leaf(reader, draft, path, old).await?;
        }
        if let Some(new) = new {
            make_leaf(reader, draft, path, new).await?;
        }
    }
    Ok(())
}

/// A row of a path with this parent and segment.
fn entry(
    scope: &Scope,
    entity: EntityId,
    parent: Option<&AttributeValue>,
    segment: &str,
    more: Item,
) -> Result<Record, Interrupt> {
    let mut values = more;
    for (name, value) in entry_key(scope, entity, parent, segment)? {
        values.insert(name, value);
    }
    let made = record::create(scope.compiled(), entity, values, &scope.circumstances);
    Ok(made.map_err(|errors| scope.refused(entity, errors))?)
}

/// Where the folder or the leaf of a segment stands. To look for one needs no more than its key: who looks may not be able
/// to make it.
fn locate_entry(
    scope: &Scope,
    entity: EntityId,
    parent: Option<&AttributeValue>,
    segment: &str,
) -> Result<Address, Interrupt> {
    let values = entry_key(scope, entity, parent, segment)?;
    let mut record = Record { entity, values };
    record::compute(scope.model(), &mut record, &scope.circumstances);
    Ok(scope.row_address(&record)?)
}

/// What the key of a folder or of a leaf shows.
fn entry_key(
    scope: &Scope,
    entity: EntityId,
    parent: Option<&AttributeValue>,
    segment: &str,
) -> Result<Item, Error> {
    let declared = scope.entity(entity);
    let Some(names) = path_names(declared) else {
        let name = &declared.name.value;
        let message = format!("the key of {name} does not show a parent and a segment");
        return Err(Error::usage(message));
    };
    let mut values = Item::new().with(names.segment, segment);
    if let Some(parent) = parent {
        values.insert(names.parent, parent.clone());
    }
    Ok(values)
}

/// The folder of a segment, if it is there.
async fn folder(
    reader: &Reader<'_>,
    path: &Path,
    parent: Option<&AttributeValue>,
    segment: &str,
) -> Result<Option<Record>, Interrupt> {
    let address = locate_entry(reader, path.folder, parent, segment)?;
    let found = reader.row(&Draft::default(), &address).await?;
    Ok(found.map(|(row, _)| row))
}

/// The id of a folder, as its children hold it.
fn id_of(scope: &Scope, folder: &Record) -> Option<AttributeValue> {
    let id = scope.entity(folder.entity).id.as_ref()?;
    folder.values.get(id).cloned()
}

/// The id of the last of these folders; missing ones are made if they may be. None outside: one is missing.
async fn climb(
    reader: &Reader<'_>,
    path: &Path,
    folders: &[String],
    makes: bool,
) -> Result<Option<Option<AttributeValue>>, Interrupt> {
    let mut parent: Option<AttributeValue> = None;
    for segment in folders {
        let found = match folder(reader, path, parent.as_ref(), segment).await? {
            Some(found) => Some(found),
            None if makes => Some(make(reader, path, parent.as_ref(), segment).await?),
            None => None,
        };
        let Some(found) = found else {
            return Ok(None);
        };
        parent = id_of(reader, &found);
    }
    Ok(Some(parent))
}

/// Makes a folder; whoever loses the race takes the winner's.
async fn make(
    reader: &Reader<'_>,
    path: &Path,
    parent: Option<&AttributeValue>,
    segment: &str,
) -> Result<Record, Interrupt> {
    let new = entry(reader, path.folder, parent, segment, Item::new())?;
    let address = reader.row_address(&new)?;
    let clash = Clash::key(reader.mention_for_program(&address));
    let taken = Error::conflict(reader.name(path.folder), clash);
    let mut draft = Draft::default();
    let put = Action::new(Write::Put(reader.encode(&new)?)).demand(Demand::Absent, taken);
    draft.add(address.clone(), put)?;
    let guards = guard::guards(reader, &new)?;
    claims::swap(reader, &mut draft, path.folder, Vec::new(), guards)?;
    match writer::commit(reader, &mut draft).await {
        Ok(()) => Ok(new),
        Err(Interrupt::Fail(error)) if error.kind() == ErrorKind::Conflict => {
            let winner = reader.row(&Draft::default(), &address).await?;
            winner.map(|(row, _)| row).ok_or(Interrupt::Restart)
        }
        Err(stop) => Err(stop),
    }
}

/// Adds the leaf of a row, with the folders above it.
pub(super) async fn make_leaf(
    reader: &Reader<'_>,
    draft: &mut Draft,
    path: &Path,
    row: &Record,
) -> Result<(), Interrupt> {
    let segments = path_segments(path, row);
    let Some((last, folders)) = segments.split_last() else {
        return Ok(());
    };
    let parent = climb(reader, path, folders, true).await?.flatten();
    let more = shared(reader, path, row);
    let leaf = entry(reader, path.leaf, parent.as_ref(), last, more)?;
    let address = reader.row_address(&leaf)?;
    let clash = Clash::key(reader.mention_for_program(&address));
    let taken = Error::conflict(reader.name(path.leaf), clash);
    let put = Action::new(Write::Put(reader.encode(&leaf)?)).demand(Demand::Absent, taken);
    draft.add(address, put)
}

/// Adds the removal of a row's leaf, if it is that row's.
pub(super) async fn remove_leaf(
    reader: &Reader<'_>,
    draft: &mut Draft,
    path: &Path,
    row: &Record,
) -> Result<(), Interrupt> {
    if let Some((leaf, item)) = leaf(reader, path, row).await? {
        let address = reader.row_address(&leaf)?;
        let mut delete = Action::new(Write::Delete);
        for (name, value) in item.iter() {
            let demand = Demand::is(name, Some(value.clone()));
            delete = delete.demand(Demand::NoneOr(vec![demand]), Blame::Changed);
        }
        draft.add(address, delete)?;
    }
    Ok(())
}

/// The leaf of a row.
pub(super) async fn leaf(
    reader: &Reader<'_>,
    path: &Path,
    row: &Record,
) -> Result<Option<(Record, Item)>, Interrupt> {
    let segments = path_segments(path, row);
    let Some((last, folders)) = segments.split_last() else {
        return Ok(None);
    };
    let Some(parent) = climb(reader, path, folders, false).await? else {
        return Ok(None);
    };
    let more = refers(reader, path, row);
    let address = locate_entry(reader, path.leaf, parent.as_ref(), last)?;
    let found = reader.row(&Draft::default(), &address).await?;
    // Old data may have given the name to another row.
    let ours = |found: &(Record, Item)| {
        let mut own = more.iter();
        found.0.entity == path.leaf
            && own.all(|(name, value)| found.0.values.get(name) == Some(value))
    };
    Ok(found.filter(ours))
}

/// The leaf's reference to the row with the path, and what both have.
fn shared(scope: &Scope, path: &Path, row: &Record) -> Item {
    let mut values = refers(scope, path, row);
    let leaf = scope.entity(path.leaf);
    let own: Vec<&str> = path_names(leaf)
        .into_iter()
        .flat_map(|names| [names.parent, names.segment])
        .collect();
    // What both have is the same, as who has made them.
    for attribute in &leaf.attributes {
        let name = &attribute.name.value;
        let given = attribute.default.is_some() && !own.contains(&name.as_str());
        if let (true, Some(value)) = (given, row.values.get(name)) {
            values.insert(name.clone(), value.clone());
        }
    }
    values
}

/// The leaf's reference to the row with the path.
fn refers(scope: &Scope, path: &Path, row: &Record) -> Item {
    let mut values = Item::new();
    let id = scope.entity(row.entity).id.as_ref();
    let id = id.and_then(|id| row.values.get(id));
    for (attribute, reference) in crate::profile::references(scope.entity(path.leaf)) {
        if let (true, Some(id)) = (reference.target == row.entity, id) {
            values.insert(attribute.name.value.clone(), id.clone());
        }
    }
    values
}
