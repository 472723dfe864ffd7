//! The row whose whole key another row holds.

use super::StoredRow;
use crate::address::{Address, KeyTexts};
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
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
    let item = reader.get(&address, consistent).await?;
    Ok(item.and_then(|item| {
        let record = reader.decode_view(address.table(), item.view())?;
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
    let partition = parts.next()??;
    let sort = match scope.model().table(table).range {
        Some(_) => Some(parts.next()??),
        None => None,
    };
    let texts = KeyTexts { partition, sort };
    let may_be_shared = may_be_shared(scope, access);
    scope
        .addressing()
        .locate_pointer(table, texts, may_be_shared)
        .ok()
}

/// Whether rows of the pattern may be for all tenants. Other keys are not asked for unless they can be the tenant's.
fn may_be_shared(scope: &Scope, access: &Access) -> bool {
    access.returns.iter().any(|id| {
        let entity = scope.entity(*id);
        let layouts = entity.layouts.iter().flat_map(|layout| &layout.keys);
        let mut keys = entity.keys.iter().chain(layouts);
        keys.any(|key| key.place == KeyPlace::Primary && key.global)
    })
}
