//! What a SELECT returns and looks at, held against what an index holds.

use crate::catalog::{Index, IndexKind};
use crate::ops::paged::Relation;
use crate::ops::partiql::read_range::{self, ReadRange};
use crate::page::Shape;
use crate::wording;
use monotable_api::Error;
use monotable_expr::partiql::Columns;
use monotable_expr::tree::Predicate;

/// A global index has no attributes but those that it holds.
pub(super) fn check_columns(
    relation: Relation<'_>,
    columns: Option<&Columns>,
) -> Result<(), Error> {
    let (Some((_, index)), Some(columns)) = (relation.index, columns) else {
        return Ok(());
    };
    if index.kind == IndexKind::Local {
        return Ok(());
    }
    let mut missing: Vec<&str> = Vec::new();
    for path in columns.paths() {
        let name = path.attribute();
        if !index.holds(name) && !missing.contains(&name) {
            missing.push(name);
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(wording::not_projected(&index.name, &missing.join(", ")))
    }
}

/// Refuses reads of partitions of an index whose filters look at attributes that the index does not hold. AWS refuses
/// them only if the filter of every read does, and names those of the last.
pub(super) fn check_filters(relation: Relation<'_>, reads: &mut [ReadRange]) -> Result<(), Error> {
    let Some((_, index)) = relation.index else {
        return Ok(());
    };
    if reads.iter().any(|read| read.partition.is_none()) {
        return Ok(());
    }
    reads.sort_by(read_range::compare);
    let mut last = Vec::new();
    for read in reads.iter() {
        last = missing_attributes(index, read.filter.as_ref());
        if last.is_empty() {
            return Ok(());
        }
    }
    if last.is_empty() {
        return Ok(());
    }
    Err(wording::filter_not_projected(&index.name, &last))
}

/// The attributes that a filter looks at and an index does not hold, in the order in which AWS lists them.
fn missing_attributes(index: &Index, filter: Option<&Predicate>) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    if let Some(filter) = filter {
        filter.for_each_path(&mut |path| {
            let name = path.attribute();
            if !index.holds(name) && !missing.iter().any(|known| known == name) {
                missing.push(name.to_owned());
            }
        });
    }
    missing.sort_by_key(|name| bucket(name));
    missing
}

/// The bucket of a text in a Java set of a few texts, which is where AWS keeps them.
fn bucket(text: &str) -> u32 {
    let hash = text.encode_utf16().fold(0u32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(unit.into())
    });
    (hash ^ (hash >> 16)) & 15
}

/// What to return of each item, and whether the index lacks some of it.
pub(super) fn shape(relation: Relation<'_>, columns: Option<Columns>) -> (Shape, bool) {
    let Some(columns) = columns else {
        return (Shape::Whole, false);
    };
    let lacks = relation.index.is_some_and(|(_, index)| {
        let mut paths = columns.paths();
        paths.any(|path| !index.holds(path.attribute()))
    });
    (Shape::Columns(columns), lacks)
}
