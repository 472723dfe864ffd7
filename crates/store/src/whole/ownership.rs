//! Which rows of a table a repair may write: those of its own tenant.

use crate::address::Address;
use crate::error::Error;
use crate::read::{RowTenant, owners_of_row, tenant_of_row};
use crate::record::Record;
use crate::record::StoredRow;
use crate::scope::Scope;
use crate::store::Store;
use monotable_item::{EncodedItem, Item};

/// A row that was met in a scan.
pub(super) struct ScannedRow {
    pub(super) address: Address,
    pub(super) record: Record,
    pub(super) item: Item,
    tenant: RowTenant,
}

impl ScannedRow {
    /// A row that may be of the scope's tenant; none if it says that it is another's.
    pub(super) fn new(scope: &Scope, address: Address, record: Record, item: Item) -> Option<Self> {
        let found = StoredRow {
            item: EncodedItem::from(&item),
            record: record.clone(),
        };
        let tenant = tenant_of_row(scope, &address, &found);
        // What is nobody's is mended by those without a prefix.
        let is_open = match tenant {
            RowTenant::Own | RowTenant::Unsaid => true,
            RowTenant::Nobody => scope.addressing().prefix().is_empty(),
            RowTenant::Other => false,
        };
        is_open.then_some(Self {
            address,
            record,
            item,
            tenant,
        })
    }
}

impl Store {
    /// Whether a row is of the scope's tenant. One that does not say it is of the tenant that has the rows it goes with;
    /// if it goes with none, it is nobody's to write.
    pub(super) async fn owns(&self, scope: &Scope, row: &ScannedRow) -> Result<bool, Error> {
        if row.tenant != RowTenant::Unsaid {
            return Ok(true);
        }
        let owners = owners_of_row(scope, &row.record);
        for address in &owners {
            if self.stored(scope, address).await?.is_none() {
                return Ok(false);
            }
        }
        Ok(!owners.is_empty())
    }
}
