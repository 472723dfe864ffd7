//! The examples in every command's help do what they say.

use crate::export::ISOLATED;
use crate::exposed::FIRST;
use crate::import::{CLOUDFORMATION, ONETABLE};
use crate::policies::{KEYS, REQUEST};
use crate::rows::MODEL;
use crate::sandbox::{BINARY, Sandbox, Served, clean};
use crate::versions::MODEL as VALUES;
use std::path::Path;
use std::process::Command;

/// In an order in which each finds what it needs.
const COMMANDS: [&str; 49] = [
    "table create",
    "setup",
    "create",
    "check-secret",
    "put",
    "get",
    "table put",
    "table get",
    "update",
    "attach",
    "query",
    "patterns",
    "transact",
    "table query",
    "table list",
    "table describe",
    "commit",
    "log",
    "show",
    "diff",
    "carry",
    "revert",
    "rollback",
    "sweep",
    "purge",
    "detach",
    "move",
    "verify",
    "adopt",
    "migrate",
    "doctor",
    "load",
    "dump",
    "seed",
    "copy",
    "backup",
    "restore",
    "infer",
    "import",
    "delete",
    "table scan",
    "completions",
    "table delete",
    "table",
    "check",
    "describe",
    "generate",
    "export",
    "policy",
];

/// Those that serve until they are ended, and what is written for one of them: `serve` below, the others in `first_minute.rs`.
const ELSEWHERE: [&str; 4] = ["serve", "demo", "init", "dev"];

/// Who may call a model: whoever has the key `test`.
pub(crate) const AUTH: &str = "[[key]]\nname = \"test\"\nprogram = true\n\
                    sha256 = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"\n";

/// The lines of a help text that show a command.
fn examples(sandbox: &Sandbox, command: &str) -> Vec<String> {
    let mut arguments: Vec<&str> = command.split_whitespace().collect();
    arguments.push("--help");
    let help = sandbox.run(&arguments).succeeded().stdout;
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
    sandbox.write("old.toml", MODEL);
    sandbox.write(
        "new.toml",
        MODEL.replace(
            "PhotoUrl      = \"url?\"",
            "PhotoUrl      = \"url?\"\nNickname      = \"text?\"",
        ),
    );
    sandbox.write("keys.ini", KEYS);
    sandbox.write("request.json", REQUEST);
    sandbox.write("schema.json", ONETABLE);
    sandbox.write("template.yaml", CLOUDFORMATION);
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
                "table create" | "table delete" | "table put" => true,
                "setup" | "verify" | "adopt" | "restore" | "backup" => true,
                "load" | "seed" | "copy" => true,
                "dump" => !example.contains("--format"),
                "generate" => true,
                "migrate" => !example.contains(" plan ") && !example.contains("--dry-run"),
                "table" => !example.contains(" query "),
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
    sandbox.write("model.toml", MODEL);
    sandbox.write("auth.toml", AUTH);
    sandbox.write("server.pem", FIRST[0]);
    sandbox.write("server.key", FIRST[1]);
    for example in examples(&sandbox, "serve") {
        let words: Vec<&str> = example.split_whitespace().skip(2).collect();
        // On a free port: the one of the example may be taken on this machine.
        let fixed = words.iter().position(|word| *word == "--port");
        let words = match fixed {
            Some(at) => [&words[..at], &words[at + 2..]].concat(),
            None => words,
        };
        if words.contains(&"--aws") {
            // There is no Amazon here: its words are understood, and what is missing is said.
            let words = [&["serve", "--port", "0"], &words[..]].concat();
            let outcome = sandbox.run(&words);
            assert!(outcome.stderr.contains("no credentials"), "{outcome:?}");
        } else {
            Served::start(&sandbox, &words).stop();
        }
    }
}

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<&str> {
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let lines = commands.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").collect()
}

#[test]
fn every_command_is_among_them() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["--help"]).succeeded().stdout;
    let table = sandbox.run(&["table", "--help"]).succeeded().stdout;
    let of_table = listed(&table)
        .into_iter()
        .map(|name| format!("table {name}"));
    let mut names: Vec<String> = listed(&help).into_iter().map(str::to_owned).collect();
    names.extend(of_table);
    assert_eq!(names.len(), COMMANDS.len() + ELSEWHERE.len());
    for name in names {
        let name = name.as_str();
        assert!(
            COMMANDS.contains(&name) || ELSEWHERE.contains(&name),
            "{name}"
        );
    }
}
