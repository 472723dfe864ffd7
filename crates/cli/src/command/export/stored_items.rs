//! The items of a table, page by page.

use crate::exit::Failure;
use monotable_api::{DynamoExt, ScanInput};
use monotable_item::Item;
use monotable_model::model::TableId;
use monotable_store::Store;

/// The items of a table of a store, without the store's own.
pub(super) struct StoredItems<'s> {
    store: &'s Store,
    table: TableId,
    /// What the next page is asked with; none after the last one.
    input: Option<ScanInput>,
}

impl<'s> StoredItems<'s> {
    pub(super) fn new(store: &'s Store, table: TableId) -> Self {
        let mut input = ScanInput::new(&store.model().table(table).physical);
        input.consistent_read = Some(true);
        Self {
            store,
            table,
            input: Some(input),
        }
    }

    /// The next items, maybe none; nothing after the last page.
    pub(super) async fn next_page(&mut self) -> Result<Option<Vec<Item>>, Failure> {
        let Some(mut input) = self.input.take() else {
            return Ok(None);
        };
        let sender = self.store.sender();
        let page = sender.scan(input.clone()).await.map_err(Failure::from)?;
        if let Some(key) = page.last_evaluated_key {
            input.exclusive_start_key = Some(key.into());
            self.input = Some(input);
        }
        let items = page.items.unwrap_or_default();
        let items = items.iter().map(|item| item.to_item());
        let items = items.filter(|item| !self.store.is_own_item(self.table, item));
        Ok(Some(items.collect()))
    }
}
