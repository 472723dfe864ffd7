//! A directory to run the binary in, and what it answered.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Long enough for a loaded machine; a test that waits this long has failed.
pub(crate) const GUARD: Duration = Duration::from_secs(120);

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_monotable");

/// An empty directory, which is the working directory of every command.
pub(crate) struct Sandbox {
    directory: TempDir,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self {
            directory: TempDir::new().unwrap(),
        }
    }

    /// With the table Music: key Artist and Song, an index on Released.
    pub(crate) fn with_music() -> Self {
        let sandbox = Self::new();
        let arguments = [
            "table",
            "create",
            "Music",
            "Artist",
            "Song",
            "--index",
            "ByRelease=Released:N",
        ];
        sandbox.run(&arguments).succeeded();
        sandbox
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The binary in this directory, with none of the variables that change what it does.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(BINARY);
        command.current_dir(self.path()).stdin(Stdio::null());
        clean(&mut command);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command().args(arguments).output().unwrap())
    }

    /// Runs it with this on stdin.
    pub(crate) fn feed(&self, arguments: &[&str], stdin: &[u8]) -> Outcome {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses its arguments does not read.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        Outcome::of(child.wait_with_output().unwrap())
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    /// All items of a table, one per line, in order of their text.
    pub(crate) fn items(&self, table: &str) -> Vec<String> {
        let scan = self
            .run(&["table", "scan", table, "--output", "jsonl"])
            .succeeded();
        let mut lines: Vec<String> = scan.stdout.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    }
}

/// Removes every variable that changes what the binary does.
pub(crate) fn clean(command: &mut Command) {
    let is_ours = |name: &str| {
        let prefixes = ["AWS_", "MONOTABLE_", "NO_COLOR", "CLICOLOR", "RUST_LOG"];
        prefixes.iter().any(|prefix| name.starts_with(prefix))
    };
    for (name, _) in std::env::vars() {
        if is_ours(&name) {
            command.env_remove(name);
        }
    }
    // Nobody's own AWS configuration.
    command
        .env("AWS_CONFIG_FILE", "/nonexistent")
        .env("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent");
    command.env("AWS_EC2_METADATA_DISABLED", "true");
}

impl Outcome {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// It failed with this code, and said this.
    #[track_caller]
    pub(crate) fn failed(self, code: i32, words: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(
            self.stderr.contains(words),
            "no {words:?} in {}",
            self.stderr
        );
        self
    }
}

/// A server on a free port.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) url: String,
    stdout: BufReader<std::process::ChildStdout>,
}

impl Served {
    /// Starts a server and waits until it listens.
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command();
        command.args(["serve", "--port", "0"]).args(arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut url = String::new();
        // The greeting has three lines. The first says where the server listens; the address for SDKs is another one if it listens
        // everywhere, and is not said if they are not served.
        for _ in 0..3 {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            if let Some((_, rest)) = line.split_once("listens on ") {
                url = rest.split(',').next().unwrap_or_default().to_owned();
            }
            if let Some((_, address)) = line.split_once("AWS_ENDPOINT_URL_DYNAMODB=") {
                url = address.trim().to_owned();
            }
        }
        if url.is_empty() {
            let mut stderr = String::new();
            child
                .stderr
                .take()
                .unwrap()
                .read_to_string(&mut stderr)
                .unwrap();
            panic!("the server did not start: {stderr}");
        }
        Self { child, url, stdout }
    }

    pub(crate) fn signal(&self, signal: &str) {
        kill(signal, self.child.id());
    }

    /// Waits for the end.
    pub(crate) fn ended(mut self) -> Outcome {
        let code = wait(&mut self.child);
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).unwrap();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        Outcome {
            code,
            stdout,
            stderr,
        }
    }

    /// Ends it as a service manager does.
    pub(crate) fn stop(self) -> Outcome {
        self.signal("TERM");
        self.ended().succeeded()
    }
}

/// A test that fails leaves no server behind.
impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn kill(signal: &str, process: u32) {
    let status = Command::new("kill")
        .args(["-s", signal, &process.to_string()])
        .status();
    assert!(status.unwrap().success());
}

/// The exit code of a process that ends in time; none if a signal ended it.
pub(crate) fn wait(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + GUARD;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the process did not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
