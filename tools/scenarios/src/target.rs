//! What scripts run on.

use crate::other_server::{KNOWN_KEYS, OtherServer, ServerProcess};
use crate::stale::Stale;
use monotable_api::Dynamo;
use monotable_aws::RemoteOptions;
use monotable_engine::{Clock, EngineOptions};
use monotable_server::ServerOptions;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// A kind of DynamoDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The embedded engine in memory.
    Memory,
    /// The embedded engine on disk, and a store that is bound from the bytes of its compiled model.
    Disk,
    /// Our server over HTTP.
    Server,
    /// The engine with lagging indexes.
    Stale,
    /// The REST API in front of a store on the engine in memory.
    Rest,
    /// A server that somebody else wrote.
    Other(OtherServer),
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "memory" => Ok(Self::Memory),
            "disk" => Ok(Self::Disk),
            "server" => Ok(Self::Server),
            "stale" => Ok(Self::Stale),
            "rest" => Ok(Self::Rest),
            "dynoxide" => Ok(Self::Other(OtherServer::Dynoxide)),
            "extenddb" => Ok(Self::Other(OtherServer::ExtendDb)),
            other => Err(format!(
                "there is no target `{other}`: memory, disk, server, stale, rest, dynoxide, extenddb"
            )),
        }
    }
}

/// How long expired items stay. DynamoDB promises a few days, and scripts see that they are not shown in between.
const EXPIRED_STAY: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// The clock of a script as the engine sees it.
struct LateClock {
    micros: Arc<AtomicI64>,
}

impl Clock for LateClock {
    fn now(&self) -> Duration {
        let micros = u64::try_from(self.micros.load(Ordering::SeqCst)).unwrap_or_default();
        Duration::from_micros(micros).saturating_sub(EXPIRED_STAY)
    }
}

/// An open target; it goes with what it stands on.
pub(crate) struct Opened {
    pub(crate) dynamo: Arc<dyn Dynamo>,
    _folder: Option<tempfile::TempDir>,
    _process: Option<ServerProcess>,
}

impl Target {
    /// A new, empty one, in which expired items go by the clock of the script.
    pub(crate) async fn open(self, clock: &Arc<AtomicI64>) -> Result<Opened, String> {
        let said = |error: &dyn std::fmt::Display| error.to_string();
        let options = || {
            let micros = Arc::clone(clock);
            EngineOptions::new().clock(Arc::new(LateClock { micros }))
        };
        let memory = || options().in_memory().map_err(|error| said(&error));
        let mut folder = None;
        let mut process = None;
        let dynamo: Arc<dyn Dynamo> = match self {
            Self::Memory | Self::Rest => Arc::new(memory()?),
            Self::Disk => {
                let dir = tempfile::tempdir().map_err(|error| said(&error))?;
                let engine = options().open(dir.path()).map_err(|error| said(&error))?;
                folder = Some(dir);
                Arc::new(engine)
            }
            Self::Stale => Arc::new(Stale::new(memory()?, memory()?, stale_seed())),
            Self::Server => {
                let server = ServerOptions::new().port(0).bind(Arc::new(memory()?)).await;
                let server = server.map_err(|error| said(&error))?;
                let url = format!("http://{}", server.address());
                tokio::spawn(server.run(std::future::pending()));
                connect(url, ("a", "b")).await?
            }
            Self::Other(other) => {
                let started = ServerProcess::start(other).await?;
                let url = started.url();
                process = Some(started);
                connect(url, KNOWN_KEYS).await?
            }
        };
        Ok(Opened {
            dynamo,
            _folder: folder,
            _process: process,
        })
    }
}

async fn connect(url: String, (key, secret): (&str, &str)) -> Result<Arc<dyn Dynamo>, String> {
    // The store tries again itself, and must know when it does.
    let options = RemoteOptions::new().endpoint_url(url).max_attempts(1);
    let options = options.region("us-east-1").credentials(key, secret, None);
    let remote = options.connect().await.map_err(|error| error.to_string())?;
    Ok(Arc::new(remote))
}

/// Where the chance of a target with lagging indexes begins: `MONOTABLE_STALE_SEED`, else always the same.
fn stale_seed() -> u64 {
    let seed = std::env::var("MONOTABLE_STALE_SEED").ok();
    seed.and_then(|seed| seed.parse().ok()).unwrap_or(7)
}
