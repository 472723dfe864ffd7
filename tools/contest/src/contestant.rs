//! The servers that are compared, and how each is started.
//!
//! What is known about the durability of each, from its source and from counting its calls:
//! - Monotable on disk: one `fdatasync` for each group of writes, before any of them is answered.
//! - dynoxide on disk: SQLite in WAL mode with `synchronous` left at FULL: a sync for each write.
//! - dynalite: LevelDB without `sync`. A power cut takes acknowledged writes.
//! - ExtendDB: SQLite in WAL mode with `synchronous = NORMAL`, which syncs at checkpoints only. A power
//!   cut takes acknowledged writes.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::phase::Phase;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contestant {
    MonotableDisk,
    /// The disk store of an earlier build.
    MonotableBefore,
    MonotableMemory,
    Dynoxide,
    DynoxideMemory,
    Dynalite,
    ExtendDb,
    /// A hyper server that answers every request with one constant body.
    Bare,
}

/// What an acknowledged write has survived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// Every write is on the disk before its answer.
    Synced,
    /// Writes reach the disk some time after their answer.
    Unsynced,
    /// Nothing outlives the process.
    Memory,
    /// There are no writes.
    Nothing,
}

impl Keeps {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Synced => "synced",
            Self::Unsynced => "NOT synced",
            Self::Memory => "memory",
            Self::Nothing => "no data",
        }
    }
}

/// The command that starts a server, or why there is none.
pub(crate) enum Launch {
    Ready(Command),
    NotInstalled(PathBuf),
}

impl Contestant {
    /// Those that need no other option to be named.
    pub(crate) const ALL: [Self; 7] = [
        Self::MonotableDisk,
        Self::MonotableMemory,
        Self::Dynoxide,
        Self::DynoxideMemory,
        Self::Dynalite,
        Self::ExtendDb,
        Self::Bare,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::MonotableDisk => "monotable-disk",
            Self::MonotableBefore => "monotable-before",
            Self::MonotableMemory => "monotable-memory",
            Self::Dynoxide => "dynoxide",
            Self::DynoxideMemory => "dynoxide-memory",
            Self::Dynalite => "dynalite",
            Self::ExtendDb => "extenddb",
            Self::Bare => "bare",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|contestant| contestant.name() == name)
    }

    pub(crate) const fn keeps(self) -> Keeps {
        match self {
            Self::MonotableDisk | Self::MonotableBefore | Self::Dynoxide => Keeps::Synced,
            Self::Dynalite | Self::ExtendDb => Keeps::Unsynced,
            Self::MonotableMemory | Self::DynoxideMemory => Keeps::Memory,
            Self::Bare => Keeps::Nothing,
        }
    }

    /// Whether it knows the operation: dynalite has no transactions, the bare server one answer.
    pub(crate) const fn offers(self, phase: Phase) -> bool {
        match self {
            Self::Dynalite => !matches!(phase, Phase::Transaction),
            Self::Bare => matches!(phase, Phase::Get),
            _ => true,
        }
    }

    pub(crate) const fn is_peer(self) -> bool {
        !matches!(
            self,
            Self::MonotableDisk | Self::MonotableBefore | Self::MonotableMemory | Self::Bare
        )
    }

    /// How to start it on this port with an empty store in this folder.
    pub(crate) fn launch(
        self,
        arguments: &Arguments,
        folder: &Path,
        port: u16,
    ) -> Result<Launch, Failure> {
        let program = self.program(arguments)?;
        if !program.is_file() {
            return Ok(Launch::NotInstalled(program));
        }
        let mut command = match self {
            Self::Dynalite => Command::new("node"),
            _ => Command::new(&program),
        };
        command.current_dir(folder).stdin(Stdio::null());
        let port = port.to_string();
        match self {
            Self::MonotableDisk | Self::MonotableBefore => {
                command.args(["serve", "--port", &port, "--store", "store"])
            }
            Self::MonotableMemory => command.args(["serve", "--port", &port, "--in-memory"]),
            Self::Dynoxide => command.args(["serve", "--port", &port, "--db-path", "store.db"]),
            Self::DynoxideMemory => command.args(["serve", "--port", &port]),
            Self::Dynalite => command
                .arg(&program)
                .args(["--host", "127.0.0.1", "--port", &port, "--path", "store"])
                .args(["--createTableMs", "0"]),
            Self::ExtendDb => {
                initialize_extenddb(&program, folder)?;
                command.env("HOME", folder).args([
                    "serve",
                    "--foreground",
                    "--config",
                    "extenddb.toml",
                    "--port",
                    &port,
                ])
            }
            Self::Bare => command.args(["bare", "--port", &port]),
        };
        Ok(Launch::Ready(command))
    }

    fn program(self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        let peers = std::path::absolute(&arguments.peers)?;
        let modules = peers.join("npm/node_modules");
        Ok(match self {
            Self::MonotableDisk | Self::MonotableMemory => monotable(arguments)?,
            Self::MonotableBefore => earlier_build(arguments)?,
            Self::Dynoxide | Self::DynoxideMemory => peers.join("dynoxide/bin/dynoxide"),
            Self::Dynalite => modules.join("dynalite/cli.js"),
            Self::ExtendDb => modules.join("@extenddb/linux-x64/extenddb"),
            Self::Bare => std::env::current_exe()?,
        })
    }

    /// What to do when its program is not there.
    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::MonotableDisk | Self::MonotableMemory | Self::Bare => {
                "build it with `cargo build --release`, or name it with --monotable"
            }
            Self::MonotableBefore => "build the earlier commit, and name its binary with --before",
            _ => "see tools/contest/install-peers.sh, and name its folder with --peers",
        }
    }
}

fn monotable(arguments: &Arguments) -> Result<PathBuf, Failure> {
    match &arguments.monotable {
        Some(path) => Ok(std::path::absolute(path)?),
        None => Ok(std::env::current_exe()?.with_file_name("monotable")),
    }
}

fn earlier_build(arguments: &Arguments) -> Result<PathBuf, Failure> {
    let named = arguments.before.as_deref();
    Ok(std::path::absolute(named.ok_or(
        "the earlier build of the server is not named: --before PATH",
    )?)?)
}

/// ExtendDB wants its database and its configuration made before it serves.
fn initialize_extenddb(program: &Path, folder: &Path) -> Result<(), Failure> {
    let output = Command::new(program)
        .current_dir(folder)
        .env("HOME", folder)
        .env("EXTENDDB_ADMIN_USER", "admin")
        .env("EXTENDDB_ADMIN_PASSWORD", "contest-Password-1")
        .args([
            "init",
            "--sqlite-path",
            "store.sqlite",
            "--config",
            "extenddb.toml",
        ])
        .args(["--bind-addr", "127.0.0.1"])
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        Ok(())
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("`extenddb init` failed: {errors}").into())
    }
}
