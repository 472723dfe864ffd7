//! A model on the DynamoDB that a command names.

use super::watched::Watched;
use crate::exit::{Failure, note};
use crate::target::{OpenTarget, Place, Target, TargetArguments};
use monotable_api::{Dynamo, DynamoExt, ListTablesInput};
use monotable_engine::Engine;
use monotable_model::model::Model;
use monotable_store::Store;
use std::path::PathBuf;
use std::sync::Arc;

/// What a command does with the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It uses what is there: a store that is not there is a mistyped name.
    Old,
    /// It makes what is missing.
    New,
    /// It writes nothing: without a store, an empty one in memory will do.
    Pretended,
}

/// A model on a DynamoDB.
pub(crate) struct Opened {
    pub(crate) store: Store,
    /// What the store sends its requests to.
    pub(crate) dynamo: Arc<dyn Dynamo>,
    /// As messages call it.
    pub(crate) place: Place,
    directory: Option<PathBuf>,
}

impl Opened {
    /// For an operation. An embedded store gets the tables of the model if they are missing.
    pub(crate) async fn open(
        model: Model,
        target: TargetArguments,
        usage: Use,
    ) -> Result<Self, Failure> {
        let opened = Self::connect(model, target.resolve()?, usage, Watched::short).await?;
        opened.with_tables(usage).await
    }

    /// For work that may take long.
    pub(crate) async fn open_long(
        model: Model,
        target: TargetArguments,
        usage: Use,
    ) -> Result<Self, Failure> {
        let opened = Self::connect(model, target.resolve()?, usage, Watched::long).await?;
        opened.with_tables(usage).await
    }

    /// Another target than the usual one, with the tables of the model.
    pub(crate) async fn open_target(model: Model, target: Target) -> Result<Self, Failure> {
        let opened = Self::connect(model, target, Use::New, Watched::short).await?;
        opened.store.make_tables().await?;
        Ok(opened)
    }

    /// Without making tables.
    pub(crate) async fn open_bare(model: Model, target: TargetArguments) -> Result<Self, Failure> {
        Self::connect(model, target.resolve()?, Use::New, Watched::short).await
    }

    /// A store that is there, with the tables that it has: none is made or compared.
    pub(crate) async fn open_as_it_is(
        model: Model,
        target: TargetArguments,
    ) -> Result<Self, Failure> {
        let opened = Self::connect(model, target.resolve()?, Use::Old, Watched::long).await?;
        if opened.directory.is_some() {
            opened.refuse_strange_store().await?;
        }
        Ok(opened)
    }

    /// To say what would be made: nothing is, and an embedded store that is not there is empty.
    pub(crate) async fn open_to_plan(
        model: Model,
        target: TargetArguments,
    ) -> Result<Self, Failure> {
        let target = target.resolve()?;
        if let Some(directory) = target.absent() {
            let place = Place::Store(directory.to_owned());
            let engine = Engine::in_memory().map_err(Failure::configuration)?;
            let dynamo = Watched::short(Arc::new(engine));
            return Ok(Self::of(model, Arc::new(dynamo), place, None));
        }
        Self::connect(model, target, Use::Old, Watched::short).await
    }

    /// An empty store in memory.
    pub(crate) async fn in_memory(model: Model) -> Result<Self, Failure> {
        let engine = Engine::in_memory().map_err(Failure::configuration)?;
        let place = Place::Memory;
        let opened = Self::of(
            model,
            Arc::new(Watched::short(Arc::new(engine))),
            place,
            None,
        );
        opened.store.setup().await?;
        Ok(opened)
    }

    async fn connect(
        model: Model,
        target: Target,
        usage: Use,
        watched: fn(Arc<dyn Dynamo>) -> Watched,
    ) -> Result<Self, Failure> {
        let directory = target.directory().map(ToOwned::to_owned);
        if usage == Use::Pretended
            && let Some(directory) = target.absent()
        {
            let place = Place::Store(directory.to_owned());
            note(format_args!(
                "there is nothing in {place} yet; an empty store in memory stands for it"
            ));
            return Self::in_memory(model).await;
        }
        let target = target.tried_once();
        let OpenTarget {
            dynamo,
            place,
            lacks,
        } = match usage {
            Use::New => target.open_or_create().await?,
            Use::Old | Use::Pretended => target.open().await?,
        };
        let opened = Self::of(model, Arc::new(watched(dynamo)), place, directory);
        lacks.refuse(&opened.store).await?;
        Ok(opened)
    }

    fn of(model: Model, dynamo: Arc<dyn Dynamo>, place: Place, directory: Option<PathBuf>) -> Self {
        Self {
            store: Store::new(model, Arc::clone(&dynamo)),
            dynamo,
            place,
            directory,
        }
    }

    async fn with_tables(self, usage: Use) -> Result<Self, Failure> {
        // A model that does not fit the rows there is refused when it writes: reading tells what is wrong.
        if self.directory.is_some() && usage != Use::Pretended {
            if usage == Use::Old {
                self.refuse_strange_store().await?;
            }
            self.store.make_tables().await?;
        }
        Ok(self)
    }

    /// A store that has tables, and none of this model, is that of another one: nothing of it is read as if it were empty.
    async fn refuse_strange_store(&self) -> Result<(), Failure> {
        let input = ListTablesInput::default();
        let found = self.dynamo.list_tables(input).await;
        let found = found.map_err(Failure::from)?.table_names;
        let model = self.store.model();
        let mut wanted = model.tables().map(|(_, table)| &table.physical);
        if found.is_empty() || wanted.any(|wanted| found.contains(wanted)) {
            return Ok(());
        }
        Err(Failure::configuration(format_args!(
            "{} has no table of the model `{}`; it has {}",
            self.place,
            model.name,
            found.join(", ")
        ))
        .help("name the model that the store was made with, or another store; `monotable setup` makes the tables"))
    }
}
