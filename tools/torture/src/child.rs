//! The processes that open the engine: one that writes until it is killed, one that looks at what is
//! there. Both are this program, started by the parent, and talk to it in frames.

mod checker;
mod copies;
mod faded;
mod fader;
mod index_changes;
mod indexes;
mod keeper;
mod refused;
mod streams;
mod writer;

pub use checker::check;
pub use writer::{WriterSettings, write};

use crate::record::{Record, write_frame};
use monotable_engine::{Durability, Engine, EngineOptions};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

/// The pipe to the parent. Clones write to the same one.
#[derive(Debug)]
struct Parent(File);

impl Parent {
    /// Standard output without the buffer that Rust puts before it.
    fn of_this_process() -> io::Result<Self> {
        let pipe = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Self(pipe.into()))
    }

    fn clone_pipe(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    fn tell(&mut self, record: &Record) -> io::Result<()> {
        write_frame(&mut self.0, record, &[])
    }

    fn tell_with(&mut self, record: &Record, body: &[u8]) -> io::Result<()> {
        write_frame(&mut self.0, record, body)
    }
}

/// Opens the engine, and tells the parent how that went.
fn open(parent: &mut Parent, directory: &Path, durability: Durability) -> io::Result<Engine> {
    let options = EngineOptions::new()
        .durability(durability)
        .buckets(buckets(directory));
    match options.open(directory) {
        Ok(engine) => {
            parent.tell(&Record::Opened)?;
            Ok(engine)
        }
        Err(error) => {
            parent.tell(&Record::OpenFailed(error.to_string()))?;
            Err(io::Error::other(error))
        }
    }
}

/// The folder of buckets: inside the store's directory, so that a power cut and a full disk meet it too.
fn buckets(directory: &Path) -> PathBuf {
    directory.join("buckets")
}
