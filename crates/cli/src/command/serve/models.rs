//! The models that are served as REST beside the DynamoDB API.

use super::auth;
use crate::exit::{Failure, warn};
use crate::mounted_models::{MountedModels, refuse_taken_name};
use crate::target::OpenTarget;
use monotable_engine::Engine;
use monotable_model::model::Model;
use monotable_rest::{Authentication, Rest};
use monotable_store::{SetupScope, Store};
use monotable_workbench::Workbench;
use std::path::Path;
use std::sync::Arc;

/// What models are served over.
pub(super) enum ModelData<'d> {
    /// A store of this process, which gets the tables that it lacks.
    Store(&'d Engine),
    /// Tables elsewhere. They are others', so nothing is made or changed there.
    Elsewhere(&'d OpenTarget),
}

impl ModelData<'_> {
    async fn open(&self, model: Model) -> Result<Store, Failure> {
        match self {
            Self::Store(engine) => {
                let store = Store::new(model, (*engine).clone());
                store.setup().await?;
                Ok(store)
            }
            Self::Elsewhere(target) => {
                let store = Store::new(model, Arc::clone(&target.dynamo));
                refuse_missing_tables(&store, target).await?;
                Ok(store)
            }
        }
    }
}

/// A table that is not there is a mistyped region or environment more often than a new one.
async fn refuse_missing_tables(store: &Store, target: &OpenTarget) -> Result<(), Failure> {
    let planned = store.plan_setup(SetupScope::Additions).await?;
    match planned.iter().find(|table| table.new) {
        None => Ok(()),
        Some(missing) => {
            let what = format_args!(
                "there is no table {} {}",
                missing.table,
                target.place.locate()
            );
            Err(Failure::configuration(what).help(
                "look at the region and at --environment; `monotable setup` makes the tables of a model",
            ))
        }
    }
}

/// The REST API of the models that a server serves.
pub(super) struct ServedModels {
    rest: Rest,
    names: Vec<String>,
}

impl ServedModels {
    /// Makes the tables of the models, and reads who may call. A model that would not find the rows of the store is refused:
    /// it would answer as if there were none.
    pub(super) async fn open(
        models: Vec<Model>,
        data: &ModelData<'_>,
        auth: Option<&Path>,
    ) -> Result<Self, Failure> {
        let authentication = match auth {
            Some(file) => auth::read(file, &models).await?,
            None => Authentication::loopback(),
        };
        for unserved in authentication.list_unserved(&models) {
            warn(unserved);
        }
        let mut rest = Rest::new();
        let mut names: Vec<String> = Vec::new();
        for model in models {
            if names.contains(&model.name) {
                return Err(refuse_taken_name(&model.name));
            }
            names.push(model.name.clone());
            let store = data.open(model).await?;
            rest = rest.with_store(store);
        }
        Ok(Self {
            rest: rest.with_authentication(authentication),
            names,
        })
    }

    /// The models' names.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// As what a server mounts, beside the page that shows them.
    pub(super) fn into_mount(self, workbench: Workbench) -> MountedModels {
        MountedModels::new(self.rest, workbench)
    }
}
