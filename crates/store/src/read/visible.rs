//! Which rows a read shows: not those being deleted, buried or expired, only those of the tenant, and only those the
//! caller may see.

use super::StoredRow;
use super::tenancy::{self, belonging};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::error::Error;
use crate::record::Record;
use crate::rights::Gate;
use crate::session::{Interrupt, Session};
use monotable_item::{AttributeValue, EncodedItem, Number};
use monotable_model::model::Assigned;
use std::sync::atomic::Ordering;

/// The rows that are shown.
pub(crate) async fn only(
    session: &Session,
    rows: Vec<StoredRow>,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let own = own_and_alive(session, rows).await?;
    seen(session, own).await
}

/// The rows that are the tenant's, and neither being deleted nor buried nor expired.
pub(super) async fn own_and_alive<F: AsRef<StoredRow>>(
    session: &Session,
    rows: Vec<F>,
) -> Result<Vec<F>, Interrupt> {
    let mut alive = rows;
    alive.retain(|found| is_alive(session, found.as_ref()));
    belonging::own(session, alive).await
}

/// The rows that the caller may see, also those that are buried.
pub(crate) async fn seen(
    session: &Session,
    rows: Vec<StoredRow>,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let (shown, hidden) = Gate::new(session).see(rows).await?;
    session.hidden.fetch_add(hidden, Ordering::Relaxed);
    Ok(shown)
}

/// Whether a row is the tenant's and neither being deleted nor buried nor expired.
pub(super) fn is_alive(session: &Session, found: &StoredRow) -> bool {
    let StoredRow { record, item } = found;
    tenancy::owns(session, found)
        && !is_going(session, record, item)
        && !has_tombstone(session, record)
        && !is_expired(session, record, item)
}

/// Whether a delete of the row has begun.
fn is_going(session: &Session, record: &Record, item: &EncodedItem) -> bool {
    let mark = session.profile(record.entity).deleting.as_ref();
    mark.is_some_and(|mark| item.view().get(mark).is_some())
}

/// A row that is being deleted is refused, and says so.
pub(super) fn refuse_going(
    session: &Session,
    record: &Record,
    item: &EncodedItem,
    address: &Address,
) -> Result<(), Interrupt> {
    if !is_going(session, record, item) {
        return Ok(());
    }
    let mention = session.mention(record.entity, address);
    Err(Error::being_deleted(session.name(record.entity), mention).into())
}

/// Whether the row has its tombstone.
pub(crate) fn has_tombstone(session: &Session, record: &Record) -> bool {
    let first = session.entity(record.entity).tombstone.first();
    first.is_some_and(|assignment| {
        let value = record.values.get(&assignment.name.value);
        match &assignment.value {
            Assigned::Flag(flag) => value == Some(&AttributeValue::Bool(*flag)),
            Assigned::Number(_) | Assigned::Template(_) => value.is_some(),
        }
    })
}

/// Whether the row's time has come, deleted or not.
fn is_expired(session: &Session, record: &Record, item: &EncodedItem) -> bool {
    let table = session.model().table(session.entity(record.entity).table);
    let now = || Number::from(session.around.now_micros.div_euclid(1_000_000));
    table.ttl.as_ref().is_some_and(|ttl| {
        let expires = item.view().get(&ttl.value).map(|value| value.to_value());
        matches!(expires, Some(AttributeValue::N(expires)) if expires <= now())
    })
}
