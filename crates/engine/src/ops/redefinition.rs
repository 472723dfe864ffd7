//! Changes of what is kept about a table beside its items.

use crate::catalog::{CatalogRows, Table, TableDefinition, to_row};
use crate::engine::Core;
use crate::step::Step;
use crate::store::Space;
use monotable_api::{Error, TableName};
use std::sync::Arc;

/// What a change makes of a definition.
pub(super) enum Redefined<O> {
    /// Another definition, and the answer.
    Changed(Box<TableDefinition>, O),
    /// The definition stays.
    Same(O),
}

/// Changes the definition of a table, or refuses to.
pub(super) fn start<O: Send + 'static>(
    core: &Core,
    name: TableName,
    missing: impl FnOnce(&TableName) -> Error + Send + 'static,
    change: impl FnOnce(&Table) -> Result<Redefined<O>, Error> + Send + 'static,
) -> Step<O> {
    let pending = core.committer.submit(move |group| {
        let Some(table) = group.catalog().get(name.as_str()).map(Arc::clone) else {
            return Ok(Err(missing(&name)));
        };
        let (definition, output) = match change(&table) {
            Ok(Redefined::Changed(definition, output)) => (definition, output),
            Ok(Redefined::Same(output)) => return Ok(Ok(output)),
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
