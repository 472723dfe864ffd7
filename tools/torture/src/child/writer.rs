//! The child that writes.

use super::{Parent, index_changes, open};
use crate::place::{LASTING, creation};
use crate::record::Record;
use crate::version::Stamp;
use crate::workload::Workload;
use crate::write::Outcome;
use monotable_api::{Error, GetItemInput, ListTablesInput};
use monotable_engine::{Durability, Engine};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Requests that a thread sends after one failed, to see that they are refused.
const AFTER_FAULT: u32 = 3;

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
    let changer = {
        let (engine, ended, seed) = (engine.clone(), Arc::clone(&ended), settings.seed);
        thread::spawn(move || index_changes::run(&engine, seed, &ended))
    };
    for thread in threads {
        let ended = thread.join();
        ended.map_err(|_| io::Error::other("a writer panicked"))??;
    }
    ended.store(true, Ordering::Relaxed);
    let changed = changer.join();
    changed.map_err(|_| io::Error::other("the changer of indexes panicked"))?;
    engine.close();
    parent.tell(&Record::Closed)
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
