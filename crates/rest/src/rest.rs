//! The API of several models.

use crate::authentication::Authentication;
use crate::call::{Call, list_methods};
use crate::caller::{Caller, Forwarding};
use crate::carry_out::carry_out;
use crate::openapi;
use crate::page;
use crate::problem::Problem;
use crate::request::Request;
use crate::response::{Body, JSON, Response};
use crate::target::Target;
use bytes::Bytes;
use http::header::ALLOW;
use http::{Method, StatusCode};
use monotable_model::model::Model;
use monotable_store::{RequestFacts, Store};
use serde_json::json;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// What every address begins with.
pub(crate) const ROOT: &str = "/v1";

/// The API of several models, each a store by its name.
#[derive(Debug, Default)]
pub struct Rest {
    stores: BTreeMap<String, Store>,
    authentication: Authentication,
}

impl Rest {
    /// An API without models, for programs of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the store of a model, under the model's name.
    #[must_use]
    pub fn with_store(mut self, store: Store) -> Self {
        self.stores.insert(store.model().name.clone(), store);
        self
    }

    /// With a proof of who calls. Without one, only this machine is served.
    #[must_use]
    pub fn with_authentication(mut self, authentication: Authentication) -> Self {
        self.authentication = authentication;
        self
    }

    /// Whether a path is one of this API's.
    #[must_use]
    pub fn handles(path: &str) -> bool {
        let rest = path.strip_prefix(ROOT);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The answer to a request that was refused before it came here.
    #[must_use]
    pub fn refuse(status: StatusCode, detail: &str) -> Response {
        Problem::from_status(status, detail).into()
    }

    /// Refuses a request by its head if its caller has no proof; none if the request is to be answered. A server asks this before it
    /// reads a long body.
    pub async fn screen(&self, head: &Request) -> Option<Response> {
        let refused = self.authentication.screen(head).await;
        refused.err().map(Response::from)
    }

    /// Answers a request.
    pub async fn answer(&self, request: Request) -> Response {
        let is_head = request.method == Method::HEAD;
        let answer = self.decide(&request).await;
        let mut response = answer.unwrap_or_else(Response::from);
        if is_head {
            response.body = Body::Whole(Bytes::new());
        }
        response
    }

    async fn decide(&self, request: &Request) -> Result<Response, Problem> {
        let path = request.path.strip_prefix(ROOT).unwrap_or_default();
        let path = path.strip_prefix('/').unwrap_or(path);
        let (name, rest) = path.split_once('/').unwrap_or((path, ""));
        let Some(store) = self.stores.get(name) else {
            self.authentication.admit(request).await?;
            return self.answer_without_model(name, request);
        };
        let caller = self.authentication.identify(store.model(), request).await?;
        let target = Target::find(store.model(), rest)?;
        let methods = list_methods(&target);
        if request.method == Method::OPTIONS {
            let allowed = name_methods(&methods);
            return Ok(Response::empty(StatusCode::NO_CONTENT).with_header(ALLOW, &allowed));
        }
        let asked = if request.method == Method::HEAD {
            Method::GET
        } else {
            request.method.clone()
        };
        if !methods.contains(&asked) {
            return Err(Problem::method_not_allowed(&name_methods(&methods)));
        }
        if let Target::Page | Target::Document = target {
            return Ok(self.describe(store.model(), &target));
        }
        let call = Call::read(store.model(), &target, request)?;
        let store = caller.enter(store, read_facts(request, &caller)?);
        carry_out(store, call).await
    }

    /// The list of models, or that there is no model of this name.
    fn answer_without_model(&self, name: &str, request: &Request) -> Result<Response, Problem> {
        if !name.is_empty() {
            let known: Vec<_> = self.stores.keys().map(String::as_str).collect();
            return Err(Problem::not_found(format!(
                "no model `{name}` is served here; there are {}",
                known.join(", ")
            )));
        }
        let allowed = name_methods(&[Method::GET]);
        match request.method {
            Method::GET | Method::HEAD => Ok(self.list_models()),
            Method::OPTIONS => {
                Ok(Response::empty(StatusCode::NO_CONTENT).with_header(ALLOW, &allowed))
            }
            _ => Err(Problem::method_not_allowed(&allowed)),
        }
    }

    /// The document about a model, or the page that shows it.
    fn describe(&self, model: &Model, target: &Target<'_>) -> Response {
        let document = openapi::describe(model, self.authentication.security());
        if let Target::Page = target {
            return page::write_page(model, &document);
        }
        Response::new(StatusCode::OK, JSON, document.to_string().into_bytes())
    }

    fn list_models(&self) -> Response {
        let models = self.stores.values().map(|store| {
            let model = store.model();
            json!({
                "model": model.name,
                "about": model.about,
                "openapi": format!("{ROOT}/{}/openapi.json", model.name),
            })
        });
        let models: Vec<_> = models.collect();
        let body = json!({ "models": models }).to_string();
        Response::new(StatusCode::OK, JSON, body.into_bytes())
    }
}

/// What audits note of a request: the address that it comes from, and the program that it names. `X-Forwarded-For` is believed
/// only from callers that may call for others; its last address is the one that the nearest proxy has seen itself.
fn read_facts(request: &Request, caller: &Caller) -> Result<RequestFacts, Problem> {
    let forwarded = match caller.forwarding {
        Forwarding::Believed => request.header("x-forwarded-for")?,
        Forwarding::Ignored => None,
    };
    let client = request.client.to_canonical();
    let ip = match forwarded.and_then(|list| list.split(',').next_back()) {
        // The address of a local program that calls for somebody else is not the address of that somebody.
        None if caller.forwarding == Forwarding::Believed && client.is_loopback() => None,
        None => Some(client),
        Some(text) => Some(text.trim().parse().map_err(|_| {
            Problem::bad_request(format!(
                "`{text}` in the header `x-forwarded-for` is no address"
            ))
        })?),
    };
    Ok(RequestFacts {
        ip: ip.map(|ip: IpAddr| ip.to_string()),
        source: request.header("monotable-source")?.map(str::to_owned),
    })
}

fn name_methods(methods: &[Method]) -> String {
    let mut names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    if methods.contains(&Method::GET) {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.join(", ")
}
