//! DescribeExport.

use super::{Execute, export_description};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{DescribeExport, DescribeExportInput, DescribeExportOutput, Error};
use std::sync::Arc;

impl Execute for DescribeExport {
    fn start(
        core: &Arc<Core>,
        input: DescribeExportInput,
    ) -> Result<Step<DescribeExportOutput>, Error> {
        let arn = input.validate()?.export;
        let catalog = core.published.catalog.load();
        let mut exports = catalog.exports();
        let found =
            exports.find(|export| export.label == arn.id() && export.request.table == arn.table());
        let export = found.ok_or_else(|| wording::export_not_found(arn.as_str()))?;
        Ok(Step::Done(DescribeExportOutput {
            export_description: Some(export_description::describe(export, &core.region)),
        }))
    }
}
