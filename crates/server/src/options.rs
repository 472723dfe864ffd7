//! How a server is set up.

use crate::access_log::AccessLog;
use crate::bind::{self, BindError};
use crate::credentials::Credentials;
use crate::data_sets::{DataSets, FindRegion};
use crate::gauge::Gauge;
use crate::limits::Limits;
use crate::mount::Mount;
use crate::readiness::Readiness;
use crate::server::Server;
use crate::tls::Certificate;
use monotable_api::Dynamo;
use monotable_policy::Scope;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::SystemTime;

/// How a server is set up: where it listens, whom it believes, and how much it takes.
#[derive(Clone)]
pub struct ServerOptions {
    pub(crate) address: SocketAddr,
    pub(crate) credentials: Option<Credentials>,
    pub(crate) scope: Scope,
    pub(crate) insecure: bool,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) certificate: Option<Certificate>,
    pub(crate) access_log: Option<AccessLog>,
    pub(crate) readiness: Readiness,
    pub(crate) gauges: Arc<dyn Fn() -> Vec<Gauge> + Send + Sync>,
    pub(crate) clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    pub(crate) mount: Option<Arc<dyn Mount>>,
}

impl ServerOptions {
    /// 127.0.0.1:8000, any credentials accepted, no CORS, the default limits.
    pub fn new() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8000),
            credentials: None,
            scope: Scope::default(),
            insecure: false,
            hosts: Vec::new(),
            origins: Vec::new(),
            limits: Limits::default(),
            certificate: None,
            access_log: None,
            readiness: Arc::new(|| Ok(())),
            gauges: Arc::new(Vec::new),
            clock: Arc::new(SystemTime::now),
            mount: None,
        }
    }

    /// Listens on this address. Any but a loopback address needs
    /// [`credentials`](Self::credentials) or [`insecure`](Self::insecure).
    #[must_use]
    pub fn host(mut self, host: IpAddr) -> Self {
        self.address.set_ip(host);
        self
    }

    /// Listens on this port; 0 takes any free one, which [`Server::address`] tells.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.address.set_port(port);
        self
    }

    /// Verifies the signature of every request with these access keys.
    #[must_use]
    pub fn credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// The region and account in the ARNs that policies name, if not `local` and `000000000000`. They must be those that
    /// the `Dynamo` names.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Listens on a public address even without credentials: whoever reaches it can read and change
    /// everything.
    #[must_use]
    pub fn insecure(mut self) -> Self {
        self.insecure = true;
        self
    }

    /// Accepts requests for this host name besides `localhost` and plain addresses; `*` accepts any.
    ///
    /// Names are checked because a page on the web can point a name of its own at 127.0.0.1, and its
    /// scripts then talk to this server as if they came from it (DNS rebinding).
    #[must_use]
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Lets pages of this origin (`https://app.example`) use the server from a browser; `*` lets all.
    #[must_use]
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Speaks TLS with this certificate, and nothing else.
    #[must_use]
    pub fn certificate(mut self, certificate: Certificate) -> Self {
        self.certificate = Some(certificate);
        self
    }

    /// Writes a line for each request to this log.
    #[must_use]
    pub fn access_log(mut self, log: AccessLog) -> Self {
        self.access_log = Some(log);
        self
    }

    /// What `/readyz` asks: an error says in words why nothing can be written. It is called on a thread of its own and
    /// may look at the disk.
    #[must_use]
    pub fn readiness(
        mut self,
        readiness: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.readiness = Arc::new(readiness);
        self
    }

    /// What the process adds to `/metrics`; called for each request of it.
    #[must_use]
    pub fn gauges(mut self, gauges: impl Fn() -> Vec<Gauge> + Send + Sync + 'static) -> Self {
        self.gauges = Arc::new(gauges);
        self
    }

    /// The time that the dates of signatures are held against.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Serves something else beside DynamoDB's protocol, below a path of its own.
    #[must_use]
    pub fn mount(mut self, mount: Arc<dyn Mount>) -> Self {
        self.mount = Some(mount);
        self
    }

    /// Binds the socket; [`Server::run`] then serves `dynamo`.
    pub async fn bind(self, dynamo: Arc<dyn Dynamo>) -> Result<Server, BindError> {
        bind::bind(self, DataSets::Shared(dynamo)).await
    }

    /// Binds the socket; [`Server::run`] then serves to each request the data set of the region that it was signed for.
    pub async fn bind_regions(self, find: FindRegion) -> Result<Server, BindError> {
        bind::bind(self, DataSets::Regional(find)).await
    }
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ServerOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerOptions")
            .field("address", &self.address)
            .field("credentials", &self.credentials)
            .field("insecure", &self.insecure)
            .field("hosts", &self.hosts)
            .field("origins", &self.origins)
            .field("limits", &self.limits)
            .field("certificate", &self.certificate)
            .field("access_log", &self.access_log)
            .finish_non_exhaustive()
    }
}
