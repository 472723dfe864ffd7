//! Servers that others wrote: one process for each script, with an empty store.
//!
//! `tools/contest/install-peers.sh` installs them; `MONOTABLE_PEERS` names another folder than target/peers.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A server that somebody else wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherServer {
    /// The crate dynoxide-rs, in memory.
    Dynoxide,
    /// The npm package @extenddb/linux-x64, on SQLite. Its indexes lag.
    ExtendDb,
}

/// AWS's documented example pair, the only one that ExtendDB knows.
pub(crate) const KNOWN_KEYS: (&str, &str) = (
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
);

/// How long a server may take to take its port.
const LONGEST_START: Duration = Duration::from_secs(60);
/// Between two looks at the port.
const LOOK: Duration = Duration::from_millis(10);

/// A server process. It ends with this value, together with its data.
pub(crate) struct ServerProcess {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl ServerProcess {
    /// Starts a server with an empty store.
    pub(crate) async fn start(server: OtherServer) -> Result<Self, String> {
        let program = server.program()?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let port = free_port().map_err(|error| error.to_string())?;
        let mut command = server.command(&program, folder.path(), port)?;
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = quiet.stderr(Stdio::null()).spawn();
        let child =
            child.map_err(|error| format!("{} does not start: {error}", program.display()))?;
        let mut process = Self {
            child,
            port,
            _folder: folder,
        };
        process.await_port().await?;
        Ok(process)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    async fn await_port(&mut self) -> Result<(), String> {
        let start = Instant::now();
        loop {
            let address = (Ipv4Addr::LOCALHOST, self.port);
            if tokio::net::TcpStream::connect(address).await.is_ok() {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("the server ended at once with {status}"));
            }
            if start.elapsed() > LONGEST_START {
                return Err(format!("the server does not listen on port {}", self.port));
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It may have ended already; either way there is nothing left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl OtherServer {
    fn program(self) -> Result<PathBuf, String> {
        let peers = std::env::var("MONOTABLE_PEERS").unwrap_or_else(|_| "target/peers".to_owned());
        let program = match self {
            Self::Dynoxide => "dynoxide/bin/dynoxide",
            Self::ExtendDb => "npm/node_modules/@extenddb/linux-x64/extenddb",
        };
        let program = Path::new(&peers).join(program);
        std::path::absolute(&program)
            .ok()
            .filter(|program| program.is_file())
            .ok_or_else(|| {
                format!(
                    "there is no {}: run tools/contest/install-peers.sh, or name its folder with MONOTABLE_PEERS",
                    program.display()
                )
            })
    }

    fn command(self, program: &Path, folder: &Path, port: u16) -> Result<Command, String> {
        let mut command = Command::new(program);
        command.current_dir(folder);
        let port = port.to_string();
        match self {
            Self::Dynoxide => command.args(["serve", "--port", &port]),
            Self::ExtendDb => {
                copy_deployment(program, folder)?;
                command
                    .env("HOME", folder)
                    .args(["serve", "--foreground", "--config", "extenddb.toml"])
                    .args(["--port", &port])
            }
        };
        Ok(command)
    }
}

/// ExtendDB wants its database and its configuration made before it serves: that is done once, and copied.
fn copy_deployment(program: &Path, folder: &Path) -> Result<(), String> {
    static MADE: OnceLock<Result<tempfile::TempDir, String>> = OnceLock::new();
    let made = MADE.get_or_init(|| make_deployment(program));
    let made = made.as_ref().map_err(Clone::clone)?;
    for name in ["store.sqlite", "extenddb.toml"] {
        let copied = std::fs::copy(made.path().join(name), folder.join(name));
        copied.map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn make_deployment(program: &Path) -> Result<tempfile::TempDir, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let output = Command::new(program)
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("EXTENDDB_ADMIN_USER", "admin")
        .env("EXTENDDB_ADMIN_PASSWORD", "scenario-Password-1")
        .args(["init", "--sqlite-path", "store.sqlite"])
        .args(["--config", "extenddb.toml", "--bind-addr", "127.0.0.1"])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(folder)
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("`extenddb init` failed: {errors}"))
    }
}

/// Another program could take it before the server does; then the server ends at once.
fn free_port() -> std::io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}
