//! Runs of children under the shim, as traces.

use crate::bounded;
use crate::numbered;
use crate::preload::Shim;
use monotable_faultlog::{Step, read_trace};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(300);

#[derive(Debug)]
pub(super) struct Recorder {
    program: PathBuf,
    folder: PathBuf,
    shim: Shim,
}

impl Recorder {
    pub(super) fn new(program: &Path, folder: &Path) -> io::Result<Self> {
        Ok(Self {
            program: program.into(),
            folder: folder.into(),
            shim: Shim::build()?,
        })
    }

    /// Records a run that makes a store and sends so many requests.
    pub(super) fn record_run(&self, requests: u64) -> io::Result<Vec<Step>> {
        let folder = self.folder.join("recorded");
        fs::create_dir_all(folder.join("store"))?;
        self.record(&folder, requests)
    }

    /// Records how a store in this folder is opened and closed.
    pub(super) fn record_recovery(&self, folder: &Path) -> io::Result<Vec<Step>> {
        self.record(folder, 0)
    }

    fn record(&self, folder: &Path, requests: u64) -> io::Result<Vec<Step>> {
        let (log, trace) = (self.folder.join("log"), self.folder.join("trace"));
        for path in [&log, &trace] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        let mut command = Command::new(&self.program);
        command
            .args(["child", "record"])
            .arg(folder)
            .arg(requests.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null());
        self.shim.preload(&mut command, folder, &log);
        command.env("FAULTSHIM_TRACE", &trace);
        let mut child = command.spawn()?;
        let status = bounded::wait(&mut child, PATIENCE)?;
        if !status.success() {
            return Err(io::Error::other(format!(
                "the recorded process ended with {status}"
            )));
        }
        Ok(read_trace(&fs::read(trace)?))
    }
}

/// The child: opens the store in a folder, sends requests, and notes in the same folder what was sent and acknowledged. So the
/// trace has both, in order.
///
/// # Errors
///
/// When a request fails.
pub fn record_child(folder: &Path, requests: u64) -> io::Result<()> {
    let mut notes = File::create(folder.join("notes"))?;
    let engine = numbered::open(&folder.join("store")).map_err(io::Error::other)?;
    for number in 0..requests {
        notes.write_all(b"s")?;
        numbered::send(&engine, number).map_err(io::Error::other)?;
        notes.write_all(b"a")?;
        if number % numbered::SETTLES == numbered::SETTLES - 1 {
            engine.settle().map_err(io::Error::other)?;
        }
    }
    engine.close();
    Ok(())
}
