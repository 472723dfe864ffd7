//! A model that is being worked on: its file, and the version of it that is served.

use super::changes;
use crate::exit::{Failure, done, note, tell};
use crate::findings::{Findings, Tally};
use crate::model_file::ModelFile;
use crate::mounted_models::refuse_taken_name;
use crate::rows::EnvironmentArguments;
use crate::sample::Sample;
use monotable_api::{DeleteTableInput, DynamoExt, Error};
use monotable_engine::Engine;
use monotable_model::model::Model;
use monotable_store::{SetupScope, Store};
use monotable_workbench::ModelSource;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What may be done about rows that a changed model would not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// They are sample data in memory: they are deleted and made anew.
    Replaceable,
    /// They are somebody's: the model is refused.
    Kept,
}

/// What the other models that are served have.
#[derive(Debug, Default)]
pub(super) struct Others {
    names: BTreeSet<String>,
    /// Their tables, each with the name of a model that has it.
    tables: BTreeMap<String, String>,
}

impl Others {
    /// What the models of these stores have.
    pub(super) fn new<'s>(stores: impl Iterator<Item = &'s Store>) -> Self {
        let mut others = Self::default();
        for store in stores {
            let model = store.model();
            others.names.insert(model.name.clone());
            for (_, table) in model.tables() {
                others
                    .tables
                    .insert(table.physical.clone(), model.name.clone());
            }
        }
        others
    }
}

/// A model that is served.
struct Served {
    text: String,
    store: Store,
}

/// A model that is being worked on.
pub(super) struct Project {
    path: PathBuf,
    environment: EnvironmentArguments,
    seen: Option<Stamp>,
    /// The text that was read last, whether it is served or not.
    text: Option<String>,
    served: Option<Served>,
    /// The name of the model, while another model is served under it.
    taken_name: Option<String>,
}

/// What tells that a file was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Stamp {
    /// None while there is no such file, as between the two steps by which editors replace one.
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            modified: metadata.modified().ok(),
            bytes: metadata.len(),
        })
    }
}

impl Project {
    pub(super) fn new(path: &Path, environment: EnvironmentArguments) -> Self {
        Self {
            path: path.to_owned(),
            environment,
            seen: None,
            text: None,
            served: None,
            taken_name: None,
        }
    }

    /// The version that is served.
    pub(super) fn store(&self) -> Option<&Store> {
        self.served.as_ref().map(|served| &served.store)
    }

    /// The text as it was saved last, under the name of the model that is served.
    pub(super) fn source(&self) -> Option<ModelSource> {
        Some(ModelSource {
            name: self.store()?.model().name.clone(),
            file: self.path.display().to_string(),
            argument: self.path.display().to_string(),
            path: std::path::absolute(&self.path).ok(),
            text: self.text.clone()?,
        })
    }

    /// The name under which the model cannot be served, because another model has it.
    pub(super) fn taken_name(&self) -> Option<&str> {
        self.taken_name.as_deref()
    }

    /// Whether the model is to be read: its file is there and is not the one that was read last, or another model has given up
    /// its name.
    pub(super) fn is_due(&self, others: &Others) -> bool {
        let stamp = Stamp::of(&self.path);
        let is_saved_anew = stamp.is_some() && stamp != self.seen;
        let name = self.taken_name.as_ref();
        is_saved_anew || name.is_some_and(|name| !others.names.contains(name))
    }

    /// Reads and proves the model, says what it found, and makes the version that is to be served if it can be. The others are
    /// those that are served beside it. The answer says what was done, and is to be told once the version is served.
    pub(super) async fn refresh(
        &mut self,
        engine: &Engine,
        rows: Rows,
        others: &Others,
    ) -> Option<String> {
        self.seen = Stamp::of(&self.path);
        self.taken_name = None;
        match self.try_refresh(engine, rows, others).await {
            Ok(news) => news,
            Err(failure) => {
                tell(&failure);
                if self.served.is_some() {
                    note(format_args!(
                        "{} is served as it was before",
                        self.path.display()
                    ));
                }
                None
            }
        }
    }

