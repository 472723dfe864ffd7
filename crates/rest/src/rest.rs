//! The API of several models.

use crate::answer_size::AnswerSize;
use crate::authentication::Authentication;
use crate::call::{Call, list_methods};
use crate::call_facts::{CallFacts, name_operation};
use crate::caller::{Caller, Forwarding, Role};
use crate::carry_out::carry_out;
use crate::openapi;
use crate::page::write_page;
use crate::problem::Problem;
use crate::request::Request;
use crate::response::{Body, JSON, Response};
use crate::target::Target;
use bytes::Bytes;
use http::header::ALLOW;
use http::{HeaderMap, Method, StatusCode, Uri};
use monotable_model::model::Model;
use monotable_store::{RequestFacts, Store};
use serde_json::json;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

/// What every address begins with.
pub(crate) const ROOT: &str = "/v1";

/// The API of several models, each a store by its name.
#[derive(Debug, Default)]
pub struct Rest {
    models: BTreeMap<String, Arc<ServedModel>>,
    authentication: Authentication,
}

/// A model that is served.
#[derive(Debug)]
struct ServedModel {
    store: Store,
    /// The text of its OpenAPI document, written when somebody first asks for it: it takes some milliseconds.
    document: OnceLock<Bytes>,
}

/// A store, as a caller sees it.
#[derive(Debug)]
pub struct Entrance {
    /// The store.
    pub store: Store,
    /// Whether the program itself calls, whom no right of the model binds.
    pub is_program: bool,
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
        let name = store.model().name.clone();
        let model = ServedModel {
            store,
            document: OnceLock::new(),
        };
        self.models.insert(name, Arc::new(model));
        self
    }

    /// With each store as a function makes it, such as one whose requests are counted. The model must stay the same.
    #[must_use]
    pub fn map_stores(mut self, change: impl Fn(Store) -> Store) -> Self {
        for served in self.models.values_mut() {
            *served = Arc::new(ServedModel {
                store: change(served.store.clone()),
                document: OnceLock::new(),
            });
        }
        self
    }

    /// With a proof of who calls. Without one, only this machine is served.
    #[must_use]
    pub fn with_authentication(mut self, authentication: Authentication) -> Self {
        self.authentication = authentication;
        self
    }

    /// These models with another proof of who calls.
    #[must_use]
    pub fn renew_authentication(&self, authentication: Authentication) -> Self {
        Self {
            models: self.models.clone(),
            authentication,
        }
    }

    /// Whether a path is one of this API's.
    #[must_use]
    pub fn handles(path: &str) -> bool {
        let rest = path.strip_prefix(ROOT);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// How much the answer to a request may need, as far as its head tells.
    #[must_use]
    pub fn forecast(method: &Method, uri: &Uri, headers: &HeaderMap) -> AnswerSize {
        AnswerSize::forecast(method, uri, headers)
    }

    /// Whether the rows that a path names have an attribute that is hashed. A hash keeps a thread busy for a long time.
    #[must_use]
    pub fn hashes(&self, path: &str) -> bool {
        let mut names = path.split('/').skip(2);
        let model = names.next().and_then(|model| self.models.get(model));
        let entity = names.nth(1).zip(model);
        let found = entity.and_then(|(entity, served)| served.store.model().entity_named(entity));
        found
            .is_some_and(|(_, entity)| entity.attributes.iter().any(|known| known.hashed.is_some()))
    }

    /// The answer to a request that was refused before it came here.
    #[must_use]
    pub fn refuse(status: StatusCode, detail: &str) -> Response {
        Problem::from_status(status, detail).into()
    }

    /// Refuses a request by its head if its caller has no proof; none if the request is to be answered. A server asks this before it
    /// reads a long body.
    pub async fn screen(&self, head: &Request) -> Option<Response> {
        let refused = self.screen_with_facts(head).await;
        refused.map(|(response, _)| response)
    }

    /// Refuses a request by its head as [`Rest::screen`] does, and says what a log may tell of it.
    pub async fn screen_with_facts(&self, head: &Request) -> Option<(Response, CallFacts)> {
        let problem = self.authentication.screen(head).await.err()?;
        let facts = CallFacts {
            error: Some(problem.code()),
            ..CallFacts::default()
        };
        Some((problem.into(), facts))
    }

    /// The models that are served, in the order of their names.
    pub fn models(&self) -> impl Iterator<Item = &Model> {
        self.models.values().map(|served| served.store.model())
    }

    /// Whether callers need a token or a key.
    #[must_use]
    pub const fn demands_proof(&self) -> bool {
        self.authentication.is_demanded()
    }

    /// The store of a model as the caller of a request sees it, for other ways to show models than this API; none if no model of
    /// this name is served. The caller is proved as for every request of the API.
    pub async fn enter(
        &self,
        model: &str,
        request: &Request,
    ) -> Result<Option<Entrance>, Response> {
        let Some(served) = self.models.get(model) else {
            let admitted = self.authentication.admit(request).await;
            return admitted.map(|_| None).map_err(Response::from);
        };
        let store = &served.store;
        let caller = self.authentication.identify(store.model(), request).await;
        let caller = caller.map_err(Response::from)?;
        let facts = read_facts(request, &caller).map_err(Response::from)?;
        Ok(Some(Entrance {
            is_program: caller.role == Role::Program,
            store: caller.enter(store, facts),
        }))
    }

    /// Answers a request.
    pub async fn answer(&self, request: Request) -> Response {
        self.answer_with_facts(request).await.0
    }

    /// Answers a request, and says what a log may tell of it.
    pub async fn answer_with_facts(&self, request: Request) -> (Response, CallFacts) {
        let is_head = request.method == Method::HEAD;
        let mut facts = CallFacts::default();
        let answer = self.decide(&request, &mut facts).await;
        facts.error = answer.as_ref().err().map(Problem::code);
        let mut response = answer.unwrap_or_else(Response::from);
        if is_head {
            response.body = Body::Whole(Bytes::new());
        }
        (response, facts)
    }

    async fn decide(&self, request: &Request, facts: &mut CallFacts) -> Result<Response, Problem> {
        let path = request.path.strip_prefix(ROOT).unwrap_or_default();
        let path = path.strip_prefix('/').unwrap_or(path);
        let (name, rest) = path.split_once('/').unwrap_or((path, ""));
        let Some(served) = self.models.get(name) else {
            self.authentication.admit(request).await?;
            return self.answer_without_model(name, request);
        };
        let store = &served.store;
        let caller = self.authentication.identify(store.model(), request).await?;
        if self.demands_proof() {
            facts.caller = Some(caller.account.clone());
        }
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
            return Ok(self.describe(served, &target));
        }
        let mut call = Call::read(store.model(), &target, request)?;
        if self.demands_proof() {
            call.options.token = call.options.token.map(|name| caller.name_call(name));
        }
        facts.operation = Some(name_operation(store.model(), &call.operation));
        let store = caller.enter(store, read_facts(request, &caller)?);
        carry_out(store, call).await
    }

    /// The list of models, or that there is no model of this name.
    fn answer_without_model(&self, name: &str, request: &Request) -> Result<Response, Problem> {
        if !name.is_empty() {
            let known: Vec<_> = self.models.keys().map(String::as_str).collect();
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
    fn describe(&self, served: &ServedModel, target: &Target<'_>) -> Response {
        let model = served.store.model();
        let write = || openapi::describe(model, self.authentication.security());
        if let Target::Page = target {
            return write_page(model, &write());
        }
        let document = served
            .document
            .get_or_init(|| write().to_string().into_bytes().into());
        Response::shared(StatusCode::OK, JSON, document.clone())
    }

    fn list_models(&self) -> Response {
        let models = self.models.values().map(|served| {
            let model = served.store.model();
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
