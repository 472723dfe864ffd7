//! One history: clients at work, kills in between, and a last look at everything.

use super::AppendSettings;
use super::client::{Client, Place, Shared};
use super::lists::{Family, LISTS, Lists, table};
use super::request::Request;
use crate::Program;
use crate::history::History;
use crate::server::{Server, connect, serve};
use fastrand::Rng;
use monotable_api::DynamoExt;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

/// A store and the server that serves it at the moment.
pub(super) struct Store {
    program: Program,
    directory: TempDir,
    server: Option<Server>,
    place: watch::Sender<Place>,
}

impl Store {
    /// An empty store, with its table.
    pub(super) async fn open(settings: &AppendSettings) -> io::Result<Self> {
        let mut store = Self {
            program: settings.program.clone(),
            directory: TempDir::new()?,
            server: None,
            place: watch::Sender::new(Place::default()),
        };
        store.start().await?;
        let address = store.place.borrow().address.clone();
        let made = connect(&address).await?.create_table(table()).await;
        made.map_err(|error| io::Error::other(error.to_string()))?;
        Ok(store)
    }

    async fn start(&mut self) -> io::Result<()> {
        let (server, address) = serve(&self.program, self.directory.path()).await?;
        self.server = Some(server);
        self.place.send_modify(|place| {
            place.generation += 1;
            place.address = address;
        });
        Ok(())
    }

    async fn kill(&mut self) -> io::Result<()> {
        if let Some(server) = self.server.take() {
            server.kill()?;
        }
        self.start().await
    }

    /// Runs one history on lists of its own; gives it back with the number of kills.
    pub(super) async fn run_history(
        &mut self,
        settings: &AppendSettings,
        number: u32,
    ) -> io::Result<(History, u32)> {
        let mut random = Rng::with_seed(settings.seed ^ (u64::from(number) << 20));
        let (begun, mut beginnings) = mpsc::unbounded_channel();
        let shared = Shared {
            lists: Lists { history: number },
            place: self.place.subscribe(),
            begun,
            clock: Arc::new(Instant::now()),
        };
        let mut clients = JoinSet::new();
        for client in 1..=settings.clients {
            let client = Client::new(shared.clone(), client, random.u64(..)).await?;
            clients.spawn(client.run(settings.requests));
        }
        let all = settings.clients * settings.requests;
        // The kills come after these many requests have begun, so that each history has them, however fast it runs.
        let count = random.u32(1..=settings.kills.max(1));
        let moments: BTreeSet<u32> = (0..count).map(|_| random.u32(1..=all)).collect();
        let kills = u32::try_from(moments.len()).unwrap_or(u32::MAX);
        let mut seen = 0;
        for moment in moments {
            while seen < moment && beginnings.recv().await.is_some() {
                seen += 1;
            }
            tokio::time::sleep(Duration::from_micros(random.u64(0..4_000))).await;
            self.kill().await?;
        }
        let mut history = History::default();
        while let Some(operations) = clients.join_next().await {
            let operations = operations.map_err(io::Error::other)??;
            history.operations.extend(operations);
        }
        let last = Client::new(shared, 0, 0).await?;
        history.operations.extend(last.read(&look_at_all()).await?);
        Ok((history, kills))
    }
}

/// Reads all lists in every way that there is.
fn look_at_all() -> Vec<Request> {
    let keys: Vec<_> = (0..LISTS).collect();
    let all = [
        Request::TransactGet { keys: keys.clone() },
        Request::BatchGet { keys },
    ];
    let families = Family::list_all().map(|family| Request::Query { family });
    all.into_iter().chain(families).collect()
}
