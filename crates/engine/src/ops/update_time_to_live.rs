//! UpdateTimeToLive. It holds at once, where AWS takes up to an hour; expired items go in the background.

use super::Execute;
use crate::catalog::{CatalogRows, TableDefinition, to_row};
use crate::engine::Core;
use crate::step::Step;
use crate::store::Space;
use crate::wording;
use monotable_api::{
    Error, TimeToLiveSpecification, UpdateTimeToLive, UpdateTimeToLiveInput,
    UpdateTimeToLiveOutput, ValidUpdateTimeToLive,
};
use std::sync::Arc;

impl Execute for UpdateTimeToLive {
    fn start(
        core: &Arc<Core>,
        input: UpdateTimeToLiveInput,
    ) -> Result<Step<UpdateTimeToLiveOutput>, Error> {
        let valid = input.validate()?;
        // Not the core itself: the committer must never be the last to hold it.
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let name = valid.table.as_str();
            let Some(table) = group.catalog().get(name).map(Arc::clone) else {
                return Ok(Err(wording::named_table_not_found(name)));
            };
            if !table.is_filled() {
                return Ok(Err(wording::table_is_created(name)));
            }
            let mut definition = table.definition.clone();
            if let Err(error) = change(&mut definition, &valid) {
                return Ok(Err(error));
            }
            let row = to_row(&definition)?;
            group.write(Space::Meta, CatalogRows::table(name), Some(row));
            let catalog = group.catalog().with(table.redefined(definition));
            group.set_catalog(catalog);
            housekeeper.wake();
            Ok(Ok(UpdateTimeToLiveOutput {
                time_to_live_specification: Some(TimeToLiveSpecification {
                    enabled: Some(valid.enabled),
                    attribute_name: Some(valid.attribute),
                }),
            }))
        });
        Ok(Step::Table(pending))
    }
}

fn change(definition: &mut TableDefinition, valid: &ValidUpdateTimeToLive) -> Result<(), Error> {
    match (&definition.time_to_live, valid.enabled) {
        (Some(known), _) if *known != valid.attribute => Err(wording::other_time_to_live(known)),
        (Some(_), true) => Err(wording::time_to_live_is(true)),
        (None, false) => Err(wording::time_to_live_is(false)),
        (Some(_), false) => {
            definition.time_to_live = None;
            Ok(())
        }
        (None, true) => {
            definition.time_to_live = Some(valid.attribute.clone());
            Ok(())
        }
    }
}
