//! A server process, from its start to its end.

use crate::arguments::Arguments;
use crate::client::Client;
use crate::contestant::{Contestant, Launch};
use crate::exchange::{Draft, Expected};
use crate::failure::Failure;
use crate::process::Process;
use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server that has not answered after this long does not start.
const LONGEST_START: Duration = Duration::from_secs(60);
/// Between two attempts to get a first answer.
const ATTEMPT: Duration = Duration::from_millis(1);
/// How much of a server's own words is shown when it fails.
const SHOWN_BYTES: usize = 2_000;

/// Ends with this value, together with its data.
pub(crate) struct Running {
    child: Child,
    folder: TempDir,
    pub(crate) address: SocketAddr,
    /// From the start of the process to the first right answer.
    pub(crate) first_answer: Duration,
}

/// What came of the attempt to start a server.
pub(crate) enum Started {
    Running(Running),
    NotInstalled(PathBuf),
}

impl Running {
    /// Starts a server with an empty store and waits until it answers.
    pub(crate) fn start(contestant: Contestant, arguments: &Arguments) -> Result<Started, Failure> {
        let folder = TempDir::with_prefix(format!("contest-{}-", contestant.name()))?;
        let port = free_port()?;
        let command = match contestant.launch(arguments, folder.path(), port)? {
            Launch::Ready(command) => command,
            Launch::NotInstalled(program) => return Ok(Started::NotInstalled(program)),
        };
        Self::start_command(command, folder, port).map(Started::Running)
    }

    /// Starts a server that keeps everything in a folder, and waits until it answers.
    pub(crate) fn start_command(
        mut command: Command,
        folder: TempDir,
        port: u16,
    ) -> Result<Self, Failure> {
        let log = File::create(folder.path().join("log"))?;
        command.stdout(log.try_clone()?).stderr(log);
        let start = Instant::now();
        let mut running = Self {
            child: spawn(&mut command)?,
            folder,
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            first_answer: Duration::ZERO,
        };
        running
            .await_answer(start)
            .map_err(|error| running.explain(&error))?;
        running.first_answer = start.elapsed();
        Ok(running)
    }

    pub(crate) fn process(&self) -> Process {
        Process::new(self.child.id())
    }

    /// Adds to a failure what the server had to say.
    pub(crate) fn explain(&self, failure: &Failure) -> Failure {
        let log = fs::read(self.folder.path().join("log")).unwrap_or_default();
        let shown = log
            .get(log.len().saturating_sub(SHOWN_BYTES)..)
            .unwrap_or_default();
        let words = String::from_utf8_lossy(shown);
        format!("{failure}\nthe server's last words:\n{words}").into()
    }

    fn await_answer(&mut self, start: Instant) -> Result<(), Failure> {
        let client = Client::new(self.address);
        loop {
            let Err(failure) = client.call(list_tables()) else {
                return Ok(());
            };
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("it ended at once with {status}").into());
            }
            if start.elapsed() > LONGEST_START {
                let seconds = LONGEST_START.as_secs();
                return Err(format!("no right answer within {seconds} s: {failure}").into());
            }
            std::thread::sleep(ATTEMPT);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; either way there is nothing left to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(command: &mut Command) -> Result<Child, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.spawn();
    child.map_err(|error| format!("{program} cannot be started: {error}").into())
}

/// Another program could take it before the server does; then the server says so and ends.
pub(crate) fn free_port() -> Result<u16, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

fn list_tables() -> Draft {
    Draft {
        operation: "ListTables",
        body: "{}".to_owned(),
        expected: Expected::default(),
    }
}
