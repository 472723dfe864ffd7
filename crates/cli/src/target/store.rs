//! The embedded store: a directory of this machine.

use crate::exit::{Failure, warn};
use clap::Args;
use monotable_engine::{Engine, EngineOptions, OpenError, StoreExposure};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const DEFAULT_DIRECTORY: &str = "./data";

/// The store as the command line names it.
#[derive(Args, Clone, Debug)]
pub(crate) struct StoreArguments {
    /// Directory of the embedded store [default: $MONOTABLE_STORE, or ./data]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
}

impl StoreArguments {
    /// The directory that the command line or the environment names.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        let from_environment = || {
            let directory = std::env::var_os("MONOTABLE_STORE")?;
            (!directory.is_empty()).then(|| directory.into())
        };
        self.store.clone().or_else(from_environment)
    }

    /// The directory, or the default.
    pub(crate) fn directory(&self) -> PathBuf {
        self.named().unwrap_or_else(|| DEFAULT_DIRECTORY.into())
    }
}

/// What to do about a directory without a store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Missing {
    /// A command that only uses data must not leave a new store behind a mistyped name.
    Refused,
    Created,
}

impl Missing {
    pub(super) fn check(self, directory: &Path) -> Result<(), Failure> {
        match self {
            Self::Refused if is_absent(directory) => Err(no_store(directory)),
            Self::Refused | Self::Created => Ok(()),
        }
    }
}

/// Whether opening the directory would make a new store.
pub(super) fn is_absent(directory: &Path) -> bool {
    match directory.read_dir() {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

fn no_store(directory: &Path) -> Failure {
    let directory = directory.display();
    Failure::configuration(format_args!("no store at {directory}")).help(
        "create one with `monotable serve`, `monotable table create` or `monotable setup`, or name \
         one with --store DIR or --endpoint-url URL",
    )
}

/// Opens a store; makes it if there is none.
pub(crate) fn open_store(directory: &Path, options: EngineOptions) -> Result<Engine, Failure> {
    options.open(directory).map_err(explain_open)
}

/// Tells that others can read a store, if they can.
pub(crate) fn warn_of_exposure(directory: &Path) {
    if let Some(exposure) = StoreExposure::find(directory) {
        warn(exposure);
    }
}

/// Why a store could not be opened, with what to do about it.
pub(crate) fn explain_open(error: OpenError) -> Failure {
    match error {
        OpenError::Locked { .. } => Failure::configuration(error).help(
            "a `monotable serve` may be running there: use --endpoint-url http://127.0.0.1:8000",
        ),
        OpenError::NotAStore { .. } | OpenError::NewerFormat { .. } => {
            Failure::configuration(error)
        }
        OpenError::Io { ref source, .. }
            if matches!(
                source.kind(),
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
            ) =>
        {
            Failure::configuration(error)
        }
        // The disk, or what is on it.
        error => Failure::other(error),
    }
}
