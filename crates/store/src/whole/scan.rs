//! Every item of a table.

use crate::error::Error;
use crate::request::{self, Attributes, ScanPage};
use crate::store::Store;
use monotable_api::Response;
use monotable_item::{EncodedItem, Item};
use monotable_model::model::TableId;

impl Store {
    /// Reads a table strongly, page by page, and hands every item on.
    pub(super) async fn scan(
        &self,
        table: TableId,
        mut each: impl FnMut(Item) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut after = None;
        loop {
            let (items, next) = self.scan_page(whole_page(table, after)).await?;
            for item in items {
                each(item.to_item())?;
            }
            after = next;
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// One page of a table, and the key behind which the next one begins. A caller that may touch some partitions only reads no
    /// whole table.
    pub(super) async fn scan_page(
        &self,
        page: ScanPage,
    ) -> Result<(Vec<EncodedItem>, Option<EncodedItem>), Error> {
        if self.is_isolated() {
            let message = "whole tables are read by the program itself: the caller may touch some partitions only";
            return Err(Error::usage(message));
        }
        let request = request::scan(self.model(), &page);
        let answer = self.executor.answer(request.into_request()).await;
        let Response::Scan(output) = answer.result.map_err(Error::service)? else {
            return Err(Error::integrity("a scan was answered by something else"));
        };
        Ok((output.items.unwrap_or_default(), output.last_evaluated_key))
    }
}

/// A page of a table that is read from one end to the other.
pub(super) const fn whole_page(table: TableId, after: Option<EncodedItem>) -> ScanPage {
    ScanPage {
        table,
        attributes: Attributes::All,
        after,
        segment: None,
    }
}