    async fn try_refresh(
        &mut self,
        engine: &Engine,
        rows: Rows,
        others: &Others,
    ) -> Result<Option<String>, Failure> {
        let file = ModelFile::read(&self.path)?;
        let text = file.text.clone();
        let earlier = self.text.replace(text.clone());
        let served = self.served.as_ref();
        if served.is_some_and(|served| served.text == text) {
            let is_again = || format!("{} is again the model that is served", self.path.display());
            return Ok((earlier != self.text).then(is_again));
        }
        let findings = Findings::of(file);
        findings.show();
        done(format_args!(
            "{}: {}",
            self.path.display(),
            Tally::of(&findings)
        ));
        let Some(mut model) = findings.usable().cloned() else {
            return Err(Failure::configuration("a model with errors is not served"));
        };
        if others.names.contains(&model.name) {
            let failure = refuse_taken_name(&model.name);
            self.taken_name = Some(model.name);
            return Err(failure);
        }
        self.environment.rename_tables(&mut model)?;
        if let Some(served) = &self.served {
            for change in changes::compare(&served.text, &text) {
                done(format_args!("  {change}"));
            }
        }
        let store = Store::new(model, engine.clone());
        let version = Served { text, store };
        self.serve(version, engine, rows, others).await
    }

    /// Makes the tables of a version, and fills them if they are new; says what it has filled them with. Before tables are made or
    /// thrown away, the sample is tried on a store in memory: while it is refused, what is there stays.
    async fn serve(
        &mut self,
        version: Served,
        engine: &Engine,
        rows: Rows,
        others: &Others,
    ) -> Result<Option<String>, Failure> {
        let store = &version.store;
        let planned = store.plan_setup(SetupScope::Additions).await;
        if planned.is_ok_and(|tables| tables.iter().any(|table| table.new)) {
            self.try_sample(store.model()).await?;
        }
        let made = match store.setup().await {
            Ok(made) => made,
            Err(error) if rows == Rows::Replaceable => {
                let dropped = self.list_tables(store.model());
                refuse_shared_tables(&dropped, others, error)?;
                self.try_sample(store.model()).await?;
                note(
                    "the model would not find the rows in memory any more: they are thrown away and made anew from the sample",
                );
                drop_tables(dropped, engine).await?;
                store.setup().await?
            }
            Err(error) => return Err(error.into()),
        };
        let mut news = None;
        if made.iter().any(|table| table.new)
            && let Some(sample) = self.read_sample()?
        {
            let count = sample.apply(store).await?;
            let sample = self.sample_path();
            news = Some(format!(
                "carried out the {count} operations of {}",
                sample.display()
            ));
        }
        self.served = Some(version);
        Ok(news)
    }

    /// Carries the sample out on a store in memory of its own.
    async fn try_sample(&self, model: &Model) -> Result<(), Failure> {
        let Some(sample) = self.read_sample()? else {
            return Ok(());
        };
        let engine = Engine::in_memory().map_err(Failure::configuration)?;
        let store = Store::new(model.clone(), engine);
        store.setup().await?;
        sample.apply(&store).await.map(drop)
    }

    /// The tables of the version that is served and of the one that takes its place.
    fn list_tables(&self, next: &Model) -> BTreeSet<String> {
        let models = self.store().map(Store::model).into_iter().chain([next]);
        let tables = models.flat_map(Model::tables);
        tables.map(|(_, table)| table.physical.clone()).collect()
    }

    fn sample_path(&self) -> PathBuf {
        self.path.with_file_name("sample.jsonl")
    }

    /// The sample; none if there is no such file.
    fn read_sample(&self) -> Result<Option<Sample>, Failure> {
        let path = self.sample_path();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let what = format_args!("cannot read {}", path.display());
                return Err(Failure::configuration(what).caused_by(&error));
            }
        };
        Sample::parse(path.display().to_string(), &text).map(Some)
    }
}

/// Refuses to throw rows away that are another model's as well.
fn refuse_shared_tables(
    dropped: &BTreeSet<String>,
    others: &Others,
    error: monotable_store::Error,
) -> Result<(), Failure> {
    let mut shared = dropped.iter().filter_map(|table| {
        let model = others.tables.get(table)?;
        Some((table, model))
    });
    let Some((table, model)) = shared.next() else {
        return Ok(());
    };
    Err(Failure::from(error).help(format_args!(
        "the rows in memory are not thrown away, because the model {model} has the table {table}, too: give one of the models a table \
         of its own, or begin anew"
    )))
}

async fn drop_tables(names: BTreeSet<String>, engine: &Engine) -> Result<(), Failure> {
    for name in names {
        match DynamoExt::delete_table(engine, DeleteTableInput::new(name)).await {
            Ok(_) | Err(Error::ResourceNotFoundException { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
