//! Rows whose key does not say whose they are: an entity of tenants that has, in one of its layouts, keys without their
//! prefix. Such a row is of the tenant that has the rows it belongs to.

use super::{addresses, is_global, names_tenant};
use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::record::StoredRow;
use crate::scope::Scope;
use monotable_item::{EncodedItem, Item, ValueView};
use monotable_model::model::{Key, OnDelete};

/// The rows that belong to the tenant.
pub(in crate::read) async fn own<F: AsRef<StoredRow>>(
    reader: &Reader<'_>,
    rows: Vec<F>,
) -> Result<Vec<F>, Interrupt> {
    if !rows.iter().any(|found| is_unsaid(reader, found.as_ref())) {
        return Ok(rows);
    }
    let mut wanted: Vec<Vec<Address>> = Vec::with_capacity(rows.len());
    for found in &rows {
        let found = found.as_ref();
        wanted.push(if is_unsaid(reader, found) {
            owners_of_row(reader, &found.record)
        } else {
            Vec::new()
        });
    }
    let all: Vec<Address> = wanted.iter().flatten().cloned().collect();
    let mut owners = reader.get_many(&all, false).await?.into_iter();
    let mut kept = Vec::new();
    for (found, addresses) in rows.into_iter().zip(wanted) {
        let there = owners.by_ref().take(addresses.len());
        let missing = there.filter(Option::is_none).count();
        if missing == 0 && !(addresses.is_empty() && is_unsaid(reader, found.as_ref())) {
            kept.push(found);
        }
    }
    Ok(kept)
}

/// Whether a row stands under a key without a prefix, although other rows of its entity have one.
pub(in crate::read) fn is_unsaid(scope: &Scope, found: &StoredRow) -> bool {
    let entity = scope.entity(found.record.entity);
    if scope.model().tenant.is_none() || entity.layouts.is_empty() {
        return false;
    }
    let shared = |key: &Key| key.global && !key.hash.parts.iter().any(names_tenant);
    let keeps_apart = addresses(entity).any(|(_, key)| !key.global);
    keeps_apart
        && addresses(entity).any(|(table, key)| {
            let hash = &scope.model().table(table).hash.value;
            match found.item.view().get(hash) {
                Some(ValueView::S(hash)) if shared(key) => is_global(scope, found, key, hash),
                _ => false,
            }
        })
}

/// Whether a stored row stands under a key that does not say whose it is.
pub(crate) fn is_row_unsaid(scope: &Scope, record: &Record, item: &Item) -> bool {
    let found = StoredRow {
        record: record.clone(),
        item: EncodedItem::from(item),
    };
    is_unsaid(scope, &found)
}

/// Where the rows are that a row goes with.
pub(crate) fn owners_of_row(scope: &Scope, record: &Record) -> Vec<Address> {
    let entity = scope.entity(record.entity);
    let references = entity.attributes.iter().filter_map(|attribute| {
        let reference = attribute.reference.as_ref()?;
        let id = record.values.get(&attribute.name.value)?;
        let owned = reference.on_delete == OnDelete::Cascade && !reference.many;
        owned.then(|| scope.target_address(record, reference.target, id))?
    });
    references.collect()
}
