//! The tables of a model: made if they are not there, and brought up to date if they are.
//!
//! A table is compared with the model first; what is different is a plan, which can be shown, and carried out one request
//! after another. AWS makes one index of a table at a time, so each is waited for.

mod difference;
mod indexes;
mod ownership;
mod settings;
mod wanted;

use super::repair::RepairMode;
use crate::error::Error;
use crate::store::Store;
use difference::IndexDifference;
use monotable_api::{
    CreateTableInput, DescribeTableInput, DynamoExt, Error as ServiceError, TableDescription,
    TableStatus,
};
use monotable_model::model::TableId;
use settings::{AppliedSettings, list_settings};
use std::fmt;
use std::time::Duration;
use wanted::create_request;

/// A table that setup looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupReport {
    /// Its name in DynamoDB.
    pub table: String,
    /// It was not there before.
    pub new: bool,
    /// What was done about the indexes of a table that was there before.
    pub indexes: Vec<IndexChange>,
    /// Settings that the table has now, and had not before, such as its time to live.
    pub changed: Vec<&'static str>,
    /// What the model asks for and the target does not have.
    pub lacks: Vec<&'static str>,
    /// Indexes that the table has and the model does not know. They cost writes, and nothing of the model reads them.
    pub unknown_indexes: Vec<String>,
}

impl SetupReport {
    /// Whether the table was as the model wants it.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        !self.new && self.indexes.is_empty() && self.changed.is_empty()
    }

    /// Whether an index was dropped.
    #[must_use]
    pub fn drops(&self) -> bool {
        let mut indexes = self.indexes.iter();
        indexes.any(|change| {
            matches!(
                change.kind,
                IndexChangeKind::Replaced(_) | IndexChangeKind::Dropped
            )
        })
    }
}

/// What is done about an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexChange {
    /// Its name in DynamoDB.
    pub index: String,
    /// What is done.
    pub kind: IndexChangeKind,
}

/// What is done about an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexChangeKind {
    /// It is made.
    Added,
    /// Somebody has it made, and it is waited for.
    Awaited,
    /// It is dropped and made anew, for this reason.
    Replaced(&'static str),
    /// It is dropped: the model does not know it.
    Dropped,
}

/// How far setup goes with tables that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupScope {
    /// Their indexes are not touched: another index than the model's is an error.
    NewTables,
    /// They get the indexes that they lack.
    Additions,
    /// Beside that, indexes that differ are made anew, and those that the model does not know are dropped.
    Everything,
}

/// What setup waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupProgress<'p> {
    /// The table.
    pub table: &'p str,
    /// The index that is made or dropped; none for the table itself.
    pub index: Option<&'p str>,
    /// How long it has been waited for.
    pub waited: Duration,
}

impl fmt::Display for SetupProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.table)?;
        if let Some(index) = self.index {
            write!(f, ": index {index}")?;
        }
        write!(f, ": waiting, {} s", self.waited.as_secs())
    }
}

