//! A limit on the time that a connection may take: looking up the host, TCP and TLS together.

use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use std::error::Error as StdError;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tower_service::Service;

type BoxError = Box<dyn StdError + Send + Sync>;
type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;

/// Makes connections, or gives up at the deadline.
#[derive(Clone, Debug)]
pub(super) struct WithDeadline {
    connector: HttpsConnector<HttpConnector>,
    timeout: Option<Duration>,
}

impl WithDeadline {
    pub(super) const fn new(
        connector: HttpsConnector<HttpConnector>,
        timeout: Option<Duration>,
    ) -> Self {
        Self { connector, timeout }
    }
}

impl Service<http::Uri> for WithDeadline {
    type Response = Stream;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, uri: http::Uri) -> Self::Future {
        let connecting = self.connector.call(uri);
        let Some(timeout) = self.timeout else {
            return connecting;
        };
        Box::pin(async move {
            let late = || format!("no connection within {timeout:?}");
            match tokio::time::timeout(timeout, connecting).await {
                Ok(connection) => connection,
                Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, late()).into()),
            }
        })
    }
}
