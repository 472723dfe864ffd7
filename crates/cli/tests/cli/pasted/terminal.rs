//! Two terminals of a reader: a shell in which commands are pasted, and a server in the other one.

use crate::sandbox::{BINARY, GUARD, Sandbox, clean, kill};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The port that pages name.
const PORT: &str = ":8000";

/// Printed behind the output of each command, with its exit code.
const MARK: &str = "=== the command has ended with";

/// Where what a server prints goes to.
const SERVER_OUTPUT: &str = ".server-output";

pub(crate) struct Terminal {
    sandbox: Sandbox,
    shell: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    server: Option<Server>,
}

struct Server {
    process: u32,
    port: String,
}

/// What a command printed, stdout and stderr together, and its exit code.
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) code: i32,
}

impl Terminal {
    /// A shell in an empty folder, beside a copy of nothing but the models of the repository.
    pub(crate) fn open() -> Self {
        let sandbox = Sandbox::new();
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        std::os::unix::fs::symlink(
            models.canonicalize().unwrap(),
            sandbox.path().join("models"),
        )
        .unwrap();
        let folder = Path::new(BINARY).parent().unwrap().display();
        let mut shell = Command::new("sh");
        clean(&mut shell);
        let path = std::env::var("PATH").unwrap();
        shell
            .current_dir(sandbox.path())
            .env("PATH", format!("{folder}:{path}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut shell = shell.spawn().unwrap();
        let stdin = shell.stdin.take().unwrap();
        let stdout = BufReader::new(shell.stdout.take().unwrap());
        Self {
            sandbox,
            shell,
            stdin,
            stdout,
            server: None,
        }
    }

    pub(crate) fn has_program(&mut self, name: &str) -> bool {
        self.run(&format!("command -v {name}")).code == 0
    }

    /// Runs a command in the shell, which keeps its folder and its variables.
    pub(crate) fn run(&mut self, command: &str) -> Printed {
        let command = match &self.server {
            Some(server) => command.replace(PORT, &server.port),
            None => command.to_owned(),
        };
        let input = format!("{{ {command}\n}} </dev/null 2>&1; printf '\\n{MARK} %s\\n' $?\n");
        self.stdin.write_all(input.as_bytes()).unwrap();
        let mut text = String::new();
        loop {
            let mut line = String::new();
            let length = self.stdout.read_line(&mut line).unwrap();
            assert!(length > 0, "the shell has ended: {command}");
            if let Some(code) = line.strip_prefix(MARK) {
                let code = code.trim().parse().unwrap();
                // The line break before the mark is ours.
                text.pop();
                let text = self.hide_port(&text);
                return Printed { text, code };
            }
            text.push_str(&line);
        }
    }

    /// Starts a command that serves until it is ended, in place of the server that is running, and waits until it has printed
    /// what is waited for. The first server of a page takes any free port, and later ones take the same: the page may have told its shell.
    pub(crate) fn serve(&mut self, command: &str, mut is_ready: impl FnMut(&str) -> bool) {
        let port = self.stop_server();
        let file = self.sandbox.path().join(SERVER_OUTPUT);
        let _ = std::fs::remove_file(&file);
        let file = file.display();
        let number = port.as_deref().map_or("0", |port| &port[1..]);
        let started = self.run(&format!(
            "{command} --port {number} >'{file}' 2>&1 </dev/null & echo $!"
        ));
        let process = started.text.trim().parse().unwrap();
        self.server = Some(Server {
            process,
            port: port.unwrap_or_else(|| PORT.to_owned()),
        });
        let deadline = Instant::now() + GUARD;
        loop {
            let printed = self.server_output();
            if is_ready(&printed) {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "{command} printed only:\n{printed}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What the server has printed until now, with the port of the page.
    pub(crate) fn server_output(&mut self) -> String {
        let file = self.sandbox.path().join(SERVER_OUTPUT);
        let printed = std::fs::read_to_string(file).unwrap_or_default();
        let server = self.server.as_mut().unwrap();
        if let Some((_, rest)) = printed.split_once("http://127.0.0.1:") {
            let port = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap();
            server.port = format!(":{port}");
        }
        self.hide_port(&printed)
    }

    fn hide_port(&self, text: &str) -> String {
        match &self.server {
            Some(server) => text.replace(&server.port, PORT),
            None => text.to_owned(),
        }
    }

    /// Ends the server that is running, as Ctrl-C does, and says which port it had.
    fn stop_server(&mut self) -> Option<String> {
        let server = self.server.take()?;
        let process = server.process;
        kill("INT", process);
        self.run(&format!("wait {process}"));
        Some(server.port)
    }
}

/// A test that fails leaves neither a server nor a shell behind.
impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            let process = server.process.to_string();
            let _ = Command::new("kill").args(["-s", "KILL", &process]).status();
        }
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
