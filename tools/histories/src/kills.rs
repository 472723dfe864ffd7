//! Kills by the thousand, and a look at everything after each.
//!
//! Writers of a store have a partition each, and make one request at a time: puts, updates, deletes and transactions of two
//! items. So each of them knows what its partition must be, but for the one request whose answer it has not got: that is
//! there as a whole, or not at all. After each kill the server is started again, sometimes killed while it recovers, and every
//! partition is read from the table and from both indexes.

mod partition;
mod writer;

use crate::Program;
use crate::server::{Server, connect, serve};
use fastrand::Rng;
use monotable_api::DynamoExt;
use partition::Partition;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::task::JoinSet;
use writer::Writer;

/// What is run.
#[derive(Clone, Debug)]
pub struct KillSettings {
    /// The server.
    pub program: Program,
    /// How many kills there are in all.
    pub kills: u32,
    /// How many stores, each with its server, work side by side.
    pub stores: u32,
    /// How many writers each store has.
    pub writers: u32,
    /// Where chance begins.
    pub seed: u64,
    /// Ends the run earlier if it takes longer.
    pub longest: Duration,
}

/// What was run.
#[derive(Clone, Debug, Default)]
pub struct KillSummary {
    /// Kills of a server that was at work.
    pub kills: u32,
    /// Kills of a server that was starting, among them.
    pub during_start: u32,
    /// Requests that were acknowledged.
    pub acknowledged: u64,
    /// Requests whose answers were lost with the server.
    pub unanswered: u64,
    /// Those of them that had been carried out.
    pub found_done: u64,
    /// What is not as it was acknowledged.
    pub losses: Vec<String>,
    /// How long it took.
    pub time: Duration,
}

/// Kills servers until there were as many kills as wanted. An error is one of the run itself; losses are in the summary.
pub async fn run(settings: &KillSettings) -> io::Result<KillSummary> {
    let began = Instant::now();
    let left = Arc::new(AtomicU32::new(settings.kills));
    let mut stores = JoinSet::new();
    for number in 0..settings.stores {
        stores.spawn(run_store(settings.clone(), number, Arc::clone(&left)));
    }
    let mut summary = KillSummary::default();
    while let Some(part) = stores.join_next().await {
        summary.add(part.map_err(io::Error::other)??);
    }
    summary.time = began.elapsed();
    Ok(summary)
}

/// Takes one of the kills that are left.
fn take(left: &AtomicU32) -> bool {
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
        left.checked_sub(1)
    });
    taken.is_ok()
}

async fn run_store(
    settings: KillSettings,
    number: u32,
    left: Arc<AtomicU32>,
) -> io::Result<KillSummary> {
    let directory = TempDir::new()?;
    let mut random = Rng::with_seed(settings.seed ^ (u64::from(number) << 32));
    let mut summary = KillSummary::default();
    let mut partitions: Vec<Partition> = (0..settings.writers).map(Partition::new).collect();
    let (mut server, mut address) = serve(&settings.program, directory.path()).await?;
    let made = connect(&address)
        .await?
        .create_table(partition::table())
        .await;
    made.map_err(|error| io::Error::other(error.to_string()))?;
    let began = Instant::now();
    while summary.losses.is_empty() && began.elapsed() < settings.longest && take(&left) {
        let pause = Duration::from_micros(random.u64(0..80_000));
        partitions = write_until_killed((server, &address), partitions, pause, &mut random).await?;
        summary.kills += 1;
        if random.u8(0..5) == 0 && take(&left) {
            kill_while_starting(&settings.program, directory.path(), &mut random).await?;
            summary.kills += 1;
            summary.during_start += 1;
        }
        (server, address) = serve(&settings.program, directory.path()).await?;
        let remote = connect(&address).await?;
        for partition in &mut partitions {
            partition.judge(&remote, &mut summary).await?;
        }
    }
    drop(server);
    Ok(summary)
}

/// Lets all writers write for a while, and kills the server in their midst.
async fn write_until_killed(
    (server, address): (Server, &str),
    partitions: Vec<Partition>,
    pause: Duration,
    random: &mut Rng,
) -> io::Result<Vec<Partition>> {
    let mut writers = JoinSet::new();
    for partition in partitions {
        let writer = Writer {
            remote: connect(address).await?,
            partition,
            random: random.fork(),
        };
        writers.spawn(writer.write_until_gone());
    }
    tokio::time::sleep(pause).await;
    server.kill()?;
    let mut partitions = Vec::new();
    while let Some(partition) = writers.join_next().await {
        partitions.push(partition.map_err(io::Error::other)??);
    }
    Ok(partitions)
}

/// Starts a server and kills it before it can have done much: mostly while it reads its journal.
async fn kill_while_starting(program: &Program, store: &Path, random: &mut Rng) -> io::Result<()> {
    let server = program.start(store)?;
    tokio::time::sleep(Duration::from_micros(random.u64(0..40_000))).await;
    server.kill()
}

impl KillSummary {
    fn add(&mut self, part: Self) {
        self.kills += part.kills;
        self.during_start += part.during_start;
        self.acknowledged += part.acknowledged;
        self.unanswered += part.unanswered;
        self.found_done += part.found_done;
        self.losses.extend(part.losses);
    }
}

impl fmt::Display for KillSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} kills ({} of them while the server started), {} writes acknowledged, {} without an answer ({} of them carried out): \
             {} losses, in {} s",
            self.kills,
            self.during_start,
            self.acknowledged,
            self.unanswered,
            self.found_done,
            self.losses.len(),
            self.time.as_secs(),
        )
    }
}
