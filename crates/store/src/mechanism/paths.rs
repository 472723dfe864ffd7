//! Paths: a chain of folders and a leaf, kept in step with an attribute.
//!
//! Folders that are missing are made one after the other, each by a put of its own that the first of several callers
//! wins; the others take the winner's. They stay, whatever becomes of the row. The leaf is written in the transaction of
//! the row.

pub(crate) mod verify;

use crate::address::Address;
use crate::change::{Cause, ItemChange, Run, StoredRow};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::{self, Record, path_names, path_segments};
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, Path};

/// Adds what a change does to the leaves of a row's paths.
pub(crate) async fn apply(run: &mut Run<'_>, change: &ItemChange) -> Result<(), Interrupt> {
    let scope = run.reader.scope;
    // What goes with a row that is deleted is gathered before.
    let is_gathered = matches!(change.cause, Cause::Caller(_) | Cause::Cascade(_));
    if change.after().is_none() && is_gathered {
        return Ok(());
    }
    for path in &scope.model().paths {
        let of = |row: &&Record| row.entity == path.of;
        let (old, new) = (change.before().filter(of), change.after().filter(of));
        let entry = |row: &Record| (path_segments(path, row), shared(scope, path, row));
        let (before, after) = (old.map(entry), new.map(entry));
        if before == after {
            continue;
        }
        let leaf = match old {
            Some(old) => old_leaf(run, path, old).await?,
            None => None,
        };
        let wanted = match new {
            Some(new) => make_leaf(run, path, new).await?,
            None => None,
        };
        match (leaf, wanted) {
            (Some(leaf), Some(wanted)) if scope.row_address(&wanted)? == leaf.address => {
                let wanted = keep_own(scope, path, wanted, &leaf);
                let change = ItemChange::new(Cause::Path, Some(leaf), Some(wanted));
                run.push(change.of_whole_rows());
            }
            (leaf, wanted) => {
                if let Some(leaf) = leaf {
                    run.push(ItemChange::new(Cause::Path, Some(leaf), None));
                }
                if let Some(wanted) = wanted {
                    run.push(ItemChange::new(Cause::Path, None, Some(wanted)));
                }
            }
        }
    }
    Ok(())
}

/// The leaf that a row has. If it has none, the write demands that it stays so.
async fn old_leaf(
    run: &mut Run<'_>,
    path: &Path,
    old: &Record,
) -> Result<Option<StoredRow>, Interrupt> {
    match find_leaf(&run.reader, path, old).await? {
        FoundLeaf::Nothing => Ok(None),
        FoundLeaf::Own(record, item) => StoredRow::locate(run.reader.scope, record, item).map(Some),
        FoundLeaf::Missing(address, demand) => {
            let check = Action::check().demand(demand, Blame::Changed);
            run.draft.add(address, check)?;
            Ok(None)
        }
    }
}

