//! What can be said after a command.

use super::{USAGE, number, parse_durability};
use monotable_engine::Durability;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The options of a run.
pub(super) struct Options {
    pub(super) rounds: u32,
    pub(super) seed: u64,
    pub(super) durability: Durability,
    folder: Option<PathBuf>,
    temporary: Option<TempDir>,
}

impl Options {
    pub(super) fn parse(arguments: &[&str], rounds: u32) -> io::Result<Self> {
        let mut options = Self {
            rounds,
            // Printed, so that a run can be had again.
            seed: fastrand::u64(0..1_000_000),
            durability: Durability::Sync,
            folder: None,
            temporary: None,
        };
        let mut rest = arguments;
        while !rest.is_empty() {
            rest = match rest {
                ["--rounds", rounds, rest @ ..] => {
                    options.rounds = number(rounds)?;
                    rest
                }
                ["--seed", seed, rest @ ..] => {
                    options.seed = number(seed)?;
                    rest
                }
                ["--dir", folder, rest @ ..] => {
                    options.folder = Some(folder.into());
                    rest
                }
                ["--relaxed", rest @ ..] => {
                    options.durability = Durability::Relaxed;
                    rest
                }
                ["--durability", name, rest @ ..] => {
                    options.durability = parse_durability(name)?;
                    rest
                }
                [other, ..] => {
                    let message = format!("`{other}` is not understood\n{USAGE}");
                    return Err(io::Error::other(message));
                }
                [] => rest,
            };
        }
        Ok(options)
    }

    /// Where everything happens: the folder that was named, or one that goes away afterwards.
    pub(super) fn folder(&mut self) -> io::Result<PathBuf> {
        if let Some(folder) = &self.folder {
            return Ok(folder.clone());
        }
        let temporary = tempfile::Builder::new().prefix("torture-").tempdir()?;
        let folder = temporary.path().to_owned();
        self.temporary = Some(temporary);
        self.folder = Some(folder.clone());
        Ok(folder)
    }

    /// Keeps the folder, for someone to look at.
    pub(super) fn keep(&mut self) -> Option<&Path> {
        if let Some(temporary) = self.temporary.take() {
            let _ = temporary.keep();
        }
        self.folder.as_deref()
    }
}

/// This program, to start children with.
pub(super) fn program() -> io::Result<PathBuf> {
    env::current_exe()
}
