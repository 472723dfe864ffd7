//! The child that writes.

use super::{Parent, fader, index_changes, keeper, open};
use crate::ledger::BUCKET;
use crate::place::{LASTING, creation};
use crate::record::Record;
use crate::version::Stamp;
use crate::workload::Workload;
use crate::write::Outcome;
use monotable_api::{Error, GetItemInput, ListTablesInput};
use monotable_engine::{Durability, Engine};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Requests that a thread sends after one failed, to see that they are refused.
const AFTER_FAULT: u32 = 3;

/// How long the background rests.
const HASTE: Duration = Duration::from_millis(20);

/// What a thread beside the writers does, until it is told that they have ended.
type Work = Box<dyn FnOnce(&Engine, &AtomicBool) + Send>;

/// What a writer is told to do.
#[derive(Clone, Debug)]
pub struct WriterSettings {
    /// Where the store is.
    pub directory: PathBuf,
    /// How durable writes are.
    pub durability: Durability,
    /// Which writer of the campaign this is, for the stamps.
    pub writer: u32,
    /// Decides what is written.
    pub seed: u64,
    /// How many threads write.
    pub threads: u8,
}

/// Writes until it is killed, or the store refuses.
///
/// # Errors
///
/// When the store does not open, or the parent is gone.
pub fn write(settings: &WriterSettings) -> io::Result<()> {
    let mut parent = Parent::of_this_process()?;
    let engine = open(&mut parent, &settings.directory, settings.durability)?;
    let mut threads = Vec::new();
    let ready = create_lasting_tables(&engine, &mut parent)?;
    for thread in (0..settings.threads).filter(|_| ready) {
        let writer = Writer {
            engine: engine.clone(),
            parent: parent.clone_pipe()?,
            workload: Workload::new(settings.seed ^ u64::from(thread) << 56),
            stamp: Stamp {
                writer: settings.writer,
                thread,
                sequence: 0,
            },
        };
        threads.push(thread::spawn(move || writer.run()));
    }
    let ended = Arc::new(AtomicBool::new(!ready));
    let beside = start_beside(&engine, settings, &ended);
    for thread in threads {
        let ended = thread.join();
        ended.map_err(|_| io::Error::other("a writer panicked"))??;
    }
    ended.store(true, Ordering::Relaxed);
    for thread in beside {
        let ended = thread.join();
        ended.map_err(|_| io::Error::other("a thread beside the writers panicked"))?;
    }
    engine.close();
    parent.tell(&Record::Closed)
}

/// The threads of which the parent need not know what they did: what they leave is judged by itself.
fn start_beside(
    engine: &Engine,
    settings: &WriterSettings,
    ended: &Arc<AtomicBool>,
) -> Vec<JoinHandle<()>> {
    make_bucket(&settings.directory);
    let seed = settings.seed;
    let start = |work: Work| {
        let (engine, ended) = (engine.clone(), Arc::clone(ended));
        thread::spawn(move || work(&engine, &ended))
    };
    let directory = settings.directory.clone();
    let stamp = Stamp {
        writer: settings.writer,
        thread: settings.threads,
        sequence: 0,
    };
    vec![
        start(Box::new(move |engine, ended| {
            index_changes::run(engine, seed, ended);
        })),
        start(Box::new(move |engine, ended| {
            keeper::run(engine, &directory, seed, ended);
        })),
        start(Box::new(move |engine, ended| {
            fader::run(engine, seed, stamp, ended);
        })),
        start(Box::new(hasten)),
    ]
}

/// The bucket is the user's to make, and so to sync.
fn make_bucket(directory: &Path) {
    let buckets = super::buckets(directory);
    // A disk that fails here is met by the engine too, which tells of it.
    let _ = fs::create_dir_all(buckets.join(BUCKET));
    for folder in [directory, &buckets] {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

/// Lets the background work all the time: the engine's own thread does so twice a second, which is as long as many writers live.
fn hasten(engine: &Engine, ended: &AtomicBool) {
    while !ended.load(Ordering::Relaxed) && engine.background_step().is_ok() {
        thread::sleep(HASTE);
    }
}

/// False if the disk failed.
fn create_lasting_tables(engine: &Engine, parent: &mut Parent) -> io::Result<bool> {
    let listed = engine.list_tables(ListTablesInput::new());
    let listed = listed.map_err(io::Error::other)?.table_names;
    for name in LASTING {
        if listed.iter().any(|listed| listed == name) {
            continue;
        }
        parent.tell(&Record::Creating(name.to_owned()))?;
        match engine.create_table(creation(name)) {
            Ok(_) => parent.tell(&Record::Created(name.to_owned()))?,
            Err(Error::InternalServerError { message }) => {
                parent.tell(&Record::CreateFailed(message))?;
                return Ok(false);
            }
            Err(other) => return Err(io::Error::other(other)),
        }
    }
    Ok(true)
}

struct Writer {
    engine: Engine,
    parent: Parent,
    workload: Workload,
    stamp: Stamp,
}

impl Writer {
    fn run(mut self) -> io::Result<()> {
        while !matches!(self.request()?, Outcome::Failed(_)) {}
        for _ in 0..AFTER_FAULT {
            self.request()?;
            let problem = self.read().err().map(|error| error.to_string());
            self.parent.tell(&Record::Read(problem))?;
        }
        Ok(())
    }

    fn request(&mut self) -> io::Result<Outcome> {
        let write = self.workload.next_write();
        self.stamp.sequence += 1;
        self.parent
            .tell(&Record::Intent(self.stamp, write.clone()))?;
        let outcome = write.send(&self.engine, self.stamp);
        self.parent
            .tell(&Record::Answer(self.stamp, outcome.clone()))?;
        Ok(outcome)
    }

    /// A read works whatever became of the writes. The table may be missing.
    fn read(&mut self) -> Result<(), Error> {
        let place = self.workload.place();
        let thread = self.stamp.thread;
        let input = GetItemInput::new(place.table.name(thread), place.key(thread)).consistent();
        match self.engine.get_item(input) {
            Ok(_) | Err(Error::ResourceNotFoundException { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
