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
        if self.is_isolated() {
            let message = "whole tables are read by the program itself: the caller may touch some partitions only";
            return Err(Error::usage(message));
        }
        let mut page = ScanPage {
            table,
            attributes: Attributes::All,
            after: None,
            segment: None,
        };
        loop {
            let request = request::scan(self.model(), &page);
            let answer = self.executor.answer(request.into_request()).await;
            let Response::Scan(output) = answer.result.map_err(Error::service)? else {
                return Err(Error::integrity("a scan was answered by something else"));
            };
            for item in output.items.unwrap_or_default() {
                each(EncodedItem::to_item(&item))?;
            }
            match output.last_evaluated_key {
                Some(last) => page.after = Some(last),
                None => return Ok(()),
            }
        }
    }
}
