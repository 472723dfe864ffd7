//! A path, followed from the root: one Get for each segment.
//!
//! The answer is the folders that it goes through, in order, and then what its last segment names: a folder, a leaf, or
//! both. If a segment is not there, or the caller may not see it, there is no such path and the answer is empty.

use super::{Omitted, StoredRow, visible};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use crate::value;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::plan::{SegmentKey, SegmentStep};

/// The rows along a path.
pub(super) async fn resolve(
    reader: &Reader<'_>,
    step: &SegmentStep,
    given: &Parameters,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let segments = segments(step, given);
    let Some((last, folders)) = segments.split_last() else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    let mut parent = Parent::Root;
    for segment in folders {
        let found = children(reader, &[&step.folder], &parent, segment, omitted).await?;
        let Some(folder) = found.into_iter().next() else {
            return Ok(Vec::new());
        };
        let id = step.id.as_ref().and_then(|id| folder.record.values.get(id));
        let Some(id) = id.cloned() else {
            return Ok(Vec::new());
        };
        parent = Parent::Folder(id);
        rows.push(folder);
    }
    let ends = children(reader, &[&step.folder, &step.leaf], &parent, last, omitted).await?;
    if ends.is_empty() {
        Ok(Vec::new())
    } else {
        Ok(rows.into_iter().chain(ends).collect())
    }
}

/// Where a segment is looked up.
enum Parent {
    /// It has no row and no id.
    Root,
    Folder(AttributeValue),
}

/// The segments of a path. What spellings it may have its type says; between two separators in a row is nothing.
fn segments(step: &SegmentStep, given: &Parameters) -> Vec<String> {
    let text = match given.values.get(&step.parameter) {
        Some(AttributeValue::S(text)) => text.as_str(),
        _ => "",
    };
    let segments = text.split(step.split.as_str());
    let segments = segments.filter(|segment| !segment.is_empty());
    segments.map(str::to_owned).collect()
}

/// What a segment names, of each of these entities one row at most.
async fn children(
    reader: &Reader<'_>,
    keys: &[&SegmentKey],
    parent: &Parent,
    segment: &str,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let addresses = keys
        .iter()
        .filter_map(|key| Some((key.entity, address(reader, key, parent, segment)?)));
    let (entities, addresses): (Vec<_>, Vec<_>) = addresses.unzip();
    let items = reader.get_many_or_none(&addresses).await?;
    let mut rows = Vec::new();
    for ((entity, address), item) in entities.into_iter().zip(addresses).zip(items) {
        let Some(item) = item else { continue };
        let Some(record) = reader.decode(address.table(), &item) else {
            continue;
        };
        if record.entity == entity {
            let item = EncodedItem::from(item);
            rows.push(StoredRow { record, item });
        }
    }
    visible::see_alive(reader, rows, omitted).await
}

/// Where the row of a segment stands: its partition names the folder, its sort key the segment. None if no row can
/// have such a key.
fn address(scope: &Scope, key: &SegmentKey, parent: &Parent, segment: &str) -> Option<Address> {
    let entity = key.entity;
    let declared = scope.entity(entity);
    let mut values = Item::new();
    if let Parent::Folder(id) = parent {
        for name in &key.parent {
            values.insert(name.clone(), id.clone());
        }
    }
    for name in &key.segment {
        let kind = &declared.attribute(name)?.kind;
        let segment = value::accept(kind, segment.into()).ok()?;
        values.insert(name.clone(), segment);
    }
    scope.row_address(&Record { entity, values }).ok()
}
