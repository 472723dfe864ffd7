//! DescribeGlobalTableSettings.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeGlobalTableSettings, DescribeGlobalTableSettingsInput,
    DescribeGlobalTableSettingsOutput, Error,
};
use std::sync::Arc;

impl Execute for DescribeGlobalTableSettings {
    fn start(
        _core: &Arc<Core>,
        input: DescribeGlobalTableSettingsInput,
    ) -> Result<Step<DescribeGlobalTableSettingsOutput>, Error> {
        let name = input.validate()?.table;
        Err(wording::no_global_table_settings(name.as_str()))
    }
}
