//! Accepting connections, and shutting down without losing a request.

use crate::connection;
use crate::credentials::Credentials;
use crate::crowd::Crowd;
use crate::crowded;
use crate::lanes::Lanes;
use crate::shared::Shared;
use crate::tls::Certificate;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// How long to wait before accepting again when the system has no descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A bound server that does not accept connections yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    lanes: Lanes,
    shared: Arc<Shared>,
}

/// The connections that are being served.
struct Connections {
    shared: Arc<Shared>,
    lanes: Lanes,
    served: JoinSet<()>,
    /// Those that are only told that there are too many.
    turned_away: JoinSet<()>,
}

/// Holds the access keys and the certificate of a server. Cheap to clone.
#[derive(Clone)]
pub struct KeyHolder {
    shared: Arc<Shared>,
}

impl KeyHolder {
    /// Takes these access keys and policies instead of those before, for every request that comes from now on. A server
    /// that began without credentials accepts any, as before.
    pub fn replace(&self, credentials: Credentials) {
        self.shared.verifier.replace(credentials);
    }

    /// Takes this certificate for every connection that comes from now on. A server that began without one speaks plain
    /// HTTP, as before.
    pub fn replace_certificate(&self, certificate: Certificate) {
        if let Some(current) = &self.shared.certificate {
            current.replace(certificate);
        }
    }
}

impl std::fmt::Debug for KeyHolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyHolder")
    }
}

impl Server {
    pub(crate) fn new(
        listener: TcpListener,
        address: SocketAddr,
        lanes: Lanes,
        shared: Shared,
    ) -> Self {
        Self {
            listener,
            address,
            lanes,
            shared: Arc::new(shared),
        }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What the addresses of the server begin with: `http://`, or `https://` if it has a certificate.
    pub fn scheme(&self) -> &'static str {
        self.shared.scheme()
    }

    /// What replaces the access keys and the certificate while it runs.
    pub fn key_holder(&self) -> KeyHolder {
        KeyHolder {
            shared: Arc::clone(&self.shared),
        }
    }

    /// Serves until `shutdown` is ready, then stops accepting, closes idle connections, and returns when
    /// the requests in progress are answered or
    /// [`Limits::shutdown_timeout`](crate::Limits::shutdown_timeout) has passed.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) {
        let Self {
            listener,
            address,
            lanes,
            shared,
        } = self;
        let mut connections = Connections::new(lanes, shared);
        tracing::info!(%address, "listening");
        accept(&listener, &mut connections, shutdown).await;
        // Nobody can connect from here on.
        drop(listener);
        connections.finish().await;
        tracing::info!(%address, "stopped");
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

async fn accept(
    listener: &TcpListener,
    connections: &mut Connections,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => return,
            // Ended tasks are taken out, so that `len` counts the open ones.
            Some(_) = connections.served.join_next() => {}
            Some(_) = connections.turned_away.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => connections.admit(stream, peer),
                Err(error) => pause(&error).await,
            },
        }
    }
}

/// A client that gave up before it was accepted costs nothing; anything else, such as no descriptor
/// left, would come again at once.
async fn pause(error: &io::Error) {
    if !matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    ) {
        tracing::warn!(%error, "cannot accept a connection");
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }
}

impl Connections {
    fn new(lanes: Lanes, shared: Arc<Shared>) -> Self {
        Self {
            shared,
            lanes,
            served: JoinSet::new(),
            turned_away: JoinSet::new(),
        }
    }

    fn admit(&mut self, stream: TcpStream, peer: SocketAddr) {
        if let Some(admission) = Crowd::admit(&self.shared.crowd, peer) {
            self.shared.metrics.dismissed(admission.closed);
            let shared = Arc::clone(&self.shared);
            let serve = move |stream| connection::serve(shared, stream, peer, admission.place);
            if let Err(error) = self.lanes.serve(&mut self.served, stream, serve) {
                tracing::warn!(%error, "cannot serve a connection");
            }
            return;
        }
        self.shared.metrics.refused("connections");
        tracing::warn!(%peer, open = self.served.len(), "too many connections");
        if self.turned_away.len() < crowded::AT_ONCE {
            self.turned_away.spawn(crowded::turn_away(stream));
        }
    }

    async fn finish(mut self) {
        self.shared.crowd.finish();
        self.turned_away.abort_all();
        let all = async { while self.served.join_next().await.is_some() {} };
        let limit = self.shared.limits.shutdown_timeout;
        if tokio::time::timeout(limit, all).await.is_err() {
            let open = self.served.len();
            tracing::warn!(open, "closing connections whose requests take too long");
            self.served.shutdown().await;
        }
        if let Some(log) = self.shared.access_log.clone() {
            drop(tokio::task::spawn_blocking(move || log.flush()).await);
        }
    }
}
