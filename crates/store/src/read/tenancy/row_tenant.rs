//! Whose a stored row is, for operations that read whole tables and meet the rows of all tenants.
//!
//! A row is only ever written again in its own tenant: what it gives, its index keys above all, begins with that tenant's
//! prefix.

use super::belonging::is_unsaid;
use super::{addresses, is_global, names_tenant};
use crate::address::Address;
use crate::caller::tenant_names;
use crate::record::StoredRow;
use crate::scope::Scope;
use monotable_item::{AttributeValue, ValueView};
use monotable_model::model::{Key, KeyPlace};

/// Whose a row is, as seen by one tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowTenant {
    /// This tenant's.
    Own,
    /// Another tenant's.
    Other,
    /// Nobody's: no key of the entity has a tenant's prefix.
    Nobody,
    /// The row does not say it.
    Unsaid,
}

/// Whose a row is: what its partition key says; of a row in a partition for all tenants what its attribute for the tenant
/// says, and else the prefixes of its index keys.
pub(crate) fn tenant_of_row(scope: &Scope, address: &Address, found: &StoredRow) -> RowTenant {
    if scope.model().tenant.is_none() {
        return RowTenant::Own;
    }
    let entity = scope.entity(found.record.entity);
    if is_unsaid(scope, found) {
        return RowTenant::Unsaid;
    }
    let mut own_keys = addresses(entity).filter(|(table, _)| *table == address.table());
    if !own_keys.any(|(_, key)| key.global) {
        return own_if(scope.addressing().is_own(address.partition_key()));
    }
    tenant_in_key(scope, address, found)
        .or_else(|| tenant_in_attribute(scope, found))
        .or_else(|| tenant_in_index_keys(scope, found))
        .unwrap_or_else(|| {
            if entity.keys.iter().all(|key| key.global) {
                RowTenant::Nobody
            } else {
                RowTenant::Unsaid
            }
        })
}

const fn own_if(is_own: bool) -> RowTenant {
    if is_own {
        RowTenant::Own
    } else {
        RowTenant::Other
    }
}

/// What a key says that shows the tenant after its first text.
fn tenant_in_key(scope: &Scope, address: &Address, found: &StoredRow) -> Option<RowTenant> {
    let entity = scope.entity(found.record.entity);
    let shows_tenant = |key: &Key| key.hash.parts.iter().any(names_tenant);
    let mut keys = addresses(entity)
        .filter(|(table, key)| *table == address.table() && shows_tenant(key))
        .peekable();
    keys.peek()?;
    let is_own = keys.any(|(_, key)| is_global(scope, found, key, address.partition_key()));
    Some(own_if(is_own))
}

fn tenant_in_attribute(scope: &Scope, found: &StoredRow) -> Option<RowTenant> {
    let tenant = scope.model().tenant.as_ref()?;
    let own = scope.circumstances.tenant.as_ref().or(tenant.bare.as_ref());
    let entity = scope.entity(found.record.entity);
    tenant_names(entity).find_map(|name| match found.record.values.get(name) {
        Some(AttributeValue::S(said)) => Some(own_if(Some(said) == own)),
        _ => None,
    })
}

fn tenant_in_index_keys(scope: &Scope, found: &StoredRow) -> Option<RowTenant> {
    let entity = scope.entity(found.record.entity);
    let table = scope.model().table(entity.table);
    entity.keys.iter().find_map(|key| {
        let KeyPlace::Index(position) = key.place else {
            return None;
        };
        let name = &table.indexes.get(position)?.hash.value;
        match found.item.view().get(name) {
            Some(ValueView::S(hash)) if !key.global => {
                Some(own_if(scope.addressing().is_own(hash)))
            }
            _ => None,
        }
    })
}
