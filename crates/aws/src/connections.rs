//! Bytes there and back: a pool of connections to whoever is asked, over TLS or not.

mod deadline;

use crate::ConnectError;
use crate::connections::deadline::WithDeadline;
use crate::transport::{Broken, causes, with_causes};
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error as ClientError};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Idle connections are given up before the service does it, so that a request rarely meets one that
/// is just being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// DynamoDB's answers have 16 MB at most; whatever is larger is not one. In bytes.
pub(crate) const LARGEST_ANSWER: usize = 64 << 20;

/// Connections over HTTP/1.1. A cheap handle: clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    client: Client<WithDeadline, Full<Bytes>>,
}

/// An answer as it came.
pub(crate) struct RawAnswer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Connections {
    /// Connections to servers that prove who they are with a certificate that this machine trusts.
    pub(crate) fn with_trusted_certificates(
        connect_timeout: Option<Duration>,
    ) -> Result<Self, ConnectError> {
        let native = rustls_native_certs::load_native_certs();
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(native.certs);
        if roots.is_empty() {
            let errors: Vec<_> = native.errors.iter().map(ToString::to_string).collect();
            return Err(ConnectError::NoTrustedCertificates {
                reason: format!("none were found {}", errors.join(", ")),
            });
        }
        Self::new(roots, connect_timeout)
    }

    /// Connections that trust nobody: only for URLs that begin with `http://`.
    pub(crate) fn without_tls(connect_timeout: Option<Duration>) -> Result<Self, ConnectError> {
        Self::new(RootCertStore::empty(), connect_timeout)
    }

    fn new(roots: RootCertStore, connect_timeout: Option<Duration>) -> Result<Self, ConnectError> {
        let mut tcp = HttpConnector::new();
        tcp.set_nodelay(true);
        // Shared among the addresses of a host, so that one that is silent leaves time for the next.
        tcp.set_connect_timeout(connect_timeout);
        tcp.enforce_http(false);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| ConnectError::NoTrustedCertificates {
                reason: error.to_string(),
            })?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build(WithDeadline::new(connector, connect_timeout));
        Ok(Self { client })
    }

    /// The request there, the whole answer back.
    pub(crate) async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<RawAnswer, Broken> {
        let answer = self.client.request(request).await;
        let answer = answer.map_err(|error| broken(&error))?;
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

fn broken(error: &ClientError) -> Broken {
    let reason = with_causes(error);
    if causes(error).any(is_no_http) {
        Broken::NotHttp(reason)
    } else if !error.is_connect() {
        Broken::Lost(reason)
    } else if causes(error).any(is_late) {
        Broken::ConnectionTimedOut(reason)
    } else if causes(error).any(is_about_trust) {
        Broken::Untrusted(reason)
    } else {
        Broken::Unreachable(reason)
    }
}

fn is_no_http(cause: &(dyn StdError + 'static)) -> bool {
    let cause = cause.downcast_ref::<hyper::Error>();
    cause.is_some_and(hyper::Error::is_parse)
}

fn is_late(cause: &(dyn StdError + 'static)) -> bool {
    let cause = cause.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::TimedOut)
}

fn is_about_trust(cause: &(dyn StdError + 'static)) -> bool {
    let inner = cause
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    inner.is_some_and(|inner| inner.is::<rustls::Error>())
}
