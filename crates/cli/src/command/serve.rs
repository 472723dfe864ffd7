//! `monotable serve`: the DynamoDB API over HTTP.

mod cache;
mod gauges;
mod logging;
mod rereading;
mod signals;

use crate::access_keys;
use crate::exit::Failure;
use crate::interrupt::runtime;
use crate::output::print;
use crate::target::{StoreArguments, open_store};
use clap::{Args, ValueEnum};
use logging::LogArguments;
use monotable_engine::{Durability, Engine, EngineOptions};
use monotable_server::{Server, ServerOptions};
use rereading::Rereading;
use signals::Signals;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Examples:
  $ monotable serve
  $ monotable serve --in-memory --port 8001
  $ monotable serve --host 0.0.0.0 --credentials keys.ini

Any AWS SDK talks to it, with any credentials and any region, once it knows the address:
  export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000

The file of --credentials looks like ~/.aws/credentials:
  [alice]
  aws_access_key_id     = AKIDALICE
  aws_secret_access_key = ...
  policy                = alice.json    # in IAM's JSON; without one the key may do everything

SIGHUP reads the file again. docs/policies.md describes policies; `monotable policy test` tries them.";

/// Serve the DynamoDB API over HTTP to any AWS SDK
///
/// Ctrl-C or SIGTERM ends it: requests in progress are answered, then the store is closed. A second
/// one ends it at once; what was acknowledged is safe then, too.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    #[command(flatten)]
    store: StoreArguments,

    /// Keep everything in memory, until the server ends
    #[arg(long, conflicts_with = "store")]
    in_memory: bool,

    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8000)]
    port: u16,

    /// The address to listen on; any but this machine's own needs --credentials or --insecure
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST.into())]
    host: IpAddr,

    /// What an acknowledged write has survived
    #[arg(long, value_enum, default_value_t = Acknowledged::Sync)]
    durability: Acknowledged,

    /// Memory for items and blocks of the disk, in megabytes; an eighth of the machine's, at most 1024, if not given
    #[arg(long, value_name = "MEGABYTES", conflicts_with = "in_memory")]
    cache: Option<u64>,

    /// The folder that stands for S3, for exports and imports: each folder in it is a bucket
    #[arg(long, value_name = "FOLDER")]
    buckets: Option<PathBuf>,

    /// Accept only requests signed with the access keys in this file, as far as its policies allow them
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,

    /// Let anyone who reaches the address read and change everything
    #[arg(long)]
    insecure: bool,

    /// Accept requests for this host name, too; may be given several times
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,

    /// Let pages of this origin use the server from a browser; may be given several times
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    #[command(flatten)]
    log: LogArguments,
}

/// What an acknowledged write has survived.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Acknowledged {
    /// It is on the disk
    Sync,
    /// It is with the operating system: a power cut can take the last second
    Relaxed,
}

impl From<Acknowledged> for Durability {
    fn from(acknowledged: Acknowledged) -> Self {
        match acknowledged {
            Acknowledged::Sync => Self::Sync,
            Acknowledged::Relaxed => Self::Relaxed,
        }
    }
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.log.install();
        let runtime = runtime()?;
        let outcome = runtime.block_on(self.serve());
        runtime.shutdown_background();
        outcome
    }

    async fn serve(self) -> Result<(), Failure> {
        let signals = Signals::listen()?;
        let rereading = Rereading::listen(self.credentials.as_deref())?;
        let options = self.server_options()?;
        let engine = self.open()?;
        let measured = engine.clone();
        let server = options
            .gauges(move || gauges::of(&measured))
            .bind(Arc::new(engine.clone()))
            .await
            .map_err(Failure::configuration)?;
        rereading.begin(server.key_holder());
        print(self.greeting(&server).as_bytes())?;
        server.run(signals.stop_then_quit()).await;
        // Closing syncs and joins threads.
        let closed = tokio::task::spawn_blocking(move || engine.close()).await;
        closed.map_err(Failure::bug)
    }

    fn server_options(&self) -> Result<ServerOptions, Failure> {
        let mut options = ServerOptions::new().host(self.host).port(self.port);
        if let Some(file) = &self.credentials {
            options = options.credentials(access_keys::read(file)?);
        }
        if self.insecure {
            options = options.insecure();
        }
        for host in &self.allow_host {
            options = options.allow_host(host);
        }
        for origin in &self.allow_origin {
            options = options.allow_origin(origin);
        }
        Ok(options)
    }

    fn open(&self) -> Result<Engine, Failure> {
        let mut options = EngineOptions::new().durability(self.durability.into());
        if let Some(folder) = &self.buckets {
            options = options.buckets(folder);
        }
        if self.in_memory {
            return options.in_memory().map_err(Failure::configuration);
        }
        let cache = self.cache.unwrap_or_else(cache::for_this_machine);
        let options = options.cache_bytes(cache.saturating_mul(1 << 20));
        open_store(&self.store.directory(), options)
    }

    /// The address, where the data is, and what to set.
    fn greeting(&self, server: &Server) -> String {
        let address = server.address();
        let data = if self.in_memory {
            "in memory, gone when the server ends".to_owned()
        } else {
            format!("in {}", self.store.directory().display())
        };
        let keys = match &self.credentials {
            Some(file) => format!("one of the access keys in {}", file.display()),
            None => "any credentials".to_owned(),
        };
        // An SDK can reach 0.0.0.0 by no address of that name.
        let reached = if address.ip().is_unspecified() {
            format!("127.0.0.1:{}", address.port())
        } else {
            address.to_string()
        };
        format!(
            "Monotable listens on http://{address}, its data is {data}.\n\
             Point any AWS SDK at it, with {keys} and any region:\n  \
             export AWS_ENDPOINT_URL_DYNAMODB=http://{reached}\n"
        )
    }
}
