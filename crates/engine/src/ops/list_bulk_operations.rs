//! ListBulkOperations.

use super::transfer_list::{Page, Transfers, page};
use super::{Execute, bulk_description};
use crate::engine::Core;
use crate::housekeeping::BULK_OPERATIONS_LISTED;
use crate::step::Step;
use monotable_api::{Error, ListBulkOperations, ListBulkOperationsInput, ListBulkOperationsOutput};
use std::sync::Arc;

impl Execute for ListBulkOperations {
    fn start(
        core: &Arc<Core>,
        input: ListBulkOperationsInput,
    ) -> Result<Step<ListBulkOperationsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let now = core.now_millis();
        let listed = catalog
            .bulk_operations()
            .filter(|operation| operation.started.saturating_add(BULK_OPERATIONS_LISTED) >= now);
        let listed = listed.map(|operation| {
            let summary = bulk_description::summarize(operation, &core.region);
            (operation.label.clone(), summary)
        });
        let token = valid.start.as_deref();
        let Page { elements, next } = page(Transfers::BulkOperations, listed, token, valid.limit)?;
        Ok(Step::Done(ListBulkOperationsOutput {
            bulk_operations_summary_list: elements,
            next_token: next,
        }))
    }
}
