//! The row whose whole key another row holds.

use super::parameters::Parameters;
use super::{StoredRow, tenancy};
use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::model::{Access, KeyPlace};
use monotable_model::span::Name;

/// The row that a pointer leads to; none if there is no pointer, or it leads to another tenant's.
pub(super) async fn row(
    reader: &Reader<'_>,
    access: &Access,
    attributes: &[Name],
    given: &Parameters,
    consistent: bool,
) -> Result<Option<StoredRow>, Interrupt> {
    // Of rows that a pattern went through before some may point nowhere.
    let Some(address) = address(reader, access, attributes, given) else {
        return Ok(None);
    };
    if !may_lead_to(reader, access, &address) || address.check().is_err() {
        return Ok(None);
    }
    let item = reader.get(&address, consistent).await?;
    Ok(item.and_then(|item| {
        let record = reader.decode_view(address.table, item.view())?;
        Some(StoredRow { record, item })
    }))
}

fn address(
    scope: &Scope,
    access: &Access,
    attributes: &[Name],
    given: &Parameters,
) -> Option<Address> {
    let table = scope.entity(*access.returns.first()?).table;
    let mut parts = attributes
        .iter()
        .map(|name| match given.values.get(&name.value) {
            Some(AttributeValue::S(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        });
    let hash = parts.next()??;
    let range = match scope.model().table(table).range {
        Some(_) => Some(parts.next()??),
        None => None,
    };
    Some(Address { table, hash, range })
}

/// A key that somebody gives is not asked for unless it can be the tenant's.
fn may_lead_to(scope: &Scope, access: &Access, address: &Address) -> bool {
    let global = access.returns.iter().any(|id| {
        let entity = scope.entity(*id);
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        let mut keys = entity.keys.iter().chain(layouts);
        keys.any(|key| key.place == KeyPlace::Primary && key.global)
    });
    global || tenancy::is_own(scope, &address.hash)
}
