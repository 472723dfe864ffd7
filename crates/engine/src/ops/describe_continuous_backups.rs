//! DescribeContinuousBackups.

use super::{Execute, continuous_backups};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeContinuousBackups, DescribeContinuousBackupsInput, DescribeContinuousBackupsOutput,
    Error,
};
use std::sync::Arc;

impl Execute for DescribeContinuousBackups {
    fn start(
        core: &Arc<Core>,
        input: DescribeContinuousBackupsInput,
    ) -> Result<Step<DescribeContinuousBackupsOutput>, Error> {
        let name = input.validate()?.table;
        let catalog = core.published.catalog.load();
        let table = catalog
            .get(name.as_str())
            .ok_or_else(|| wording::source_table_not_found(name.as_str()))?;
        let description =
            continuous_backups::describe(table.definition.recovery, core.now_millis());
        Ok(Step::Done(DescribeContinuousBackupsOutput {
            continuous_backups_description: Some(description),
        }))
    }
}