/// Is told what setup waits for.
pub type SetupWatch<'w> = &'w (dyn Fn(SetupProgress<'_>) + Send + Sync);

/// Time between two looks at what is waited for: the first ones, and the later ones of something that takes long.
const SHORT_PAUSE: Duration = Duration::from_millis(250);
const LONG_PAUSE: Duration = Duration::from_secs(5);
/// From then on it takes long.
const LONG: Duration = Duration::from_secs(20);
/// How long a table may take until it is active. Indexes take as long as they take.
const PATIENCE: Duration = Duration::from_secs(600);

/// What is to be done about a table.
struct TablePlan {
    wanted: CreateTableInput,
    is_new: bool,
    indexes: IndexDifference,
}

impl Store {
    /// Makes the tables and indexes that are missing, and the store's own item. A table that is there and differs from the
    /// model in any other way is an error, and so are rows that were written with other key templates.
    pub async fn setup(&self) -> Result<Vec<SetupReport>, Error> {
        self.setup_within(SetupScope::Additions, &|_| {}).await
    }

    /// Brings the tables up to date as far as the scope allows, and makes the store's own item. All tables are compared
    /// before the first one is changed.
    pub async fn setup_within(
        &self,
        scope: SetupScope,
        watch: SetupWatch<'_>,
    ) -> Result<Vec<SetupReport>, Error> {
        self.probe_target().await?;
        let made = self.bring_up_to_date(scope, watch).await?;
        self.compare_templates_anew().await?;
        Ok(made)
    }

    /// Says what [`Store::setup_within`] would do, and writes nothing. Rows that were written with other key templates are not
    /// looked for.
    pub async fn plan_setup(&self, scope: SetupScope) -> Result<Vec<SetupReport>, Error> {
        self.probe_target().await?;
        let mut planned = Vec::new();
        for (id, table) in self.model().tables() {
            let plan = self.plan_table(id, scope).await?;
            let settings = if plan.is_new {
                AppliedSettings {
                    changed: list_settings(table),
                    lacking: Vec::new(),
                }
            } else {
                self.apply_settings(table, RepairMode::Plan, &|_| {})
                    .await?
            };
            planned.push(report(plan, table.physical.clone(), settings));
        }
        Ok(planned)
    }

    /// Makes the tables and indexes that are missing, and leaves everything else: also what the store remembers of key templates, so
    /// that programs of an older version of the model go on.
    pub async fn add_indexes(&self, watch: SetupWatch<'_>) -> Result<Vec<SetupReport>, Error> {
        self.probe_target().await?;
        self.bring_up_to_date(SetupScope::Additions, watch).await
    }

    /// Makes the tables that are missing, with their indexes. What is stored in those that are there is not looked at.
    pub async fn make_tables(&self) -> Result<Vec<SetupReport>, Error> {
        self.bring_up_to_date(SetupScope::NewTables, &|_| {}).await
    }

    async fn bring_up_to_date(
        &self,
        scope: SetupScope,
        watch: SetupWatch<'_>,
    ) -> Result<Vec<SetupReport>, Error> {
        let mut plans = Vec::new();
        for (id, _) in self.model().tables() {
            plans.push((id, self.plan_table(id, scope).await?));
        }
        let mut made = Vec::new();
        for (id, plan) in plans {
            made.push(self.carry_out_plan(id, plan, watch).await?);
        }
        Ok(made)
    }

    async fn plan_table(&self, id: TableId, scope: SetupScope) -> Result<TablePlan, Error> {
        let wanted = create_request(self.model(), id);
        let found = self.described(&self.model().table(id).physical).await?;
        let indexes = match &found {
            Some(found) => IndexDifference::new(&wanted, found, scope)?,
            None => IndexDifference::default(),
        };
        Ok(TablePlan {
            wanted,
            is_new: found.is_none(),
            indexes,
        })
    }

    async fn carry_out_plan(
        &self,
        id: TableId,
        mut plan: TablePlan,
        watch: SetupWatch<'_>,
    ) -> Result<SetupReport, Error> {
        let table = self.model().table(id);
        let name = &table.physical;
        let mut lacks = Vec::new();
        if plan.is_new {
            let (is_made, lacking) = self.create_table(&plan.wanted).await?;
            plan.is_new = is_made;
            lacks.extend(lacking);
        }
        self.await_active(name, watch).await?;
        // Billing comes first: an index that is made is paid for as its table is.
        let settings = self.apply_settings(table, RepairMode::Write, watch).await?;
        for change in &plan.indexes.changes {
            self.change_index(id, &plan.wanted, change, watch).await?;
        }
        lacks.extend(settings.lacking.iter().copied());
        lacks.dedup();
        let report = report(plan, name.clone(), settings);
        Ok(SetupReport { lacks, ..report })
    }

    /// Makes a table: whether it was this program that did, and what the target lacks.
    async fn create_table(
        &self,
        wanted: &CreateTableInput,
    ) -> Result<(bool, Option<&'static str>), Error> {
        let dynamo = self.executor.dynamo();
        match dynamo.create_table(wanted.clone()).await {
            Err(error) if lacks_streams(wanted, &error) => {
                let plain = CreateTableInput {
                    stream_specification: None,
                    ..wanted.clone()
                };
                let is_made = created(dynamo.create_table(plain).await)?;
                Ok((is_made, Some("stream")))
            }
            result => Ok((created(result)?, None)),
        }
    }

    /// Waits until a table takes requests that change it.
    async fn await_active(&self, name: &str, watch: SetupWatch<'_>) -> Result<(), Error> {
        let mut waited = Duration::ZERO;
        while waited < PATIENCE {
            let found = self.described(name).await?;
            if found.is_some_and(|found| found.table_status == Some(TableStatus::Active)) {
                return Ok(());
            }
            waited += self.wait(name, None, waited, watch).await;
        }
        Err(Error::integrity(format!(
            "table `{name}` is not active after {} seconds; look at it with `monotable table describe {name}`, and run setup again when it is",
            PATIENCE.as_secs()
        )))
    }

    /// Waits a little, and says for what; how long it was.
    async fn wait(
        &self,
        table: &str,
        index: Option<&str>,
        waited: Duration,
        watch: SetupWatch<'_>,
    ) -> Duration {
        watch(SetupProgress {
            table,
            index,
            waited,
        });
        let pause = if waited < LONG {
            SHORT_PAUSE
        } else {
            LONG_PAUSE
        };
        self.executor.pause(pause).await;
        pause
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

fn report(plan: TablePlan, table: String, settings: AppliedSettings) -> SetupReport {
    SetupReport {
        table,
        new: plan.is_new,
        indexes: plan.indexes.changes,
        changed: settings.changed,
        lacks: settings.lacking,
        unknown_indexes: plan.indexes.unknown,
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
