//! One row by its key.

use super::tenancy::belonging;
use super::{StoredRow, visible};
use crate::error::Error;
use crate::record::Record;
use crate::session::{Interrupt, Session};
use crate::write::may_see;
use monotable_item::Item;
use monotable_model::model::EntityId;

/// The row with this key; one that the caller may not see is not there.
pub(crate) async fn get(
    session: &Session,
    entity: EntityId,
    key: &Item,
    consistent: bool,
) -> Result<Record, Interrupt> {
    let address = session.address(entity, key)?;
    let item = session.get(&address, consistent).await?;
    let missing = || Error::not_found(session.name(entity), session.shown(entity, &address));
    let item = item.ok_or_else(missing)?;
    let found = session.decode_view(address.table, item.view());
    let record = found
        .filter(|record| record.entity == entity)
        .ok_or_else(missing)?;
    // First who asks: also that a row is being deleted is told only to those who may see it.
    if session.guarded && may_see(session, std::slice::from_ref(&record)).await? != [true] {
        return Err(missing().into());
    }
    visible::refuse_going(session, &record, &item, &address)?;
    let found = StoredRow { record, item };
    if !visible::is_alive(session, &found) {
        return Err(missing().into());
    }
    if !belonging::is_unsaid(session, &found) {
        return Ok(found.record);
    }
    let own = belonging::own(session, vec![found]).await?;
    let found = own.into_iter().next();
    found
        .map(|found| found.record)
        .ok_or_else(|| missing().into())
}
