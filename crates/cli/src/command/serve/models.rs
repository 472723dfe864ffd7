//! The models that are served as REST beside the DynamoDB API.

use super::auth;
use crate::exit::Failure;
use crate::mounted_models::MountedModels;
use monotable_engine::Engine;
use monotable_model::model::Model;
use monotable_rest::{Authentication, Rest};
use monotable_server::Mount;
use monotable_store::Store;
use std::path::Path;
use std::sync::Arc;

/// The REST API of the models that a server serves.
pub(super) struct ServedModels {
    rest: Rest,
    names: Vec<String>,
}

impl ServedModels {
    /// Makes the tables of the models, and reads who may call.
    pub(super) async fn open(
        models: Vec<Model>,
        engine: &Engine,
        auth: Option<&Path>,
    ) -> Result<Self, Failure> {
        let authentication = match auth {
            Some(file) => auth::read(file).await?,
            None => Authentication::loopback(),
        };
        let mut rest = Rest::new();
        let mut names: Vec<String> = Vec::new();
        for model in models {
            if names.contains(&model.name) {
                return Err(Failure::configuration(format_args!(
                    "two models are called {}: each is served under its name",
                    model.name
                )));
            }
            authentication
                .check_model(&model)
                .map_err(Failure::configuration)?;
            names.push(model.name.clone());
            let store = Store::new(model, engine.clone());
            store.make_tables().await?;
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

    /// As what a server mounts.
    pub(super) fn into_mount(self) -> Arc<dyn Mount> {
        Arc::new(MountedModels::new(self.rest))
    }
}
