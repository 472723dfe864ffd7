//! The tables of a model, made if they are not there.

use crate::error::Error;
use crate::store::Store;
use monotable_api::{
    CreateTableInput, DescribeTableInput, DynamoExt, Error as ServiceError, GlobalSecondaryIndex,
    IndexProjection, LocalSecondaryIndex, ScalarAttributeType, StreamSpecification, StreamViewType,
    TableDescription, TableStatus,
};
use monotable_model::model::{Model, Projection, Stream, Table};
use std::time::Duration;

/// A table that setup looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupReport {
    /// Its name in DynamoDB.
    pub table: String,
    /// It was not there before.
    pub new: bool,
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

    /// Makes the tables and indexes that are missing. What is stored in those that are there is not looked at.
    pub async fn make_tables(&self) -> Result<Vec<SetupReport>, Error> {
        let mut made = Vec::new();
        for table in &self.model().tables {
            made.push(self.make(table).await?);
        }
        Ok(made)
    }

    async fn make(&self, table: &Table) -> Result<SetupReport, Error> {
        let name = table.physical.clone();
        let wanted = request(self.model(), table);
        let mut lacks = Vec::new();
        let new = match self.described(&name).await? {
            Some(found) => {
                compare(&wanted, &found)?;
                false
            }
            None => match self.executor.dynamo.create_table(wanted.clone()).await {
                Err(error) if lacks_streams(&wanted, &error) => {
                    lacks.push("stream");
                    let plain = CreateTableInput {
                        stream_specification: None,
                        ..wanted
                    };
                    created(self.executor.dynamo.create_table(plain).await)?
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
        let table = name;
        Ok(SetupReport { table, new, lacks })
    }

    async fn described(&self, name: &str) -> Result<Option<TableDescription>, Error> {
        match self
            .executor
            .dynamo
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
    let known = found.global_secondary_indexes.iter().flatten();
    let known: Vec<_> = known.filter_map(|index| index.index_name.clone()).collect();
    let missing = wanted
        .global_secondary_indexes
        .iter()
        .flatten()
        .find(|index| {
            let name = index.index_name.clone().unwrap_or_default();
            !known.contains(&name)
        });
    match missing.and_then(|index| index.index_name.as_ref()) {
        Some(index) => Err(Error::integrity(format!(
            "table `{name}` exists without the index `{index}` of the model; nothing was changed"
        ))),
        None => Ok(()),
    }
}

fn request(model: &Model, table: &Table) -> CreateTableInput {
    let kind = |attribute: &str| key_kind(model, attribute);
    let hash = &table.hash.value;
    let mut input = CreateTableInput::new(&table.physical, hash, kind(hash));
    let mut declared = vec![hash.as_str()];
    if let Some(range) = &table.range {
        input = input.range(&range.value, kind(&range.value));
        declared.push(&range.value);
    }
    for index in &table.indexes {
        for name in std::iter::once(&index.hash).chain(&index.range) {
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
                if let Some(range) = range {
                    global = global.range(&range.value);
                }
                input = input.global_index(global.projection(projection));
            }
        }
    }
    if let Some(stream) = table.stream {
        let view = match stream {
            Stream::NewAndOld => StreamViewType::NewAndOldImages,
            Stream::New => StreamViewType::NewImage,
            Stream::Old => StreamViewType::OldImage,
            Stream::Keys => StreamViewType::KeysOnly,
        };
        input.stream_specification = Some(StreamSpecification {
            stream_enabled: Some(true),
            stream_view_type: Some(view.into()),
        });
    }
    input
}

/// What a key attribute holds: text, unless entities store a number under that name.
fn key_kind(model: &Model, attribute: &str) -> ScalarAttributeType {
    let number = model.stored().any(|(_, entity)| {
        let mut attributes = entity.attributes.iter();
        attributes.any(|known| known.stored == attribute && known.kind.is_number())
    });
    if number {
        ScalarAttributeType::N
    } else {
        ScalarAttributeType::S
    }
}
