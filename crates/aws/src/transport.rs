//! A request to the endpoint and its answer, and what can go wrong on the way.

use crate::ConnectError;
use crate::connections::{Connections, RawAnswer};
use crate::endpoint::Endpoint;
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// The way to one endpoint.
#[derive(Debug)]
pub(crate) struct Transport {
    endpoint: Endpoint,
    connections: Connections,
    attempt_timeout: Duration,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Broken {
    /// There is no connection: nothing was sent.
    Unreachable(String),
    /// There was no connection in time: nothing was sent.
    ConnectionTimedOut(String),
    /// The other side cannot prove who it is: nothing was sent, and trying again changes nothing.
    Untrusted(String),
    /// What came is not HTTP, so that whoever sent it is no DynamoDB.
    NotHttp(String),
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
        // No certificates are read for an endpoint without TLS.
        let connections = if endpoint.is_https() {
            Connections::with_trusted_certificates(Some(connect_timeout))?
        } else {
            Connections::without_tls(Some(connect_timeout))?
        };
        Ok(Self {
            endpoint,
            connections,
            attempt_timeout,
        })
    }

    pub(crate) const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// One attempt: the request there, the whole answer back.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Result<RawAnswer, Broken> {
        let exchange = self.connections.exchange(request);
        match tokio::time::timeout(self.attempt_timeout, exchange).await {
            Ok(answer) => answer,
            Err(_) => Err(Broken::TimedOut(self.attempt_timeout)),
        }
    }
}

/// An error, what caused it, what caused that, and so on.
pub(crate) fn causes<'a>(
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
            Self::Unreachable(reason) | Self::ConnectionTimedOut(reason) => {
                write!(f, "cannot be reached: {reason}")
            }
            Self::Untrusted(reason) => write!(f, "cannot be trusted: {reason}"),
            Self::NotHttp(reason) => {
                write!(f, "does not answer in HTTP: {reason}")
            }
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
