//! The tables of a model, made if they are not there.

use super::repair::RepairMode;
use super::table_settings::{AppliedSettings, list_settings, view_type};
use crate::error::Error;
use crate::store::Store;
use monotable_api::{
    CreateTableInput, DescribeTableInput, DynamoExt, Error as ServiceError, GlobalSecondaryIndex,
    IndexProjection, LocalSecondaryIndex, ScalarAttributeType, StreamSpecification,
    TableDescription, TableStatus,
};
use monotable_model::model::{KeyKind, Model, Projection, TableId};
use std::time::Duration;

/// A table that setup looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupReport {
    /// Its name in DynamoDB.
    pub table: String,
    /// It was not there before.
    pub new: bool,
    /// Settings that the table has now, and had not before, such as its time to live.
    pub changed: Vec<&'static str>,
    /// What the model asks for and the target does not have.
    pub lacks: Vec<&'static str>,
}

/// How often a table is looked at until it is active.
const LOOKS: u32 = 240;

impl Store {
    /// Makes the tables and indexes that are missing, and the store's own item. A table that is there and differs from the
    /// model is an error, and so are rows that were written with other key templates.
    pub async fn setup(&self) -> Result<Vec<SetupReport>, Error> {
        let made = self.make_tables().await?;
        self.compare_templates_anew().await?;
        Ok(made)
    }

    /// Says what [`Store::setup`] would make, and writes nothing. Rows that were written with other key templates are not
    /// looked for.
    pub async fn plan_setup(&self) -> Result<Vec<SetupReport>, Error> {
        let mut planned = Vec::new();
        for (id, table) in self.model().tables() {
            let found = self.described(&table.physical).await?;
            let settings = match &found {
                Some(found) => {
                    compare(&request(self.model(), id), found)?;
                    self.apply_settings(table, RepairMode::Plan).await?
                }
                None => AppliedSettings {
                    changed: list_settings(table),
                    lacking: Vec::new(),
                },
            };
            planned.push(SetupReport {
                table: table.physical.clone(),
                new: found.is_none(),
                changed: settings.changed,
                lacks: settings.lacking,
            });
        }
        Ok(planned)
    }

    /// Makes the tables and indexes that are missing. What is stored in those that are there is not looked at.
    pub async fn make_tables(&self) -> Result<Vec<SetupReport>, Error> {
        let mut made = Vec::new();
        for (id, _) in self.model().tables() {
            made.push(self.make(id).await?);
        }
        Ok(made)
    }

    async fn make(&self, table: TableId) -> Result<SetupReport, Error> {
        let name = self.model().table(table).physical.clone();
        let wanted = request(self.model(), table);
        let mut lacks = Vec::new();
        let new = match self.described(&name).await? {
            Some(found) => {
                compare(&wanted, &found)?;
                false
            }
            None => match self.executor.dynamo().create_table(wanted.clone()).await {
                Err(error) if lacks_streams(&wanted, &error) => {
                    lacks.push("stream");
                    let plain = CreateTableInput {
                        stream_specification: None,
                        ..wanted
                    };
                    created(self.executor.dynamo().create_table(plain).await)?
                }
                result => created(result)?,
            },
        };
        for _ in 0..LOOKS {
            let found = self.described(&name).await?;
            if found.is_some_and(|found| found.table_status == Some(TableStatus::Active)) {
                break;
            }
            self.executor.pause(Duration::from_millis(250)).await;
        }
        let settings = self
            .apply_settings(self.model().table(table), RepairMode::Write)
            .await?;
        lacks.extend(settings.lacking);
        lacks.dedup();
        Ok(SetupReport {
            table: name,
            new,
            changed: settings.changed,
            lacks,
        })
    }

    async fn described(&self, name: &str) -> Result<Option<TableDescription>, Error> {
        match self
            .executor
            .dynamo()
            .describe_table(DescribeTableInput::new(name))
            .await
        {
            Ok(output) => Ok(output.table),
            Err(ServiceError::ResourceNotFoundException { .. }) => Ok(None),
            Err(error) => Err(Error::service(error)),
        }
    }
}

/// Whether a table was made; somebody else may have been faster.
fn created<T>(result: Result<T, ServiceError>) -> Result<bool, Error> {
    match result {
        Ok(_) => Ok(true),
        Err(ServiceError::ResourceInUseException { .. }) => Ok(false),
        Err(error) => Err(Error::service(error)),
    }
}

/// Whether a target refuses a table for its stream alone. Nothing else of a model needs one.
fn lacks_streams(wanted: &CreateTableInput, error: &ServiceError) -> bool {
    wanted.stream_specification.is_some()
        && matches!(error, ServiceError::ValidationException { message } if message.contains("StreamSpecification"))
}

/// The keys of a table that exists must be the model's.
fn compare(wanted: &CreateTableInput, found: &TableDescription) -> Result<(), Error> {
    let name = wanted.table_name.as_deref().unwrap_or_default();
    if wanted.key_schema != found.key_schema {
        return Err(Error::integrity(format!(
            "table `{name}` exists with another key than the model's; nothing was changed"
        )));
    }
    let known = |name: &Option<String>| {
        let mut indexes = found.global_secondary_indexes.iter().flatten();
        indexes.find(|index| index.index_name == *name)
    };
    for index in wanted.global_secondary_indexes.iter().flatten() {
        let named = index.index_name.as_deref().unwrap_or_default();
        let Some(known) = known(&index.index_name) else {
            return Err(Error::integrity(format!(
                "table `{name}` exists without the index `{named}` of the model; nothing was changed"
            )));
        };
        if known.key_schema != index.key_schema {
            return Err(Error::integrity(format!(
                "table `{name}` has the index `{named}` with another key than the model's; nothing was changed"
            )));
        }
    }
    Ok(())
}

fn request(model: &Model, id: TableId) -> CreateTableInput {
    let table = model.table(id);
    let kind = |attribute: &str| match model.key_kind(id, attribute) {
        KeyKind::Number => ScalarAttributeType::N,
        KeyKind::Text => ScalarAttributeType::S,
    };
    let hash = &table.hash.value;
    let mut input = CreateTableInput::new(&table.physical, hash, kind(hash));
    let mut declared = vec![hash.as_str()];
    if let Some(range) = &table.range {
        input = input.range(&range.value, kind(&range.value));
        declared.push(&range.value);
    }
    for index in &table.indexes {
        for name in index.attributes() {
            if !declared.contains(&name.value.as_str()) {
                declared.push(&name.value);
                input = input.attribute(&name.value, kind(&name.value));
            }
        }
        let projection = match &index.projection {
            Projection::All => IndexProjection::all(),
            Projection::Keys => IndexProjection::keys_only(),
            Projection::Include(names) => IndexProjection::include(names.clone()),
        };
        match (&index.range, index.local) {
            (Some(range), true) => {
                let local =
                    LocalSecondaryIndex::new(&index.physical, &index.hash.value, &range.value);
                input = input.local_index(local.projection(projection));
            }
            (range, _) => {
                let mut global = GlobalSecondaryIndex::new(&index.physical, &index.hash.value);
                for name in &index.further.hash {
                    global = global.hash(&name.value);
                }
                for name in range.iter().chain(&index.further.range) {
                    global = global.range(&name.value);
                }
                input = input.global_index(global.projection(projection));
            }
        }
    }
    if let Some(stream) = table.stream {
        input.stream_specification = Some(StreamSpecification {
            stream_enabled: Some(true),
            stream_view_type: Some(view_type(stream).into()),
        });
    }
    input
}
