//! Every item of a table.

use crate::error::Error;
use crate::store::Store;
use monotable_api::{Request, Response, ScanInput};
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
        let name = &self.model().table(table).physical;
        let mut input = ScanInput::new(name.clone()).consistent();
        loop {
            let request = Request::Scan(input.clone());
            let answer = self.executor.answer(request).await;
            let Response::Scan(output) = answer.result.map_err(Error::service)? else {
                return Err(Error::integrity("a scan was answered by something else"));
            };
            for item in output.items.unwrap_or_default() {
                each(EncodedItem::to_item(&item))?;
            }
            match output.last_evaluated_key {
                Some(last) => input.exclusive_start_key = Some(last.into()),
                None => return Ok(()),
            }
        }
    }
}
