use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use monotable_torture::bounded;
use monotable_torture::power_loss::{Damage, Loss, cut_power};
use monotable_torture::preload::Shim;
use tempfile::TempDir;

/// Only a hang takes this long.
const LIMIT: Duration = Duration::from_secs(120);

/// A directory whose writers run under the shim.
pub(crate) struct Disk {
    root: TempDir,
    logs: Vec<PathBuf>,
}

impl Disk {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("data")).unwrap();
        Self {
            root,
            logs: Vec::new(),
        }
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// A path outside the watched directory.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn content(&self, name: &str) -> Vec<u8> {
        fs::read(self.directory().join(name)).unwrap()
    }

    /// The content, where it is text.
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.content(name)).unwrap()
    }

    /// Starts the program that does what it is told.
    pub(crate) fn script(&mut self, settings: &[(&str, &str)]) -> Program {
        let directory = self.directory();
        self.start(&["script", directory.to_str().unwrap()], settings)
    }

    /// Starts a command of the `torture` binary under the shim.
    pub(crate) fn start(&mut self, arguments: &[&str], settings: &[(&str, &str)]) -> Program {
        let log = self.outside(&format!("log.{}", self.logs.len()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_torture"));
        command.args(arguments).envs(settings.iter().copied());
        shim().preload(&mut command, &self.directory(), &log);
        self.logs.push(log);
        Program::start(&mut command)
    }

    pub(crate) fn cut_power(&mut self, loss: Loss) -> Damage {
        let logs: Vec<&Path> = self.logs.iter().map(PathBuf::as_path).collect();
        let damage = cut_power(&self.directory(), &logs, loss).unwrap();
        self.logs.clear();
        damage
    }

    /// Runs commands that must succeed, kills the program, and cuts the power.
    pub(crate) fn lose_all_unsynced(&mut self, commands: &[&str]) -> Damage {
        let mut program = self.script(&[]);
        program.tell_all(commands);
        program.kill();
        self.cut_power(Loss::Everything)
    }
}

fn shim() -> &'static Shim {
    static SHIM: OnceLock<Shim> = OnceLock::new();
    SHIM.get_or_init(|| Shim::build().unwrap())
}

/// A running program; killed when dropped.
pub(crate) struct Program {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Program {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        Self {
            child,
            input,
            lines,
        }
    }

    /// Tells a script one command; returns its answer.
    pub(crate) fn tell(&mut self, command: &str) -> String {
        self.try_tell(command).unwrap()
    }

    /// None when the program ends instead of answering.
    pub(crate) fn try_tell(&mut self, command: &str) -> Option<String> {
        writeln!(self.input, "{command}").unwrap();
        self.next_line()
    }

    pub(crate) fn tell_all(&mut self, commands: &[&str]) {
        for command in commands {
            assert_eq!(self.tell(command), "ok", "{command}");
        }
    }

    /// None when the program has ended.
    pub(crate) fn next_line(&self) -> Option<String> {
        match self.lines.recv_timeout(LIMIT) {
            Ok(line) => Some(line),
            Err(mpsc::RecvTimeoutError::Disconnected) => None,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("the program hangs"),
        }
    }

    /// Kills the program, as SIGKILL does; returns the lines it had still printed.
    pub(crate) fn kill(mut self) -> Vec<String> {
        self.child.kill().unwrap();
        bounded::wait(&mut self.child, LIMIT).unwrap();
        self.lines.iter().collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
