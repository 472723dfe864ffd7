//! The REST API of models and the page that shows them, as a part of the server.

use crate::exit::Failure;
use bytes::Bytes;
use http::request::Parts;
use http::{Method, Response, StatusCode};
use monotable_model::model::Model;
use monotable_rest::{AnswerSize, Authentication, Body, CallFacts, Request, Rest};
use monotable_server::{AnswerForecast, Mount, MountBody, MountFacts, MountRequest, Screening};
use monotable_workbench::{CallKind, CallRecord, Workbench};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

/// The REST API of models that may change while it is served, and the page that shows them.
#[derive(Clone)]
pub(crate) struct MountedModels {
    rest: Arc<RwLock<Arc<Rest>>>,
    workbench: Workbench,
}

/// Two models of one name cannot be served together.
pub(crate) fn refuse_taken_name(name: &str) -> Failure {
    let what = format_args!("two models are called {name}: each is served under its name");
    Failure::configuration(what).help("change what `model = ...` says in the file of one of them")
}

impl MountedModels {
    pub(crate) fn new(rest: Rest, workbench: Workbench) -> Self {
        let rest = rest.map_stores(|store| workbench.watch_store(store));
        Self {
            rest: Arc::new(RwLock::new(Arc::new(rest))),
            workbench,
        }
    }

    /// Asks for other proofs of who calls from now on. Requests that are being answered end as they began.
    #[cfg(unix)]
    pub(crate) fn replace_authentication(&self, authentication: Authentication) {
        // The stores are watched already.
        self.put(self.current().renew_authentication(authentication));
    }

    /// The models that are served.
    #[cfg(unix)]
    pub(crate) fn list_models(&self) -> Vec<Model> {
        self.current().models().cloned().collect()
    }

    /// Serves other models from now on. Requests that are being answered end as they began.
    pub(crate) fn replace(&self, rest: Rest) {
        self.put(rest.map_stores(|store| self.workbench.watch_store(store)));
    }

    fn put(&self, rest: Rest) {
        *self.rest.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rest);
    }

    fn current(&self) -> Arc<Rest> {
        Arc::clone(&self.rest.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Mount for MountedModels {
    fn handles(&self, path: &str) -> bool {
        Rest::handles(path) || self.workbench.handles(path)
    }

    fn home(&self) -> Option<&'static str> {
        self.workbench.home()
    }

    fn forecast(&self, head: &Parts) -> AnswerForecast {
        match Rest::forecast(&head.method, &head.uri, &head.headers) {
            AnswerSize::Row => AnswerForecast::Row,
            AnswerSize::Any => AnswerForecast::Page,
        }
    }

    /// Reads and creates of one row take no time to speak of, unless something of the row is hashed.
    fn may_take_long(&self, head: &Parts) -> bool {
        self.forecast(head) == AnswerForecast::Page || self.current().hashes(head.uri.path())
    }

    fn answer(
        &self,
        request: MountRequest,
    ) -> Pin<Box<dyn Future<Output = Response<MountBody>> + Send + '_>> {
        let MountRequest { parts, body, peer } = request;
        let request = read_request(parts, body, peer);
        let rest = self.current();
        let workbench = self.workbench.clone();
        Box::pin(async move {
            if workbench.handles(&request.path) {
                return translate(workbench.answer(&rest, &request).await);
            }
            if workbench.home().is_none() {
                return translate_call(rest.answer_with_facts(request).await);
            }
            let activity = workbench.activity();
            if !activity.admits() {
                activity.pass(call_kind(&request));
                return translate_call(rest.answer_with_facts(request).await);
            }
            let call = describe_call(&rest, &request);
            let following = activity.follow(call, rest.answer_with_facts(request));
            let (answer, call) = following.await;
            activity.note(tell_outcome(call, &answer));
            translate_call(answer)
        })
    }

    fn screen<'a>(
        &'a self,
        head: &'a Parts,
        peer: SocketAddr,
    ) -> Pin<Box<dyn Future<Output = Screening> + Send + 'a>> {
        let request = read_request(head.clone(), Bytes::new(), peer);
        let rest = self.current();
        Box::pin(async move {
            match rest.screen_with_facts(&request).await {
                None => Screening::Admitted,
                Some(refused) => Screening::Refused(translate_call(refused)),
            }
        })
    }

    fn refuse(&self, status: StatusCode, detail: &str) -> Response<MountBody> {
        translate(Rest::refuse(status, detail))
    }
}

