//! One request and its answer.

use crate::access_log::{AccessKeyUse, Entry};
use crate::answer::{AMZ_JSON, Answer};
use crate::coding;
use crate::connection::{Phase, Watch};
use crate::dynamodb;
use crate::mount::{AnswerBody, MountFacts};
use crate::mounted;
use crate::origin::Cors;
use crate::pages;
use crate::panics::{Panicked, catching};
use crate::readers;
use crate::readiness;
use crate::refusal::Refusal;
use crate::request_id::RequestId;
use crate::route::Route;
use crate::shared::Shared;
use http_body_util::Either;
use hyper::body::Incoming;
use hyper::{Request, Response};
use monotable_api::OperationName;
use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::{Instant, SystemTime};

/// What is known of a request when it has been answered, for the logs and the metrics.
pub(crate) struct Record {
    id: RequestId,
    pub(crate) peer: SocketAddr,
    started: Instant,
    /// Of the answer.
    pub(crate) content_type: &'static str,
    pub(crate) operation: Option<OperationName>,
    /// The page, for what is no operation.
    page: Option<&'static str>,
    /// The access key that the request is signed with.
    pub(crate) key: Option<AccessKeyUse>,
    /// The tables that the request names, if there is an access log.
    pub(crate) tables: Vec<String>,
    /// What a mount tells of its answer.
    mounted: Option<MountFacts>,
    /// The body as sent.
    pub(crate) bytes_in: usize,
}

/// Answers a request.
pub(crate) async fn answer(
    shared: &Shared,
    watch: &Watch,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Response<AnswerBody> {
    let _in_flight = shared.metrics.in_flight();
    watch.enter(Phase::Work);
    let mut record = Record::new(peer);
    if let Some(mount) = shared.find_mount(request.uri().path()) {
        let page = Route::name_mounted(request.uri().path());
        let (mut response, refusal) =
            mounted::answer(shared, mount, watch, request, &mut record).await;
        record.page = Some(page);
        record.mounted = response.extensions_mut().remove();
        record.close(shared, &response, refusal.as_ref());
        watch.enter(Phase::Answer);
        return response;
    }
    let accepted = coding::accepted(request.headers());
    let mut cors = None;
    let worked = catching(decide(shared, watch, request, &mut record, &mut cors)).await;
    let outcome = worked.unwrap_or_else(|Panicked| Err(Refusal::Panicked));
    let (answer, refusal) = match outcome {
        Ok(answer) => (answer, None),
        Err(refusal) => (
            Answer::refusing(&refusal, record.content_type),
            Some(refusal),
        ),
    };
    let response = answer
        .finish(shared, watch, record.id, accepted, cors)
        .await;
    let response = response.map(Either::Left);
    record.close(shared, &response, refusal.as_ref());
    watch.enter(Phase::Answer);
    response
}

/// The one place at which a request is routed by its path. Limits, memory, logs and TLS are the same for all routes.
async fn decide(
    shared: &Shared,
    watch: &Watch,
    request: Request<Incoming>,
    record: &mut Record,
    cors: &mut Option<Cors>,
) -> Result<Answer, Refusal> {
    let route = Route::of(request.method(), request.uri().path())?;
    record.page = route.page();
    *cors = shared
        .gatekeeper
        .admit(route, request.headers(), shared.verifier.is_strict())?;
    match route {
        Route::Dynamodb => dynamodb::call(shared, watch, request, record).await,
        Route::Welcome => Ok(pages::lead_home(shared, request.headers())
            .unwrap_or_else(|| pages::welcome(shared, request.headers()))),
        Route::Health => Ok(pages::health()),
        Route::Readiness => {
            readiness::check(shared).await?;
            Ok(pages::health())
        }
        Route::Metrics => {
            readers::admit(shared, &request.into_parts().0)?;
            Ok(pages::metrics(shared))
        }
        Route::Options | Route::Mounted => Ok(pages::options()),
    }
}

impl Record {
    fn new(peer: SocketAddr) -> Self {
        Self {
            id: RequestId::random(),
            peer,
            started: Instant::now(),
            content_type: AMZ_JSON,
            operation: None,
            page: None,
            key: None,
            tables: Vec::new(),
            mounted: None,
            bytes_in: 0,
        }
    }

    /// Counts and logs. The log never has a key, a value, a token or a body: only what is listed here.
    fn close(
        mut self,
        shared: &Shared,
        response: &Response<AnswerBody>,
        refusal: Option<&Refusal>,
    ) {
        use hyper::body::Body;
        let latency = self.started.elapsed();
        let bytes_out = response.body().size_hint().lower();
        shared
            .metrics
            .request(self.operation, refusal, latency, self.bytes_in, bytes_out);
        let status = response.status().as_u16();
        let operation = self.operation.map_or("-", OperationName::as_str);
        let error = refusal.map_or("-", Refusal::reason);
        // The level must be known when compiling; the fields are the same.
        macro_rules! log {
            ($level:ident, $message:literal) => {
                tracing::$level!(
                    id = %self.id, peer = %self.peer, operation, status, error,
                    microseconds = latency.as_micros(), bytes_in = self.bytes_in, bytes_out,
                    $message
                )
            };
        }
        match refusal {
            Some(refusal) if status >= 500 => self.log_failure(refusal, operation),
            Some(Refusal::Exception(_)) | None => log!(debug, "request"),
            Some(_) => log!(info, "request refused"),
        }
        if let Some(log) = &shared.access_log {
            let mounted = self.mounted.take().unwrap_or_default();
            let operation = self.operation.map(OperationName::as_str).or(self.page);
            let caller = mounted.caller.as_deref().map(AccessKeyUse::verified);
            log.write(Entry {
                time: SystemTime::now(),
                id: self.id,
                peer: self.peer,
                key: self.key.take().or(caller),
                operation: mounted
                    .operation
                    .map(Cow::Owned)
                    .or(operation.map(Cow::Borrowed)),
                tables: std::mem::take(&mut self.tables),
                status,
                error: refusal.map(Refusal::reason).or(mounted.error),
                is_refused: mounted.is_refused || refusal.is_some_and(Refusal::is_of_rights),
                bytes_in: self.bytes_in,
                bytes_out,
                took: latency,
            });
        }
    }

    /// With the words of the failure, which tell of the store and not of its items.
    fn log_failure(&self, refusal: &Refusal, operation: &str) {
        let cause = match refusal {
            Refusal::Exception(error) => error.message(),
            Refusal::NotReady { reason } => reason.into(),
            _ => "see the panic above".into(),
        };
        tracing::error!(
            id = %self.id, peer = %self.peer, operation, error = refusal.reason(), %cause,
            microseconds = self.started.elapsed().as_micros(), "request failed"
        );
    }
}
