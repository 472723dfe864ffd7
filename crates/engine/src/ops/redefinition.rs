//! Changes of what is kept about a table beside its items.

use crate::catalog::{CatalogRows, Table, TableDefinition, to_row};
use crate::engine::Core;
use crate::step::Step;
use crate::store::Space;
use monotable_api::{Error, TableName};
use std::sync::Arc;

/// Changes the definition of a table, or refuses to. What `change` gives is the new definition, and the answer.
pub(super) fn start<O: Send + 'static>(
    core: &Core,
    name: TableName,
    missing: impl FnOnce(&TableName) -> Error + Send + 'static,
    change: impl FnOnce(&Table) -> Result<(Box<TableDefinition>, O), Error> + Send + 'static,
) -> Step<O> {
    let pending = core.committer.submit(move |group| {
        let Some(table) = group.catalog().get(name.as_str()).map(Arc::clone) else {
            return Ok(Err(missing(&name)));
        };
        let (definition, output) = match change(&table) {
            Ok(changed) => changed,
            Err(error) => return Ok(Err(error)),
        };
        let row = to_row(&definition)?;
        group.write(Space::Meta, CatalogRows::table(name.as_str()), Some(row));
        let catalog = group.catalog().with(table.redefined(*definition));
        group.set_catalog(catalog);
        Ok(Ok(output))
    });
    Step::Table(pending)
}
