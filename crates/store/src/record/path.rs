//! Attributes that are paths, and the entities that their folders and leaves are.

use super::Record;
use monotable_item::AttributeValue;
use monotable_model::model::{Entity, Part, Path, Source};

/// How an entity of a path says where it is: the attribute with the parent's id, and the one with the segment.
pub(crate) struct PathNames<'e> {
    pub(crate) parent: &'e str,
    pub(crate) segment: &'e str,
}

/// The names that a folder or a leaf has for its parent and its segment: what its partition key and its sort key show.
pub(crate) fn path_names(entity: &Entity) -> Option<PathNames<'_>> {
    let key = entity.primary()?;
    let first = |parts: &'_ [Part]| -> Option<String> {
        parts.iter().find_map(|part| match part {
            Part::Field(field) => field.sources.iter().find_map(|source| match source {
                Source::Path {
                    root: None, names, ..
                } => names.first().map(|name| name.value.clone()),
                _ => None,
            }),
            Part::Literal(_) => None,
        })
    };
    let own = |name: String| {
        let attribute = entity.attribute(&name)?;
        Some(attribute.name.value.as_str())
    };
    let parent = first(&key.hash.parts).and_then(own)?;
    let segment = key.range.as_ref().and_then(|range| first(&range.parts));
    Some(PathNames {
        parent,
        segment: segment.and_then(own)?,
    })
}

/// The segments of the path of a row; nothing if it has none.
pub(crate) fn path_segments(path: &Path, row: &Record) -> Vec<String> {
    match row.values.get(&path.attribute.value) {
        Some(AttributeValue::S(text)) => text
            .split(path.split.as_str())
            .filter(|segment| !segment.is_empty())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}
