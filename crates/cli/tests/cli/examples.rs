//! The examples in every command's help do what they say.

use crate::export::ISOLATED;
use crate::policies::{KEYS, REQUEST};
use crate::rows::MODEL;
use crate::sandbox::{BINARY, Sandbox, Served, clean};
use crate::versions::MODEL as VALUES;
use std::path::Path;
use std::process::Command;

/// In an order in which each finds what it needs.
const COMMANDS: [&str; 34] = [
    "create-table",
    "setup",
    "create",
    "check-secret",
    "put",
    "get",
    "update",
    "attach",
    "query",
    "commit",
    "log",
    "show",
    "diff",
    "carry",
    "explain",
    "revert",
    "rollback",
    "sweep",
    "purge",
    "detach",
    "move",
    "verify",
    "adopt",
    "backup",
    "restore",
    "delete",
    "scan",
    "tables",
    "completions",
    "delete-table",
    "check",
    "describe",
    "export",
    "policy",
];

/// The lines of a help text that show a command.
fn examples(sandbox: &Sandbox, command: &str) -> Vec<String> {
    let help = sandbox.run(&[command, "--help"]).succeeded().stdout;
    // A line that ends in \ or | goes on in the next one.
    let help = help.replace("\\\n", " ").replace("|\n", "| ");
    let examples: Vec<String> = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("$ "))
        .map(str::to_owned)
        .collect();
    assert!(!examples.is_empty(), "{command} has no example");
    examples
}

/// What the examples call $REV: the first revision, if there is one yet.
fn first_revision(sandbox: &Sandbox) -> String {
    let log = "log -m values.toml values userId=ada --oldest-first --limit 1";
    let log = sandbox.run(&log.split_whitespace().collect::<Vec<_>>());
    let revision = log.stdout.split_whitespace().nth(1);
    revision.unwrap_or_default().to_owned()
}

#[test]
fn every_example_works() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", MODEL);
    sandbox.write("values.toml", VALUES);
    sandbox.write("keys.ini", KEYS);
    sandbox.write("request.json", REQUEST);
    let directory = Path::new(BINARY).parent().unwrap().display().to_string();
    let path = format!("{directory}:{}", std::env::var("PATH").unwrap());
    for command in COMMANDS {
        // The other commands need no isolation rule.
        if command == "export" {
            sandbox.write("model.toml", ISOLATED);
        }
        for example in examples(&sandbox, command) {
            let mut shell = Command::new("sh");
            clean(&mut shell);
            shell.current_dir(sandbox.path()).env("PATH", &path);
            shell.env("REV", first_revision(&sandbox));
            let output = shell.args(["-c", &example]).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{example}: {stderr}");
            let is_quiet = match command {
                "create-table" | "delete-table" | "setup" | "verify" | "adopt" | "restore" => true,
                "put" => !example.contains(" -m "),
                "backup" => true,
                "check-secret" => !example.contains("&& echo"),
                // What it finds goes to stderr, unless a program asks.
                "check" => !example.contains(" --"),
                _ => example.contains(" --out "),
            };
            let to_file = example
                .rsplit_once(" > ")
                .is_some_and(|(_, to)| !to.contains('\''));
            let silent = is_quiet || to_file;
            assert_eq!(output.stdout.is_empty(), silent, "{example}");
        }
    }
}

#[test]
fn every_example_of_serve_is_a_command_line() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "keys.ini",
        "[a]\naws_access_key_id = AKID\naws_secret_access_key = secret\n",
    );
    sandbox.write("server.pem", crate::exposed::FIRST[0]);
    sandbox.write("server.key", crate::exposed::FIRST[1]);
    for example in examples(&sandbox, "serve") {
        let words: Vec<&str> = example.split_whitespace().skip(2).collect();
        // On a free port: the one of the example may be taken on this machine.
        let fixed = words.iter().position(|word| *word == "--port");
        let words = match fixed {
            Some(at) => [&words[..at], &words[at + 2..]].concat(),
            None => words,
        };
        Served::start(&sandbox, &words).stop();
    }
}

#[test]
fn every_command_is_among_them() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["--help"]).succeeded().stdout;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let names = commands.lines().take_while(|line| !line.is_empty());
    let names: Vec<&str> = names
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > COMMANDS.len());
    for name in names {
        assert!(
            COMMANDS.contains(&name) || ["serve", "help"].contains(&name),
            "{name}"
        );
    }
}
