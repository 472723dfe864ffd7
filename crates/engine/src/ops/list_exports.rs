//! ListExports.

use super::transfer_list::{Page, page};
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
        let wanted = catalog
            .exports()
            .filter(|export| table.is_none_or(|table| table.as_str() == export.request.table));
        let wanted = wanted.map(|export| {
            let summary = export_description::summarize(export, &core.region);
            (export.label.clone(), summary)
        });
        let Page { elements, next } = page(wanted, valid.start.as_deref(), valid.limit);
        Ok(Step::Done(ListExportsOutput {
            export_summaries: elements,
            next_token: next,
        }))
    }
}
