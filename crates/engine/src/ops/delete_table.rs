//! DeleteTable.

use super::{Execute, description};
use crate::catalog::{CatalogRows, DropJob, to_row};
use crate::engine::Core;
use crate::step::Step;
use crate::store::Space;
use crate::wording;
use monotable_api::{DeleteTable, DeleteTableInput, DeleteTableOutput, Error};
use std::sync::Arc;

impl Execute for DeleteTable {
    /// The definition goes at once; the rows follow in the background.
    fn start(core: &Arc<Core>, input: DeleteTableInput) -> Result<Step<DeleteTableOutput>, Error> {
        let valid = input.validate()?;
        let region = core.region.clone();
        // Not the core itself: the committer must never be the last to hold it.
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let name = valid.table.as_str();
            let Some(table) = group.catalog().get(name).map(Arc::clone) else {
                return Ok(Err(wording::named_table_not_found(name)));
            };
            if table.definition.deletion_protection {
                return Ok(Err(wording::table_is_protected()));
            }
            let job = DropJob {
                table: table.id,
                indexes: table.indexes.iter().map(|index| index.id).collect(),
            };
            group.write(Space::Meta, CatalogRows::table(name), None);
            group.write(
                Space::Meta,
                CatalogRows::dropped(table.id),
                Some(to_row(&job)?),
            );
            let catalog = group.catalog().without(name);
            group.set_catalog(catalog);
            housekeeper.wake();
            Ok(Ok(DeleteTableOutput {
                table_description: Some(description::describe_deleted(&table, &region)),
            }))
        });
        Ok(Step::Table(pending))
    }
}