fn read_request(parts: Parts, body: Bytes, peer: SocketAddr) -> Request {
    Request {
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        body,
        client: peer.ip(),
    }
}

/// A call of the REST API, as the page lists it before it is carried out.
fn describe_call(rest: &Rest, request: &Request) -> CallRecord {
    let path = request.path.strip_prefix("/v1/").unwrap_or_default();
    let (model, subject) = path.split_once('/').unwrap_or((path, ""));
    let header = |name: &str| request.headers.get(name)?.to_str().ok();
    let caller = header("monotable-principal").or(header("user-agent"));
    CallRecord::new(Some(model), call_kind(request))
        .with_operation(request.method.as_str(), subject)
        .with_row(&name_row(rest, model, subject))
        .with_caller(caller.unwrap_or("unknown"))
}

fn call_kind(request: &Request) -> CallKind {
    match request.method {
        Method::GET | Method::HEAD => CallKind::Read,
        _ => CallKind::Write,
    }
}

/// The key of the row that an address names, unless the key is secret.
fn name_row(rest: &Rest, model: &str, subject: &str) -> String {
    let mut segments = subject.split('/');
    if segments.next() != Some("entities") {
        return String::new();
    }
    let name = segments.next().unwrap_or_default();
    let model = rest.models().find(|known| known.name == model);
    let entity = model.and_then(|model| model.entity_named(name));
    let is_open = entity.is_some_and(|(_, entity)| {
        let mut names = entity.key_attributes().into_iter();
        names.all(|name| {
            let attribute = entity.attribute(name);
            attribute.is_none_or(|attribute| attribute.secret.is_none())
        })
    });
    let values: Vec<&str> = segments.filter(|_| is_open).collect();
    values.join(", ")
}

/// The call with what became of it. Its operation is named as the model names it, if the model knows it.
fn tell_outcome(
    call: CallRecord,
    (response, facts): &(monotable_rest::Response, CallFacts),
) -> CallRecord {
    let named = facts.operation.as_deref().map(|operation| {
        let (verb, subject) = operation.split_once(' ').unwrap_or((operation, ""));
        (verb, subject)
    });
    let call = match named {
        Some((verb, subject)) => call.with_operation(verb, subject),
        None => call,
    };
    call.with_refusal(name_refusal(response.status).as_deref())
}

/// What a status that refuses is called.
fn name_refusal(status: StatusCode) -> Option<String> {
    let is_refused = status.is_client_error() || status.is_server_error();
    is_refused.then(|| status.canonical_reason().unwrap_or("refused").to_owned())
}

/// An answer of the API, with what the access log tells of it.
fn translate_call((response, facts): (monotable_rest::Response, CallFacts)) -> Response<MountBody> {
    let is_refused = matches!(
        response.status,
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN
    );
    let mut answer = translate(response);
    answer.extensions_mut().insert(MountFacts {
        operation: facts.operation,
        caller: facts.caller,
        error: facts.error,
        is_refused,
    });
    answer
}

fn translate(response: monotable_rest::Response) -> Response<MountBody> {
    let body = match response.body {
        Body::Whole(bytes) => MountBody::Whole(bytes),
        Body::Lines(lines) => MountBody::Pieces(lines),
        Body::Events(events) => MountBody::Events(events),
    };
    let mut answer = Response::new(body);
    *answer.status_mut() = response.status;
    *answer.headers_mut() = response.headers;
    answer
}
