//! The pages for people and machines beside the protocol.

use crate::answer::{Answer, PROMETHEUS, TEXT};
use crate::route::ROOT_METHODS;
use crate::shared::Shared;
use hyper::StatusCode;
use hyper::header::{HOST, HeaderMap};

/// The page at `/`. Its first line is what Amazon's service says there, for scripts that wait for it.
/// The address is the one that the reader came by, which the gatekeeper has looked at.
pub(crate) fn welcome(shared: &Shared, headers: &HeaderMap) -> Answer {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let address = host.unwrap_or("localhost");
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
         \x20   export AWS_ENDPOINT_URL_DYNAMODB=http://{address}\n\
         \x20   aws dynamodb list-tables\n\
         \n\
         with {credentials}, and any region.\n\
         \n\
         /healthz   ok, for probes\n\
         /metrics   measurements, for Prometheus\n"
    ))
}

/// The page at `/healthz`.
pub(crate) fn health() -> Answer {
    page("ok\n".to_owned())
}

/// The page at `/metrics`.
pub(crate) fn metrics(shared: &Shared) -> Answer {
    let gauges = (shared.gauges)();
    let text = shared.metrics.exposition(shared.budget.used(), &gauges);
    Answer::new(StatusCode::OK, PROMETHEUS, text.into_bytes())
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
