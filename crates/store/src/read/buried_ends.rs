//! Relations of rows that were deleted and are kept.
//!
//! A tombstone hides its row. A relation that leads to the row, or from it, would name a row that nobody sees, so it is
//! hidden too, and comes back with the row. Ends that stand in what was read anyway are not asked for again.

use super::{StoredRow, visible};
use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::{Record, reference_values};
use crate::scope::Scope;
use std::collections::BTreeSet;

/// Where the rows with tombstones stand that some relations lead to, or from.
#[derive(Debug, Default)]
pub(super) struct BuriedEnds(BTreeSet<Address>);

impl BuriedEnds {
    /// Whether a row is a relation with such an end.
    pub(super) fn are_of(&self, scope: &Scope, found: &StoredRow) -> bool {
        !self.0.is_empty()
            && list_ends(scope, &found.record)
                .iter()
                .any(|end| self.0.contains(end))
    }
}

/// Finds the ends of relations among these rows that have a tombstone.
pub(super) async fn find<F: AsRef<StoredRow>>(
    reader: &Reader<'_>,
    rows: &[F],
) -> Result<BuriedEnds, Interrupt> {
    let ends: BTreeSet<Address> = rows
        .iter()
        .flat_map(|found| list_ends(reader, &found.as_ref().record))
        .collect();
    if ends.is_empty() {
        return Ok(BuriedEnds::default());
    }
    let mut unread = ends;
    let mut buried = BuriedEnds::default();
    for found in rows.iter().map(AsRef::as_ref) {
        let table = reader.entity(found.record.entity).table;
        let place = reader.addressing().locate_view(table, found.item.view());
        if let Some(place) = place.and_then(|place| unread.take(&place))
            && visible::has_tombstone(reader, &found.record)
        {
            buried.0.insert(place);
        }
    }
    let unread: Vec<_> = unread.into_iter().collect();
    let items = match unread.as_slice() {
        [] => Vec::new(),
        unread => reader.get_many(unread, true).await?,
    };
    for (place, item) in unread.into_iter().zip(items) {
        let record = item.and_then(|item| reader.decode_view(place.table(), item.view()));
        if record.is_some_and(|record| visible::has_tombstone(reader, &record)) {
            buried.0.insert(place);
        }
    }
    Ok(buried)
}

/// Where the ends of a relation stand, as far as they can have tombstones; nothing for other rows.
fn list_ends(scope: &Scope, record: &Record) -> Vec<Address> {
    let entity = scope.entity(record.entity);
    let Some(relation) = &entity.relation else {
        return Vec::new();
    };
    let ends = [&relation.from, &relation.to].into_iter();
    let attributes = ends.filter_map(|name| entity.attribute(&name.value));
    let places = attributes.flat_map(|attribute| {
        let reference = attribute.reference.as_ref();
        let target = reference.map(|reference| reference.target);
        let target = target.filter(|target| !scope.entity(*target).tombstone.is_empty());
        let ids = reference_values(attribute, record);
        ids.into_iter()
            .filter_map(move |id| scope.target_address(record, target?, &id))
    });
    places.collect()
}
