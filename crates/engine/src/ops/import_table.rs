//! ImportTable.

use super::create_backup::label;
use super::restore_table_from_backup::add_table;
use super::{Execute, create_table, import_description};
use crate::catalog::{
    Catalog, CatalogRows, Ids, ImportCounts, ImportDefinition, ImportId, ImportRequest,
    ImportState, TableOrigin, to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{
    Error, ImportFormat, ImportTable, ImportTableInput, ImportTableOutput, InputFormat,
    ValidImportTable,
};
use std::sync::Arc;

impl Execute for ImportTable {
    /// The table is there at once, and can be used when the background has read everything.
    fn start(core: &Arc<Core>, input: ImportTableInput) -> Result<Step<ImportTableOutput>, Error> {
        let valid = input.validate()?;
        if core.published.buckets.is_none() {
            return Err(wording::no_buckets());
        }
        let now = core.now_millis();
        let random = core.entropy.next();
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let answer = |import: &ImportDefinition| ImportTableOutput {
                import_table_description: Some(import_description::describe(import, &region)),
            };
            let request = request(&valid);
            match known(group.catalog(), &request) {
                Ok(None) => {}
                Ok(Some(import)) => return Ok(Ok(answer(&import))),
                Err(error) => return Ok(Err(error)),
            }
            let name = valid.table.table.as_str().to_owned();
            if group.catalog().get(&name).is_some() {
                return Ok(Err(wording::table_exists(&name)));
            }
            let import = begin(group, valid, request, (now, random), &region)?;
            housekeeper.wake();
            let answer = answer(&import);
            store(group, import)?;
            Ok(Ok(answer))
        });
        Ok(Step::Table(pending))
    }
}

fn request(valid: &ValidImportTable) -> ImportRequest {
    ImportRequest {
        token: valid.token.clone(),
        source: valid.source.clone(),
        format: match valid.format {
            ImportFormat::DynamodbJson => InputFormat::DynamodbJson,
            ImportFormat::Csv { .. } => InputFormat::Csv,
        },
        options: valid.options.clone(),
        compression: valid.compression,
        parameters: valid.parameters.clone(),
    }
}

/// The import that the same request asked for before.
fn known(
    catalog: &Catalog,
    request: &ImportRequest,
) -> Result<Option<Arc<ImportDefinition>>, Error> {
    let Some(token) = &request.token else {
        return Ok(None);
    };
    let mut imports = catalog.imports();
    match imports.find(|import| import.request.token.as_ref() == Some(token)) {
        None => Ok(None),
        Some(import) if import.request == *request => Ok(Some(Arc::clone(import))),
        Some(_) => Err(wording::import_token_taken()),
    }
}

/// Makes the table, and the import that fills it.
fn begin(
    group: &mut Group<'_>,
    valid: ValidImportTable,
    request: ImportRequest,
    (now, random): (u64, u128),
    region: &str,
) -> Result<ImportDefinition, StoreFault> {
    let mut ids = Ids::load(group)?;
    let id = ImportId(ids.take());
    ids.store(group);
    let uuid = create_table::uuid(random);
    let mut definition = create_table::define(group, valid.table, uuid, now)?;
    definition.origin = Some(TableOrigin::Import(id));
    let import = ImportDefinition {
        id,
        label: label(now, random),
        request,
        table: definition.name.clone(),
        table_id: definition.id,
        table_uuid: definition.uuid.clone(),
        started: now,
        ended: None,
        state: ImportState::InProgress,
        rest: None,
        records: 0,
        counts: ImportCounts::default(),
    };
    add_table(group, definition, region)?;
    Ok(import)
}

/// Writes the definition of an import, and puts it into the group's catalog.
fn store(group: &mut Group<'_>, import: ImportDefinition) -> Result<(), StoreFault> {
    let row = CatalogRows::import(import.id);
    group.write(Space::Meta, row, Some(to_row(&import)?));
    let catalog = group.catalog().with_import(import);
    group.set_catalog(catalog);
    Ok(())
}
