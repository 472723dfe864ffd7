//! The access patterns of a model, with commands that work.

use super::Rows;
use crate::sandbox::Sandbox;
use serde_json::Value;

fn list(sandbox: &Sandbox, model: &str) -> Vec<Value> {
    let outcome = sandbox
        .run(&["patterns", "-m", model, "--output", "json"])
        .succeeded();
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn a_pattern_is_shown_with_its_parameters_and_a_command() {
    let rows = Rows::new();
    let shown = rows.run("patterns persons_of_tree").succeeded().stdout;
    assert!(
        shown.starts_with("persons_of_tree: rows of Person\n"),
        "{shown}"
    );
    assert!(shown.contains("    TreeId  "), "{shown}");
    assert!(shown.contains("  required\n"), "{shown}");
    assert!(
        shown.contains("  $ monotable query -m model.toml persons_of_tree TreeId="),
        "{shown}"
    );
    let all = rows.sandbox.run(&["patterns"]).succeeded().stdout;
    let names = all
        .lines()
        .filter(|line| !line.starts_with(' ') && !line.is_empty());
    let count = super::MODEL.matches("\n[access.").count();
    assert_eq!(names.count(), count, "{all}");
    rows.run("patterns person_of_tree")
        .failed(2, "did you mean `persons_of_tree`?");
}

#[test]
fn programs_get_kinds_and_ways() {
    let sandbox = Sandbox::new();
    let patterns = list(&sandbox, "values");
    let ranges: Vec<&Value> = patterns
        .iter()
        .flat_map(|pattern| pattern["parameters"].as_array().unwrap())
        .filter(|parameter| parameter["given_as"] == "range")
        .collect();
    assert!(!ranges.is_empty(), "{patterns:?}");
    for pattern in &patterns {
        assert!(
            pattern["returns"].is_array() && pattern["one"].is_boolean(),
            "{pattern}"
        );
        for parameter in pattern["parameters"].as_array().unwrap() {
            assert!(parameter["kind"].is_string() && parameter["required"].is_boolean());
        }
    }
    let lines = sandbox
        .run(&["patterns", "-m", "values", "--output", "jsonl"])
        .succeeded();
    assert_eq!(lines.stdout.lines().count(), patterns.len());
}

/// Each example is a command line whose names and values the model accepts.
#[test]
fn every_example_can_be_pasted() {
    let sandbox = Sandbox::new();
    for model in [
        "authorization",
        "formkiq",
        "processproof",
        "values",
        "yggdrasil",
    ] {
        let patterns = list(&sandbox, model);
        // Reading a model proves it, which takes its time for the largest.
        let step = patterns.len().div_ceil(12);
        for pattern in patterns.iter().step_by(step) {
            let example = pattern["example"].as_str().unwrap();
            let script = format!("{example} --explain --in-memory");
            if example.contains(" diff ") {
                continue;
            }
            let mut shell = std::process::Command::new("sh");
            crate::sandbox::clean(&mut shell);
            let directory = std::path::Path::new(crate::sandbox::BINARY)
                .parent()
                .unwrap();
            let path = format!("{}:{}", directory.display(), std::env::var("PATH").unwrap());
            shell.current_dir(sandbox.path()).env("PATH", path);
            let output = shell.args(["-c", &script]).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{script}: {stderr}");
        }
    }
}

/// The help of the command tells programs what they get: every member that is written, and no other.
#[test]
fn the_help_says_what_a_name_is_and_what_programs_get() {
    let sandbox = Sandbox::new();
    let help = sandbox.run(&["patterns", "--help"]).succeeded().stdout;
    assert!(help.contains("declares as [access.NAME]"), "{help}");
    assert!(help.contains("The name of an access pattern"), "{help}");
    let patterns = list(&sandbox, "values");
    let parameters = patterns[0]["parameters"].as_array().unwrap();
    for written in [&patterns[0], &parameters[0]] {
        for member in written.as_object().unwrap().keys() {
            assert!(help.contains(&format!("\"{member}\"")), "{member}: {help}");
        }
    }
    let (_, tail) = help.split_once("--output json is a list of {").unwrap();
    let (listed, _) = tail.split_once('}').unwrap();
    let listed = listed.split(',').map(|name| name.trim().trim_matches('"'));
    for member in listed {
        assert!(patterns[0].get(member).is_some(), "{member}");
    }
}