/// A leaf that stays where it is keeps what does not come from its row.
fn keep_own(scope: &Scope, path: &Path, wanted: Record, leaf: &StoredRow) -> Record {
    let mut kept = leaf.record.clone();
    let entity = scope.entity(path.leaf);
    let managed = &scope.profile(path.leaf).managed;
    for (name, value) in wanted.values.iter() {
        let made = entity
            .attribute(name)
            .is_some_and(record::is_set_by_the_store);
        if !made && !managed.contains(name) {
            kept.values.insert(name.clone(), value.clone());
        }
    }
    record::compute(scope.model(), &mut kept, &scope.circumstances);
    kept
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

/// How far a chain of folders leads.
enum Climbed {
    /// To the last one, whose id this is.
    Whole(Option<AttributeValue>),
    /// The folder that should stand here is missing.
    Missing(Address),
}

/// Follows a chain of folders from the root on.
async fn climb(reader: &Reader<'_>, path: &Path, folders: &[String]) -> Result<Climbed, Interrupt> {
    let mut parent: Option<AttributeValue> = None;
    for segment in folders {
        let Some(found) = folder(reader, path, parent.as_ref(), segment).await? else {
            let address = locate_entry(reader, path.folder, parent.as_ref(), segment)?;
            return Ok(Climbed::Missing(address));
        };
        parent = id_of(reader, &found);
    }
    Ok(Climbed::Whole(parent))
}

/// The id of the last of these folders; those that are missing are made before. Whoever loses the race for one begins anew
/// and takes the winner's.
async fn climb_making(
    run: &mut Run<'_>,
    path: &Path,
    folders: &[String],
) -> Result<Option<AttributeValue>, Interrupt> {
    let reader = run.reader;
    let mut parent: Option<AttributeValue> = None;
    let mut is_missing = false;
    for segment in folders {
        let found = if is_missing {
            None
        } else {
            folder(&reader, path, parent.as_ref(), segment).await?
        };
        let folder = match found {
            Some(found) => found,
            None => {
                is_missing = true;
                let new = entry(
                    reader.scope,
                    path.folder,
                    parent.as_ref(),
                    segment,
                    Item::new(),
                )?;
                run.push_before(ItemChange::new(Cause::Path, None, Some(new.clone())));
                new
            }
        };
        parent = id_of(reader.scope, &folder);
    }
    Ok(parent)
}

/// The leaf that a row should have; the folders above it are made before.
async fn make_leaf(
    run: &mut Run<'_>,
    path: &Path,
    row: &Record,
) -> Result<Option<Record>, Interrupt> {
    let segments = path_segments(path, row);
    let Some((last, folders)) = segments.split_last() else {
        return Ok(None);
    };
    let parent = climb_making(run, path, folders).await?;
    let more = shared(run.reader.scope, path, row);
    entry(run.reader.scope, path.leaf, parent.as_ref(), last, more).map(Some)
}

/// The leaf of a row.
pub(crate) async fn leaf(
    reader: &Reader<'_>,
    path: &Path,
    row: &Record,
) -> Result<Option<(Record, Item)>, Interrupt> {
    match find_leaf(reader, path, row).await? {
        FoundLeaf::Own(record, item) => Ok(Some((record, item))),
        FoundLeaf::Nothing | FoundLeaf::Missing(..) => Ok(None),
    }
}

/// What was found where the leaf of a row should be.
pub(crate) enum FoundLeaf {
    /// The row has no path.
    Nothing,
    /// The leaf.
    Own(Record, Item),
    /// Something else, or nothing. What a write decides from that must still be so when it is written: the row may be deleted
    /// and made anew in between, with the same path and with a leaf.
    Missing(Address, Demand),
}

/// Looks for the leaf of a row.
pub(crate) async fn find_leaf(
    reader: &Reader<'_>,
    path: &Path,
    row: &Record,
) -> Result<FoundLeaf, Interrupt> {
    let segments = path_segments(path, row);
    let Some((last, folders)) = segments.split_last() else {
        return Ok(FoundLeaf::Nothing);
    };
    let parent = match climb(reader, path, folders).await? {
        Climbed::Whole(parent) => parent,
        Climbed::Missing(address) => return Ok(FoundLeaf::Missing(address, Demand::Absent)),
    };
    let address = locate_entry(reader, path.leaf, parent.as_ref(), last)?;
    let Some((record, item)) = reader.row(&Draft::default(), &address).await? else {
        return Ok(FoundLeaf::Missing(address, Demand::Absent));
    };
    // Old data may have given the name to another row.
    let more = refers(reader, path, row);
    let is_own = more
        .iter()
        .all(|(name, value)| record.values.get(name) == Some(value));
    if is_own && record.entity == path.leaf {
        return Ok(FoundLeaf::Own(record, item));
    }
    let entity = reader.entity(path.leaf);
    let names = more.iter().map(|(name, _)| stored_name(entity, name));
    let demands = names.map(|name| {
        let value = item.get(&name).cloned();
        Demand::is(name, value)
    });
    Ok(FoundLeaf::Missing(
        address,
        Demand::NoneOr(demands.collect()),
    ))
}

/// Whether a row has the leaf of its path, with all folders above.
pub(crate) async fn has_path(
    reader: &Reader<'_>,
    path: &Path,
    row: &Record,
) -> Result<bool, Interrupt> {
    Ok(path_segments(path, row).is_empty() || leaf(reader, path, row).await?.is_some())
}

/// Adds what the path of a stored row lacks: folders, and its leaf.
pub(crate) async fn restore(run: &mut Run<'_>, path: &Path, row: &Record) -> Result<(), Interrupt> {
    if has_path(&run.reader, path, row).await? {
        return Ok(());
    }
    if let Some(leaf) = make_leaf(run, path, row).await? {
        run.push(ItemChange::new(Cause::Path, None, Some(leaf)));
    }
    Ok(())
}

/// Whether the row that a leaf names has a path that leads to this leaf.
pub(crate) async fn is_leaf_of_row(
    reader: &Reader<'_>,
    path: &Path,
    own: &Record,
    address: &Address,
) -> Result<bool, Interrupt> {
    let mut references = crate::profile::references(reader.entity(own.entity));
    let named = references.find(|(_, reference)| reference.target == path.of);
    let target = named.and_then(|(attribute, _)| {
        let id = own.values.get(&attribute.name.value)?;
        reader.target_address(own, path.of, id)
    });
    // No key leads to the row; whoever asks has found none that names this leaf.
    let Some(target) = target else {
        return Ok(false);
    };
    let Some((row, _)) = reader.row(&Draft::default(), &target).await? else {
        return Ok(false);
    };
    let found = leaf(reader, path, &row).await?;
    Ok(found.is_some_and(|(leaf, _)| reader.row_address(&leaf).is_ok_and(|leaf| leaf == *address)))
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
        let is_type = leaf.is.iter().any(|known| known.attribute.value == *name);
        let given = attribute.default.is_some() && !is_type && !own.contains(&name.as_str());
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
