//! The model of a command: which one, read and checked, with the names of its tables in this deployment.

use super::environment::EnvironmentArguments;
use crate::demo_models;
use crate::exit::Failure;
use crate::findings::Findings;
use crate::model_file::{self, ModelFile};
use clap::{Args, ValueHint};
use monotable_model::model::Model;
use monotable_model::span::{Span, position};
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The file that is the model of a folder.
const DEFAULT_FILE: &str = "model.toml";
/// The variable that names a model.
pub(crate) const VARIABLE: &str = "MONOTABLE_MODEL";

/// The model as the command line names it.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArguments {
    /// The model: a file, - for stdin, or the name of a demo model [default: $MONOTABLE_MODEL, or ./model.toml]
    ///
    /// The demo models are authorization, formkiq, processproof, values and yggdrasil.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    #[command(flatten)]
    environment: EnvironmentArguments,
}

/// Which model it is. Nothing of it has been read yet.
#[derive(Clone, Debug)]
pub(crate) struct ModelSource {
    path: PathBuf,
    origin: Origin,
    environment: EnvironmentArguments,
}

/// Who named the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    CommandLine,
    Surroundings,
}

/// A model without errors, and its text.
#[derive(Debug)]
pub(crate) struct LoadedModel {
    model: Model,
    file: ModelFile,
}

impl ModelArguments {
    /// The model that the command line, the environment or the folder names.
    pub(crate) fn find(self) -> Result<ModelSource, Failure> {
        let (path, origin) = match self.model {
            Some(path) => (path, Origin::CommandLine),
            None => {
                let path = find_default().ok_or_else(no_model)?;
                (path, Origin::Surroundings)
            }
        };
        Ok(ModelSource {
            path,
            origin,
            environment: self.environment,
        })
    }
}

impl ModelSource {
    /// Its file, or its name.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the model comes from stdin, which then holds nothing else.
    pub(crate) fn is_stdin(&self) -> bool {
        model_file::is_stdin(&self.path)
    }

    /// What the command line says of it; none if it does not name a model.
    pub(crate) fn option(&self) -> Option<&str> {
        let path = self.path.to_str()?;
        (self.origin == Origin::CommandLine).then_some(path)
    }

    /// Reads the model; one with errors is refused with all of them, as `check` shows them.
    pub(crate) fn load(&self) -> Result<LoadedModel, Failure> {
        let findings = Findings::of(ModelFile::read(&self.path)?);
        let (mut model, file) = findings.into_usable()?;
        self.environment.rename_tables(&mut model)?;
        Ok(LoadedModel { model, file })
    }
}

/// Reads a model that a command names as one of several, with the names of tables in this deployment.
pub(crate) fn load_model(
    path: &Path,
    environment: &EnvironmentArguments,
) -> Result<(Model, ModelFile), Failure> {
    let (mut model, file) = Findings::of(ModelFile::read(path)?).into_usable()?;
    environment.rename_tables(&mut model)?;
    Ok((model, file))
}

impl LoadedModel {
    /// Where a declaration stands, for people: `model.toml, line 12`. None if its place is not known.
    pub(crate) fn place(&self, span: Span) -> Option<String> {
        if span == Span::default() {
            return None;
        }
        let line = position(&self.file.text, span.start).line;
        Some(format!("{}, line {line}", self.file.name))
    }

    /// The model alone.
    pub(crate) fn into_model(self) -> Model {
        self.model
    }
}

impl Deref for LoadedModel {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.model
    }
}

/// The file that a command without `-m` is given, or the model that is used where it is given none.
pub(crate) fn find_file(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let named = named.map(Path::to_owned);
    named.or_else(find_default).ok_or_else(no_model)
}

/// The model that is used where the command line names none.
pub(crate) fn find_default() -> Option<PathBuf> {
    let from_environment = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let from_folder = || {
        let file = Path::new(DEFAULT_FILE);
        file.is_file().then(|| file.to_owned())
    };
    from_environment.map(PathBuf::from).or_else(from_folder)
}

fn no_model() -> Failure {
    let names: Vec<_> = demo_models::ALL.iter().map(|model| model.name).collect();
    Failure::usage("there is no model: this folder has no model.toml, and none is named")
        .because(format_args!(
            "the demo models that are built in are {}",
            names.join(", ")
        ))
        .help(
            "name a model with -m FILE, -m yggdrasil for a demo model, or set MONOTABLE_MODEL; raw items of any table \
             need no model: `monotable table --help`",
        )
}
