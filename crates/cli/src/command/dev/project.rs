//! A model that is being worked on: its file, and the version of it that is served.

use super::changes;
use crate::exit::{Failure, done, note, tell};
use crate::findings::{Findings, Tally};
use crate::model_file::ModelFile;
use crate::rows::EnvironmentArguments;
use crate::sample::Sample;
use monotable_api::{DeleteTableInput, DynamoExt, Error};
use monotable_engine::Engine;
use monotable_model::model::Model;
use monotable_store::Store;
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
    served: Option<Served>,
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
            served: None,
        }
    }

    /// The version that is served.
    pub(super) fn store(&self) -> Option<&Store> {
        self.served.as_ref().map(|served| &served.store)
    }

    /// Whether the file is there and is not the one that was read last.
    pub(super) fn is_saved_anew(&self) -> bool {
        let stamp = Stamp::of(&self.path);
        stamp.is_some() && stamp != self.seen
    }

    /// Reads and proves the model, says what it found, and serves the model if it can be.
    pub(super) async fn refresh(&mut self, engine: &Engine, rows: Rows) {
        self.seen = Stamp::of(&self.path);
        if let Err(failure) = self.try_refresh(engine, rows).await {
            tell(&failure);
            if self.served.is_some() {
                note(format_args!(
                    "{} is served as it was before",
                    self.path.display()
                ));
            }
        }
    }

    async fn try_refresh(&mut self, engine: &Engine, rows: Rows) -> Result<(), Failure> {
        let file = ModelFile::read(&self.path)?;
        let text = file.text.clone();
        if self
            .served
            .as_ref()
            .is_some_and(|served| served.text == text)
        {
            return Ok(());
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
        self.environment.rename_tables(&mut model)?;
        if let Some(served) = &self.served {
            for change in changes::compare(&served.text, &text) {
                done(format_args!("  {change}"));
            }
        }
        let store = Store::new(model, engine.clone());
        self.serve(Served { text, store }, engine, rows).await
    }

    /// Makes the tables of a version, and fills them if they are new.
    async fn serve(&mut self, version: Served, engine: &Engine, rows: Rows) -> Result<(), Failure> {
        let store = &version.store;
        let made = match store.setup().await {
            Ok(made) => made,
            Err(error) if rows == Rows::Replaceable => {
                note(format_args!(
                    "the rows in memory do not fit any more, and the tables are made anew: {error}"
                ));
                self.drop_tables(store.model(), engine).await?;
                store.setup().await?
            }
            Err(error) => return Err(error.into()),
        };
        if made.iter().any(|table| table.new) {
            self.fill(store).await?;
        }
        self.served = Some(version);
        Ok(())
    }

    /// Deletes the tables of the version that is served and of the one that takes its place.
    async fn drop_tables(&self, next: &Model, engine: &Engine) -> Result<(), Failure> {
        let models = self.store().map(Store::model).into_iter().chain([next]);
        let names =
            models.flat_map(|model| model.tables().map(|(_, table)| table.physical.clone()));
        for name in names.collect::<std::collections::BTreeSet<_>>() {
            match DynamoExt::delete_table(engine, DeleteTableInput::new(name)).await {
                Ok(_) | Err(Error::ResourceNotFoundException { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    async fn fill(&self, store: &Store) -> Result<(), Failure> {
        let path = self.path.with_file_name("sample.jsonl");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                let what = format_args!("cannot read {}", path.display());
                return Err(Failure::configuration(what).caused_by(&error));
            }
        };
        let name = path.display().to_string();
        let count = Sample::parse(name, &text)?.apply(store).await?;
        done(format_args!(
            "carried out the {count} operations of {}",
            path.display()
        ));
        Ok(())
    }
}
