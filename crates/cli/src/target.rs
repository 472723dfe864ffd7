//! Which DynamoDB a command works on.
//!
//! In this order: `--store`, `--endpoint-url` or `--aws` (never two of them); `MONOTABLE_STORE`;
//! `AWS_ENDPOINT_URL_DYNAMODB`; the embedded store in `./data`. So a shell that points AWS's tools at a
//! running `monotable serve` points this one at it, too.

#[cfg(feature = "aws")]
mod announced;
mod destination;
mod lacks;
mod place;
#[cfg(feature = "aws")]
mod remote;
#[cfg(feature = "aws")]
mod served;
mod store;

pub(crate) use destination::DestinationArguments;
pub(crate) use lacks::Lacks;
pub(crate) use place::Place;
#[cfg(feature = "aws")]
pub(crate) use served::ServedTargetArguments;
pub(crate) use store::{StoreArguments, explain_open, open_store, warn_of_exposure};

use crate::exit::Failure;
use clap::Args;
use monotable_api::Dynamo;
use monotable_engine::EngineOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Missing, is_absent};

/// The target as the command line names it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Which DynamoDB")]
pub(crate) struct TargetArguments {
    #[command(flatten)]
    store: StoreArguments,
    #[cfg(feature = "aws")]
    #[command(flatten)]
    remote: remote::RemoteArguments,
}

/// A DynamoDB that can be opened.
#[derive(Debug)]
pub(crate) enum Target {
    /// A directory of this machine.
    Embedded(PathBuf),
    /// Something that speaks DynamoDB's API.
    #[cfg(feature = "aws")]
    Remote(remote::RemoteTarget),
}

/// A target that is open.
#[derive(Clone)]
pub(crate) struct OpenTarget {
    pub(crate) dynamo: Arc<dyn Dynamo>,
    pub(crate) place: Place,
    /// What it lacks.
    pub(crate) lacks: Lacks,
}

impl TargetArguments {
    /// The target that the arguments and the environment name.
    #[cfg(feature = "aws")]
    pub(crate) fn resolve(self) -> Result<Target, Failure> {
        if let Some(remote) = self.remote.named() {
            return Ok(Target::Remote(remote));
        }
        if let Some(directory) = self.store.named() {
            self.remote.refuse_for_store(&directory)?;
            return Ok(Target::Embedded(directory));
        }
        if let Some(remote) = self.remote.named_by_environment() {
            return Ok(Target::Remote(remote));
        }
        let directory = self.store.directory();
        self.remote.refuse_for_store(&directory)?;
        Ok(Target::Embedded(directory))
    }

    /// The target that the arguments and the environment name.
    #[cfg(not(feature = "aws"))]
    pub(crate) fn resolve(self) -> Result<Target, Failure> {
        Ok(Target::Embedded(self.store.directory()))
    }

    /// Opens the target; a store must be there.
    pub(crate) async fn open(self) -> Result<Arc<dyn Dynamo>, Failure> {
        Ok(self.resolve()?.open().await?.dynamo)
    }
}

impl Target {
    /// The directory of an embedded store.
    pub(crate) fn directory(&self) -> Option<&Path> {
        match self {
            Self::Embedded(directory) => Some(directory),
            #[cfg(feature = "aws")]
            Self::Remote(_) => None,
        }
    }

    /// The directory of a store that is not there: opening it would make a new one.
    pub(crate) fn absent(&self) -> Option<&Path> {
        self.directory().filter(|directory| is_absent(directory))
    }

    /// For a caller that sends a failed request again itself, and has to know when it does.
    pub(crate) fn tried_once(self) -> Self {
        match self {
            #[cfg(feature = "aws")]
            Self::Remote(remote) => Self::Remote(remote.tried_once()),
            embedded => embedded,
        }
    }

    /// Opens the target; a store must be there.
    pub(crate) async fn open(self) -> Result<OpenTarget, Failure> {
        self.open_with(Missing::Refused).await
    }

    /// Opens the target; a store that is not there is made.
    pub(crate) async fn open_or_create(self) -> Result<OpenTarget, Failure> {
        self.open_with(Missing::Created).await
    }

    async fn open_with(self, missing: Missing) -> Result<OpenTarget, Failure> {
        match self {
            Self::Embedded(directory) => {
                missing.check(&directory)?;
                let engine = open_store(&directory, EngineOptions::new())?;
                Ok(OpenTarget {
                    dynamo: Arc::new(engine),
                    place: Place::Store(directory),
                    lacks: Lacks::nothing(),
                })
            }
            #[cfg(feature = "aws")]
            Self::Remote(remote) => remote.connect().await,
        }
    }
}
