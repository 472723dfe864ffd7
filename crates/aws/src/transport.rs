//! Bytes there and back: a pool of connections, and what can go wrong with them.

use crate::ConnectError;
use crate::endpoint::Endpoint;
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Idle connections are given up before the service does it, so that a request rarely meets one that
/// is just being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// DynamoDB's answers have 16 MB at most; whatever is larger is not one. In bytes.
pub(crate) const LARGEST_ANSWER: usize = 64 << 20;

/// The way to one endpoint.
#[derive(Debug)]
pub(crate) struct Transport {
    endpoint: Endpoint,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    attempt_timeout: Duration,
}

/// An answer as it came.
pub(crate) struct RawAnswer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Broken {
    /// There is no connection: nothing was sent.
    Unreachable(String),
    /// The other side cannot prove who it is: nothing was sent, and trying again changes nothing.
    Untrusted(String),
    /// The connection broke after the request may have been sent.
    Lost(String),
    /// Too much time has passed.
    TimedOut(Duration),
    /// The answer is not the one that was sent.
    Damaged(&'static str),
}

impl Transport {
    pub(crate) fn new(
        endpoint: Endpoint,
        connect_timeout: Duration,
        attempt_timeout: Duration,
    ) -> Result<Self, ConnectError> {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(connect_timeout));
        tcp.enforce_http(false);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(trust(&endpoint)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build(connector);
        Ok(Self {
            endpoint,
            client,
            attempt_timeout,
        })
    }

    pub(crate) const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// One attempt: the request there, the whole answer back.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Result<RawAnswer, Broken> {
        let exchange = self.exchange(request);
        match tokio::time::timeout(self.attempt_timeout, exchange).await {
            Ok(answer) => answer,
            Err(_) => Err(Broken::TimedOut(self.attempt_timeout)),
        }
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<RawAnswer, Broken> {
        let answer = self.client.request(request).await.map_err(broken)?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, LARGEST_ANSWER).collect().await;
        let body = body.map_err(|error| Broken::Lost(with_causes(&*error)))?;
        Ok(RawAnswer {
            status: head.status,
            headers: head.headers,
            body: body.to_bytes(),
        })
    }
}

/// The certificates that the machine trusts; none are read for an endpoint without TLS.
fn trust(endpoint: &Endpoint) -> Result<rustls::ClientConfig, ConnectError> {
    let untrusted = |reason: String| ConnectError::NoTrustedCertificates { reason };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| untrusted(error.to_string()))?;
    let mut roots = rustls::RootCertStore::empty();
    if endpoint.is_https() {
        let native = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(native.certs);
        if roots.is_empty() {
            let errors: Vec<_> = native.errors.iter().map(ToString::to_string).collect();
            return Err(untrusted(format!("none were found {}", errors.join(", "))));
        }
    }
    Ok(versions.with_root_certificates(roots).with_no_client_auth())
}

fn broken(error: hyper_util::client::legacy::Error) -> Broken {
    let reason = with_causes(&error);
    match error.is_connect() {
        true if causes(&error).any(is_about_trust) => Broken::Untrusted(reason),
        true => Broken::Unreachable(reason),
        false => Broken::Lost(reason),
    }
}

fn is_about_trust(cause: &(dyn StdError + 'static)) -> bool {
    let inner = cause
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    inner.is_some_and(|inner| inner.is::<rustls::Error>())
}

fn causes<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let cause = next?;
        next = cause.source();
        Some(cause)
    })
}

/// An error and all that caused it, on one line.
pub(crate) fn with_causes(error: &(dyn StdError + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    for cause in causes(error) {
        let text = cause.to_string();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Many errors repeat what caused them.
        if !texts.iter().any(|said| said.contains(&text)) {
            texts.push(text);
        }
    }
    texts.join(": ")
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(reason) => write!(f, "cannot be reached: {reason}"),
            Self::Untrusted(reason) => write!(f, "cannot be trusted: {reason}"),
            Self::Lost(reason) => write!(
                f,
                "did not finish its answer, and may have carried out the request: {reason}"
            ),
            Self::TimedOut(timeout) => write!(
                f,
                "did not answer within {timeout:?}, and may have carried out the request"
            ),
            Self::Damaged(what) => write!(
                f,
                "sent an answer that was damaged on its way ({what}), and may have carried out the request"
            ),
        }
    }
}
