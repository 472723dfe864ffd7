//! The machine under torture: a directory, the processes that open it, and its power switch.

use crate::power_loss::{Damage, Loss, cut_power};
use crate::preload::Shim;
use crate::running::Running;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory and what may happen to it.
#[derive(Debug)]
pub struct Machine {
    program: PathBuf,
    /// Beside the store: logs of the shim, and what children write to standard error.
    folder: PathBuf,
    store: PathBuf,
    shim: Option<Shim>,
    /// Logs since the last power cut.
    logs: Vec<PathBuf>,
    started: u32,
}

impl Machine {
    /// A machine in this folder; `program` is the torture command. Without a shim its power cannot be
    /// cut, and nothing else can be made to fail.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made, or holds a store already.
    pub fn new(program: &Path, folder: &Path, shim: Option<Shim>) -> io::Result<Self> {
        let mut machine = Self::with_store(program, folder, &folder.join("store"));
        fs::create_dir_all(folder)?;
        // The model starts empty, so the store must, too.
        fs::create_dir(&machine.store)?;
        machine.shim = shim;
        Ok(machine)
    }

    /// A machine whose store is on another disk than the folder for its logs.
    #[must_use]
    pub fn with_store(program: &Path, folder: &Path, store: &Path) -> Self {
        Self {
            program: program.to_owned(),
            folder: folder.to_owned(),
            store: store.to_owned(),
            shim: None,
            logs: Vec::new(),
            started: 0,
        }
    }

    /// Where the store is.
    #[must_use]
    pub fn store(&self) -> &Path {
        &self.store
    }

    /// Starts a child on the store, with these arguments after the store's path.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(
        &mut self,
        role: &str,
        arguments: &[String],
        settings: &[(String, String)],
    ) -> io::Result<Running> {
        self.started += 1;
        let said = self.folder.join(format!("stderr-{}", self.started));
        let mut command = Command::new(&self.program);
        command
            .args(["child", role])
            .arg(&self.store)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&said)?);
        if let Some(shim) = &self.shim {
            let log = self.folder.join(format!("log-{}", self.started));
            shim.preload(&mut command, &self.store, &log);
            self.logs.push(log);
        }
        for (name, value) in settings {
            command.env(name, value);
        }
        Running::start(&mut command, said)
    }

    /// How many journals and table files were begun so far, by their numbers: enough of both means that
    /// kills have met rotations, flushes and compactions.
    #[must_use]
    pub fn files_begun(&self) -> (u64, u64) {
        let data = self.store.join("data");
        let keyspaces = names(&data.join("keyspaces"));
        let tables = keyspaces.map(|keyspace| {
            let tables = data.join("keyspaces").join(keyspace).join("tables");
            let numbers = names(&tables).filter_map(|name| name.parse::<u64>().ok());
            numbers.max()
        });
        let tables = tables.flatten().sum();
        let journals = names(&data);
        let journals = journals.filter_map(|name| name.strip_suffix(".jnl")?.parse::<u64>().ok());
        (journals.max().map_or(0, |last| last + 1), tables)
    }

    /// Cuts the power: what was not synced is lost, kept or torn.
    ///
    /// # Errors
    ///
    /// When a log cannot be read, or there is no shim.
    pub fn cut_power(&mut self, loss: Loss) -> io::Result<Damage> {
        // A child that was killed before its first instruction has left no log.
        self.logs.retain(|log| log.exists());
        let logs: Vec<&Path> = self.logs.iter().map(PathBuf::as_path).collect();
        let damage = cut_power(&self.store, &logs, loss)?;
        self.logs.clear();
        Ok(damage)
    }
}

/// The names in a folder; none if there is no such folder.
fn names(folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok())
}
