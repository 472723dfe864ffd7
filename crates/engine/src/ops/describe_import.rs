//! DescribeImport.

use super::{Execute, import_description};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{DescribeImport, DescribeImportInput, DescribeImportOutput, Error};
use std::sync::Arc;

impl Execute for DescribeImport {
    fn start(
        core: &Arc<Core>,
        input: DescribeImportInput,
    ) -> Result<Step<DescribeImportOutput>, Error> {
        let arn = input.validate()?.import;
        let catalog = core.published.catalog.load();
        let mut imports = catalog.imports();
        let found = imports.find(|import| import.label == arn.id() && import.table == arn.table());
        let import = found.ok_or_else(|| wording::import_not_found(arn.as_str()))?;
        Ok(Step::Done(DescribeImportOutput {
            import_table_description: Some(import_description::describe(import, &core.region)),
        }))
    }
}
