//! ListExports.

use super::transfer_list::{Page, Transfers, page};
use super::{Execute, export_description};
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, ListExports, ListExportsInput, ListExportsOutput};
use std::sync::Arc;

impl Execute for ListExports {
    fn start(core: &Arc<Core>, input: ListExportsInput) -> Result<Step<ListExportsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let table = valid.table.as_ref();
        let wanted = catalog.exports().filter(|export| {
            table.is_none_or(|table| core.scope.names(table, &export.request.table))
        });
        let wanted = wanted.map(|export| {
            let summary = export_description::summarize(export, &core.region);
            (export.label.clone(), summary)
        });
        let token = valid.start.as_deref();
        let Page { elements, next } = page(Transfers::Exports, wanted, token, valid.limit)?;
        Ok(Step::Done(ListExportsOutput {
            export_summaries: elements,
            next_token: next,
        }))
    }
}
