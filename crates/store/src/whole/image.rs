//! Items as streams show them, without a caller and in any tenant.

use super::verify::{Content, Tenants};
use crate::row::{Row, mask_secrets};
use crate::store::Store;
use monotable_item::Item;
use monotable_model::model::TableId;

/// The row that an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The row, without secrets and what is the store's own.
    pub row: Row,
    /// Whose it is, in a model with tenants; none if it is nobody's or does not say.
    pub tenant: Option<String>,
}

impl Store {
    /// The row that an item is; none if it is a guard, or the model does not know it. The table is named as in the model or as in
    /// DynamoDB; if none is named, it is the first one that knows the item. It is for programs that read streams: no
    /// right is asked.
    #[must_use]
    pub fn read_image(&self, table: Option<&str>, item: &Item) -> Option<Image> {
        let mut tenants = Tenants::new(self);
        let tables: Vec<TableId> = self
            .model()
            .tables()
            .filter(|(_, known)| {
                table.is_none_or(|name| known.physical == name || known.name.value == name)
            })
            .map(|(id, _)| id)
            .collect();
        tables.into_iter().find_map(|table| {
            let located = tenants.locate(table, item)?;
            let Content::Row {
                record,
                says_tenant,
                ..
            } = located.content
            else {
                return None;
            };
            let entity = self.model().entity(record.entity);
            let tenant = located.scope.circumstances.tenant.clone();
            Some(Image {
                row: Row {
                    entity: entity.name.value.clone(),
                    values: mask_secrets(entity, record.values),
                },
                tenant: tenant.filter(|_| says_tenant && self.model().tenant.is_some()),
            })
        })
    }
}
