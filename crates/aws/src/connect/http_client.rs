//! How `aws-config` asks for credentials over HTTP: with the connections that everything here uses.
//!
//! Single sign-on, roles, containers and the metadata of a machine are asked through it. AWS has a
//! client of its own; it would bring HTTP/2 and a second copy of the pool into every build.

use crate::connections::{Connections, RawAnswer};
use crate::transport::{Broken, with_causes};
use aws_smithy_runtime_api::client::connection::{CaptureSmithyConnection, ConnectionMetadata};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
    SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::connect::{CaptureConnection, capture_connection};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The client that every source of credentials and regions is given.
pub(super) fn new() -> SharedHttpClient {
    SharedHttpClient::new(CredentialHttp::default())
}

/// One pool of connections for each pair of timeouts that a source of credentials asks for.
#[derive(Debug, Default)]
struct CredentialHttp {
    connectors: Mutex<HashMap<Timeouts, SharedHttpConnector>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Timeouts {
    connect: Option<Duration>,
    read: Option<Duration>,
}

/// What cannot be set up is kept as a reason, because making a connector cannot fail.
#[derive(Debug)]
struct Connector {
    timeouts: Timeouts,
    /// The metadata of a machine and the keys of a container are asked for without TLS.
    plain: Result<Connections, String>,
    /// Made when it is needed first, because it reads all certificates that the machine trusts.
    trusting: OnceLock<Result<Connections, String>>,
}

impl HttpClient for CredentialHttp {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let timeouts = Timeouts {
            connect: settings.connect_timeout(),
            read: settings.read_timeout(),
        };
        let connectors = self.connectors.lock();
        let mut connectors = connectors.unwrap_or_else(PoisonError::into_inner);
        let connector = connectors
            .entry(timeouts)
            .or_insert_with(|| SharedHttpConnector::new(Connector::new(timeouts)));
        connector.clone()
    }
}

impl Connector {
    fn new(timeouts: Timeouts) -> Self {
        let plain = Connections::without_tls(timeouts.connect);
        Self {
            timeouts,
            plain: plain.map_err(|error| error.to_string()),
            trusting: OnceLock::new(),
        }
    }

    /// The connections for a URL.
    fn connections(&self, url: &str) -> Result<Connections, String> {
        if url.starts_with("http://") {
            return self.plain.clone();
        }
        let trusting = self.trusting.get_or_init(|| {
            Connections::with_trusted_certificates(self.timeouts.connect)
                .map_err(|error| error.to_string())
        });
        trusting.clone()
    }
}

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let connections = match self.connections(request.uri()) {
            Ok(connections) => connections,
            Err(reason) => {
                let failure = ConnectorError::other(reason.into(), None);
                return HttpConnectorFuture::ready(Err(failure));
            }
        };
        let timeout = self.timeouts.read;
        HttpConnectorFuture::new(async move {
            let request = read_request(request).await?;
            let answer = exchange(&connections, request, timeout).await;
            write_response(answer.map_err(classify_failure)?)
        })
    }
}

async fn exchange(
    connections: &Connections,
    request: Request<Full<Bytes>>,
    timeout: Option<Duration>,
) -> Result<RawAnswer, Broken> {
    let exchange = connections.exchange(request);
    let Some(timeout) = timeout else {
        return exchange.await;
    };
    let answer = tokio::time::timeout(timeout, exchange).await;
    answer.unwrap_or(Err(Broken::TimedOut(timeout)))
}

/// A request of AWS's libraries as one of ours: its body is in memory as a whole.
async fn read_request(request: HttpRequest) -> Result<Request<Full<Bytes>>, ConnectorError> {
    let request = request
        .try_into_http1x()
        .map_err(|error| ConnectorError::user(error.into()))?;
    let (head, body) = request.into_parts();
    let body = body.collect().await.map_err(ConnectorError::user)?;
    let mut request = Request::from_parts(head, Full::new(body.to_bytes()));
    let connection = capture_connection(&mut request);
    if let Some(capture) = request.extensions().get::<CaptureSmithyConnection>() {
        capture.set_connection_retriever(move || Some(connection_metadata(connection.clone())));
    }
    Ok(request)
}

/// Lets the retries of AWS's libraries take another connection after a failure of the service.
fn connection_metadata(connection: CaptureConnection) -> ConnectionMetadata {
    ConnectionMetadata::builder()
        .proxied(false)
        .poison_fn(move || {
            if let Some(connected) = connection.connection_metadata().as_ref() {
                connected.poison();
            }
        })
        .build()
}

fn write_response(answer: RawAnswer) -> Result<HttpResponse, ConnectorError> {
    let mut response = http::Response::new(SdkBody::from(answer.body));
    *response.status_mut() = answer.status;
    *response.headers_mut() = answer.headers;
    HttpResponse::try_from(response)
        .map_err(|error| ConnectorError::other(with_causes(&error).into(), None))
}

/// The kind decides whether AWS's libraries try again.
fn classify_failure(broken: Broken) -> ConnectorError {
    let reason = format!("the source of credentials {broken}").into();
    match broken {
        Broken::ConnectionTimedOut(_) | Broken::TimedOut(_) => ConnectorError::timeout(reason),
        Broken::Unreachable(_) | Broken::Lost(_) => ConnectorError::io(reason),
        Broken::Untrusted(_) | Broken::NotHttp(_) | Broken::Damaged(_) => {
            ConnectorError::other(reason, None)
        }
    }
}
