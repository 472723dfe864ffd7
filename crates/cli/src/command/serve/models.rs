//! The models that are served as REST beside the DynamoDB API.

use super::auth;
use crate::exit::Failure;
use crate::rows::usable;
use http::{Response, StatusCode};
use monotable_engine::Engine;
use monotable_rest::{Authentication, Body, Request, Rest};
use monotable_server::{Mount, MountBody, MountRequest};
use monotable_store::Store;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

/// The REST API of the models that a server serves.
pub(super) struct ServedModels {
    rest: Rest,
    names: Vec<String>,
}

impl ServedModels {
    /// Checks the models, makes their tables, and reads who may call.
    pub(super) async fn open(
        files: &[PathBuf],
        engine: &Engine,
        auth: Option<&Path>,
    ) -> Result<Self, Failure> {
        let authentication = match auth {
            Some(file) => auth::read(file).await?,
            None => Authentication::loopback(),
        };
        let mut rest = Rest::new();
        let mut names: Vec<String> = Vec::new();
        for file in files {
            let model = usable(file)?;
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
        Arc::new(Mounted { rest: self.rest })
    }
}

struct Mounted {
    rest: Rest,
}

impl Mount for Mounted {
    fn handles(&self, path: &str) -> bool {
        Rest::handles(path)
    }

    fn answer(
        &self,
        request: MountRequest,
    ) -> Pin<Box<dyn Future<Output = Response<MountBody>> + Send + '_>> {
        let MountRequest { parts, body, peer } = request;
        let request = Request {
            method: parts.method,
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
            headers: parts.headers,
            body,
            client: peer.ip(),
        };
        Box::pin(async move { translate(self.rest.answer(request).await) })
    }

    fn refuse(&self, status: StatusCode, detail: &str) -> Response<MountBody> {
        translate(Rest::refuse(status, detail))
    }
}

fn translate(response: monotable_rest::Response) -> Response<MountBody> {
    let body = match response.body {
        Body::Whole(bytes) => MountBody::Whole(bytes),
        Body::Lines(lines) => MountBody::Pieces(lines),
    };
    let mut answer = Response::new(body);
    *answer.status_mut() = response.status;
    *answer.headers_mut() = response.headers;
    answer
}
