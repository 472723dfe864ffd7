//! A `monotable serve` of its own process.

use monotable_aws::{Remote, RemoteOptions};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Longer than any answer takes, also on a machine that is busy with other things; a server that is silent for so long has
/// failed.
const PATIENCE: Duration = Duration::from_secs(600);

/// The binary `monotable`.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
}

impl Program {
    /// The binary at this path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The binary beside this one, where `cargo build` puts both.
    pub fn beside_this_one() -> io::Result<Self> {
        let path = std::env::current_exe()?.with_file_name("monotable");
        if path.is_file() {
            Ok(Self { path })
        } else {
            Err(io::Error::other(format!(
                "there is no {}: build it (`cargo build --release`), or name one with --server",
                path.display()
            )))
        }
    }

    /// Starts a server on a store, with the smallest cache that there is, and does not wait until it listens.
    pub(crate) fn start(&self, store: &Path) -> io::Result<Server> {
        let mut command = Command::new(&self.path);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("MONOTABLE_") || name.starts_with("AWS_") {
                command.env_remove(name);
            }
        }
        command
            .args(["serve", "--port", "0", "--cache", "1", "--log", "error"])
            .arg("--store")
            .arg(store)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let child = command.spawn().map_err(|error| {
            let path = self.path.display();
            io::Error::new(error.kind(), format!("{path} cannot be started: {error}"))
        })?;
        Ok(Server { child })
    }
}

/// A process that serves, or will.
pub(crate) struct Server {
    child: Child,
}

impl Server {
    /// Waits until it listens; its address.
    pub(crate) fn wait_for_address(&mut self) -> io::Result<String> {
        let stdout = self.child.stdout.take();
        let stdout =
            stdout.ok_or_else(|| io::Error::other("the server's output was read before"))?;
        for line in BufReader::new(stdout).lines() {
            if let Some((_, address)) = line?.split_once("AWS_ENDPOINT_URL_DYNAMODB=") {
                return Ok(address.trim().to_owned());
            }
        }
        Err(io::Error::other("the server ended before it listened"))
    }

    /// Ends it as a crash does.
    pub(crate) fn kill(mut self) -> io::Result<()> {
        self.child.kill()?;
        let status = self.child.wait()?;
        match status.code() {
            None => Ok(()),
            Some(code) => Err(io::Error::other(format!(
                "the server had ended by itself, with code {code}"
            ))),
        }
    }
}

/// A run that fails leaves no server behind.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that tries once: a request that is sent again would hide what became of the first.
pub(crate) async fn connect(address: &str) -> io::Result<Remote> {
    let options = RemoteOptions::new()
        .endpoint_url(address)
        .region("local")
        .attempt_timeout(PATIENCE)
        .max_attempts(1);
    let connected = options.credentials("any", "any", None).connect().await;
    connected.map_err(|error| io::Error::other(error.to_string()))
}

/// Starts a server that listens, in a thread that may wait.
pub(crate) async fn serve(program: &Program, store: &Path) -> io::Result<(Server, String)> {
    let (program, store) = (program.clone(), store.to_owned());
    let started = tokio::task::spawn_blocking(move || {
        let mut server = program.start(&store)?;
        let address = server.wait_for_address()?;
        Ok((server, address))
    });
    started.await.map_err(io::Error::other)?
}
