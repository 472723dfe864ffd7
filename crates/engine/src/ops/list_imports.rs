//! ListImports.

use super::transfer_list::{Page, Transfers, page};
use super::{Execute, import_description};
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, ListImports, ListImportsInput, ListImportsOutput};
use std::sync::Arc;

impl Execute for ListImports {
    fn start(core: &Arc<Core>, input: ListImportsInput) -> Result<Step<ListImportsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let table = valid.table.as_ref();
        let wanted = catalog
            .imports()
            .filter(|import| table.is_none_or(|table| core.scope.names(table, &import.table)));
        let wanted = wanted.map(|import| {
            let summary = import_description::summarize(import, &core.region);
            (import.label.clone(), summary)
        });
        let token = valid.start.as_deref();
        let Page { elements, next } = page(Transfers::Imports, wanted, token, valid.limit)?;
        Ok(Step::Done(ListImportsOutput {
            import_summary_list: elements,
            next_token: next,
        }))
    }
}
