//! Which rows a read shows: not those being deleted, buried or expired, only those of the tenant, and only those the
//! caller may see.

use super::tenancy::{self, belonging};
use super::{Omitted, StoredRow, buried_ends};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::{Record, is_buried};
use crate::rights::Gate;
use crate::scope::Scope;
use monotable_item::{AttributeValue, EncodedItem, Number};
use monotable_model::model::EntityId;

/// The rows that are shown.
pub(crate) async fn see_alive(
    reader: &Reader<'_>,
    rows: Vec<StoredRow>,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let own = own_and_alive(reader, rows).await?;
    see_rows(reader, own, omitted).await
}

/// The rows that are the tenant's, and neither being deleted nor buried nor expired.
pub(super) async fn own_and_alive<F: AsRef<StoredRow>>(
    reader: &Reader<'_>,
    rows: Vec<F>,
) -> Result<Vec<F>, Interrupt> {
    let buried = buried_ends::find(reader, &rows).await?;
    let mut alive = rows;
    alive
        .retain(|found| is_alive(reader, found.as_ref()) && !buried.are_of(reader, found.as_ref()));
    belonging::own(reader, alive).await
}

/// The rows that the caller may see, also those that are buried.
pub(crate) async fn see_rows(
    reader: &Reader<'_>,
    rows: Vec<StoredRow>,
    omitted: &mut Omitted,
) -> Result<Vec<Allowed<StoredRow>>, Interrupt> {
    let (shown, hidden) = Gate::new(reader).see(rows).await?;
    omitted.hidden += hidden;
    Ok(shown)
}

/// Whether a row is the tenant's and neither being deleted nor buried nor expired.
pub(super) fn is_alive(scope: &Scope, found: &StoredRow) -> bool {
    !is_going(scope, &found.record, &found.item) && is_kept(scope, found)
}

/// Whether a row is the tenant's and neither buried nor expired.
pub(super) fn is_kept(scope: &Scope, found: &StoredRow) -> bool {
    let StoredRow { record, item } = found;
    tenancy::owns(scope, found) && !has_tombstone(scope, record) && !is_expired(scope, record, item)
}

/// Whether a delete of the row has begun.
fn is_going(scope: &Scope, record: &Record, item: &EncodedItem) -> bool {
    let mark = scope.profile(record.entity).deleting.as_ref();
    mark.is_some_and(|mark| item.view().get(mark).is_some())
}

/// A row that is being deleted is refused, and says so.
pub(super) fn refuse_going(
    scope: &Scope,
    record: &Record,
    item: &EncodedItem,
    address: &Address,
) -> Result<(), Interrupt> {
    if !is_going(scope, record, item) {
        return Ok(());
    }
    let mention = scope.mention(record.entity, address);
    Err(Error::being_deleted(scope.name(record.entity), mention).into())
}

/// Whether the row has its tombstone.
pub(crate) fn has_tombstone(scope: &Scope, record: &Record) -> bool {
    is_buried(scope.entity(record.entity), &record.values)
}

/// Whether the row's time has come, deleted or not.
fn is_expired(scope: &Scope, record: &Record, item: &EncodedItem) -> bool {
    let stored = |name: &str| item.view().get(name).map(|value| value.to_value());
    has_expired(scope, record.entity, stored)
}

/// Whether the time has come that a row has in the table's `ttl` attribute. Then it is not there, deleted or not.
pub(crate) fn has_expired(
    scope: &Scope,
    entity: EntityId,
    stored: impl FnOnce(&str) -> Option<AttributeValue>,
) -> bool {
    let table = scope.model().table(scope.entity(entity).table);
    let now = || Number::from(scope.circumstances.now_micros.div_euclid(1_000_000));
    table.ttl.as_ref().is_some_and(
        |ttl| matches!(stored(&ttl.value), Some(AttributeValue::N(expires)) if expires <= now()),
    )
}
