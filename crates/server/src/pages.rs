//! The pages for people and machines beside the protocol.

use crate::access_log::AccessLog;
use crate::answer::{Answer, PROMETHEUS, TEXT};
use crate::gauge::{Gauge, GaugeKind};
use crate::route::ROOT_METHODS;
use crate::shared::Shared;
use hyper::StatusCode;
use hyper::header::{ACCEPT, HOST, HeaderMap};

/// Leads a browser that asks for `/` to the page for people, if there is one. Programs that ask for anything, or for text, get
/// [`welcome`], which they may wait for.
pub(crate) fn lead_home(shared: &Shared, headers: &HeaderMap) -> Option<Answer> {
    let home = shared.mount.as_ref()?.home()?;
    let accepts = headers.get_all(ACCEPT).iter();
    let mut accepts = accepts.filter_map(|value| value.to_str().ok());
    if !accepts.any(|value| value.contains("text/html")) {
        return None;
    }
    let mut answer = Answer::new(StatusCode::SEE_OTHER, TEXT, Vec::new());
    answer.location = Some(home);
    Some(answer)
}

/// The page at `/`. Its first line is what Amazon's service says there, for scripts that wait for it.
/// The address is the one that the reader came by, which the gatekeeper has looked at.
pub(crate) fn welcome(shared: &Shared, headers: &HeaderMap) -> Answer {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let address = host.unwrap_or("localhost");
    let scheme = shared.scheme();
    let credentials = if shared.verifier.is_strict() {
        "an access key that this server knows"
    } else {
        "any access key and secret"
    };
    page(format!(
        "healthy: dynamodb\n\
         \n\
         This is Monotable: the DynamoDB API on this machine.\n\
         \n\
         Any AWS SDK talks to it once its endpoint is set:\n\
         \n\
         \x20   export AWS_ENDPOINT_URL_DYNAMODB={scheme}{address}\n\
         \x20   aws dynamodb list-tables\n\
         \n\
         with {credentials}, and any region.\n\
         \n\
         /healthz   ok while the server is there, for probes\n\
         /readyz    ok while it can write, for probes\n\
         /metrics   measurements, for Prometheus\n"
    ))
}

/// The page at `/healthz`, and at `/readyz` if all is well.
pub(crate) fn health() -> Answer {
    page("ok\n".to_owned())
}

/// The page at `/metrics`.
pub(crate) fn metrics(shared: &Shared) -> Answer {
    let mut gauges = (shared.gauges)();
    if let Some(log) = &shared.access_log {
        gauges.extend(access_log_gauges(log));
    }
    let text = shared.metrics.exposition(shared.memory.used(), &gauges);
    Answer::new(StatusCode::OK, PROMETHEUS, text.into_bytes())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "Prometheus' values are floats; counts beyond 2^53 do not happen"
)]
fn access_log_gauges(log: &AccessLog) -> [Gauge; 2] {
    let written = Gauge::new(
        "monotable_access_log_written_total",
        "Lines of the access log that were written",
        GaugeKind::Counter,
    );
    let dropped = Gauge::new(
        "monotable_access_log_dropped_total",
        "Lines of the access log that could not be written",
        GaugeKind::Counter,
    );
    [
        written.value(log.written() as f64),
        dropped.value(log.dropped() as f64),
    ]
}

/// What may be sent to `/`.
pub(crate) fn options() -> Answer {
    let mut answer = Answer::new(StatusCode::NO_CONTENT, TEXT, Vec::new());
    answer.allow = Some(ROOT_METHODS);
    answer
}

fn page(text: String) -> Answer {
    Answer::new(StatusCode::OK, TEXT, text.into_bytes())
}
