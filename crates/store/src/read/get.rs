//! One row by its key.

use super::tenancy::belonging;
use super::{StoredRow, visible};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::boxed_future::box_future;
use crate::error::Error;
use crate::find::elsewhere::find_elsewhere;
use crate::find::place_of_key;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::rights::Gate;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::EntityId;

/// What a caller sees at a place.
pub(crate) enum Sight {
    /// The row.
    Row(Allowed<Record>),
    /// A row that is there, and not for this caller.
    Hidden,
    /// Nothing: no row of this entity, or one that is deleted, expired or another tenant's.
    Gone,
}

/// The row with this key; one that the caller may not see is not there.
pub(crate) async fn get(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
    consistent: bool,
) -> Result<Allowed<Record>, Interrupt> {
    let mut address = place_of_key(reader, entity, key).await?;
    let mut item = reader.get(&address, consistent).await?;
    if item.is_none()
        && let Some(found) = box_future(|| find_elsewhere(reader, entity, key)).await?
    {
        item = Some(EncodedItem::from(found.item));
        address = found.address;
    }
    match look(reader, entity, &address, item).await? {
        Sight::Row(record) => Ok(record),
        Sight::Hidden | Sight::Gone => {
            let mention = reader.mention(entity, &address);
            Err(Error::not_found(reader.name(entity), mention).into())
        }
    }
}

/// What a caller sees of an item that was read at a place where a row of an entity is expected.
pub(crate) async fn look(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
    item: Option<EncodedItem>,
) -> Result<Sight, Interrupt> {
    let Some(row) = item.and_then(|item| read_row(reader, entity, address, item)) else {
        return Ok(Sight::Gone);
    };
    // First who asks: also that a row is being deleted is told only to those who may see it.
    let Some(found) = Gate::see_stored(reader, row).await? else {
        return Ok(Sight::Hidden);
    };
    visible::refuse_going(reader, &found.record, &found.item, address)?;
    if !visible::is_kept(reader, &found) {
        return Ok(Sight::Gone);
    }
    if !belonging::is_unsaid(reader, &found) {
        return Ok(Sight::Row(found.into_record()));
    }
    let own = box_future(|| belonging::own(reader, vec![found])).await?;
    let found = own.into_iter().next();
    Ok(found.map_or(Sight::Gone, |found| Sight::Row(found.into_record())))
}

/// An item as a row of the entity that is expected there; none if it is something else.
fn read_row(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
    item: EncodedItem,
) -> Option<StoredRow> {
    let found = reader.decode_expected(address.table(), Some(entity), item.view());
    let record = found.filter(|record| record.entity == entity)?;
    Some(StoredRow { record, item })
}
