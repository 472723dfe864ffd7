//! The mark on a row that is being deleted.

use crate::address::Address;
use crate::error::Error;
use crate::execute::unexpected;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::request::{self, Clauses, ItemWrite, WriteVerb};
use crate::sending::Answer;
use monotable_api::{Error as ServiceError, Response};
use monotable_item::Item;
use monotable_model::model::EntityId;

/// Marks a row: from now on it is refused to reads and new references.
pub(in crate::write) async fn set_mark(
    reader: &Reader<'_>,
    entity: EntityId,
    address: &Address,
) -> Result<(), Interrupt> {
    let Some(mark) = &reader.profile(entity).deleting else {
        return Ok(());
    };
    let table = reader.model().table(address.table());
    let names = [
        ("#mark".to_owned(), mark.clone()),
        ("#pk".to_owned(), table.hash.value.clone()),
    ];
    let write = ItemWrite {
        address,
        verb: WriteVerb::Update("SET #mark = if_not_exists(#mark, :now)".to_owned()),
        clauses: Clauses {
            condition: Some("attribute_exists(#pk)".to_owned()),
            names: names.into(),
            values: Item::new().with(":now", reader.circumstances.now_text()),
        },
    };
    let request = || request::write(reader.model(), write.clone());
    let Answer { result, .. } = reader.steps.call(request).await;
    match result {
        Ok(Response::UpdateItem(_)) => Ok(()),
        Ok(other) => Err(unexpected(&other).into()),
        Err(ServiceError::ConditionalCheckFailedException { .. }) => {
            Err(Error::not_found(reader.name(entity), reader.mention(entity, address)).into())
        }
        Err(error) => Err(Error::service(error).into()),
    }
}
