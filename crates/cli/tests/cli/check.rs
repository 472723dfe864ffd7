//! `monotable check`: findings for people and for programs, and what makes it fail.

use crate::sandbox::{Outcome, Sandbox};
use serde_json::Value;

/// A model in which nothing is wrong.
pub(crate) const GOOD: &str = r#"monotable = 1
model = "small"

[table.Small]
key = ["PK", "SK"]

[entity.User]
key = ["USER#{userId}", "PROFILE"]

[entity.User.attributes]
userId = "uuid, generated"
name = "text"

[access.user]
key = ["USER#{userId}", "PROFILE"]
returns = ["User"]
"#;

/// With an error in line 12, in a string, behind a character of two bytes.
pub(crate) fn bad() -> String {
    GOOD.replace("\"text\"", "\"text, matches = /é+/, imutable\"")
}

/// With a warning: no access pattern.
pub(crate) fn doubtful() -> String {
    GOOD.split("[access").next().unwrap().to_owned()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("good.toml", GOOD);
    sandbox.write("bad.toml", bad());
    sandbox.write("doubtful.toml", doubtful());
    sandbox
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn a_good_model_has_no_findings() {
    let sandbox = sandbox();
    let good = sandbox.run(&["check", "good.toml"]).succeeded();
    assert_eq!(good.stdout, "");
    assert_eq!(good.stderr, "1 model: no findings\n");
    let two = sandbox
        .run(&["check", "good.toml", "good.toml"])
        .succeeded();
    assert_eq!(two.stderr, "2 models: no findings\n");
}

#[test]
fn an_error_is_drawn_below_its_text() {
    let sandbox = sandbox();
    let outcome = sandbox
        .run(&["check", "bad.toml"])
        .failed(253, "error[M106");
    let expected = r#"error[M106 bad_attribute]: `imutable` is no clause of an attribute
  --> bad.toml:12:31
   |
12 | name = "text, matches = /é+/, imutable"
   |                               ^^^^^^^^
   |
   = help: did you mean `immutable`?

error: 1 error in 1 model
"#;
    assert_eq!(outcome.stderr, expected);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn every_file_is_checked() {
    let sandbox = sandbox();
    sandbox.write("latin.toml", b"monotable = 1\n# caf\xe9\n");
    sandbox.write("wide.toml", b"\xff\xfem\0o\0");
    std::fs::create_dir(sandbox.path().join("folder")).unwrap();
    let files = [
        "check",
        "missing.toml",
        "folder",
        "latin.toml",
        "wide.toml",
        "bad.toml",
        "good.toml",
        "doubtful.toml",
    ];
    let outcome = sandbox.run(&files).failed(253, "--> bad.toml:12:31");
    for words in [
        "error: cannot read missing.toml\n  No such file",
        "error: cannot read folder\n  Is a directory",
        "error: latin.toml is not UTF-8\n  the byte at offset 19, in line 2, begins no character\nhelp: ",
        "error: wide.toml is not UTF-8\n  the byte at offset 0, in line 1, begins no character\nhelp: it looks like UTF-16",
        "warning[M103 missing_key]: the model has no access pattern\n --> doubtful.toml:1:1\n",
    ] {
        assert!(
            outcome.stderr.contains(words),
            "{words}: {}",
            outcome.stderr
        );
    }
    let sum = "error: 1 error, 1 warning in 2 of 3 models; 4 files could not be read";
    assert_eq!(last_line(&outcome.stderr), sum);

    // A file that cannot be read is enough to fail.
    let outcome = sandbox
        .run(&["check", "good.toml", "missing.toml"])
        .failed(253, "1 model: no findings; 1 file could not be read");
    assert_eq!(outcome.stdout, "");
}

#[test]
fn warnings_fail_only_when_they_are_denied() {
    let sandbox = sandbox();
    let warned = sandbox.run(&["check", "doubtful.toml"]).succeeded();
    assert!(warned.stderr.starts_with("warning[M103 missing_key]"));
    assert_eq!(last_line(&warned.stderr), "1 warning in 1 model");
    sandbox
        .run(&["check", "doubtful.toml", "--deny-warnings"])
        .failed(253, "error: 1 warning in 1 model\n  warnings are denied");
    sandbox
        .run(&["check", "good.toml", "--deny-warnings"])
        .succeeded();
}

#[test]
fn stdin_is_a_model_too() {
    let sandbox = sandbox();
    sandbox
        .feed(&["check", "-"], bad().as_bytes())
        .failed(253, "--> <stdin>:12:31");
    sandbox
        .feed(&["check", "good.toml", "-"], GOOD.as_bytes())
        .succeeded();
    sandbox
        .feed(&["check", "-", "-"], GOOD.as_bytes())
        .failed(2, "only once");
    let json = sandbox.feed(&["check", "-", "--output", "json"], bad().as_bytes());
    assert_eq!(findings(&json)[0]["file"], "<stdin>");
}

fn findings(outcome: &Outcome) -> Vec<Value> {
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn json_has_every_field() {
    let sandbox = sandbox();
    let outcome = sandbox
        .run(&["check", "bad.toml", "doubtful.toml", "--output", "json"])
        .failed(253, "error: 1 error, 1 warning in 2 of 2 models");
    assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    let start = bad().find("imutable").unwrap();
    let expected = serde_json::json!([{
        "file": "bad.toml",
        "code": "M106",
        "rule": "bad_attribute",
        "severity": "error",
        "message": "`imutable` is no clause of an attribute",
        "line": 12, "column": 31, "end_line": 12, "end_column": 39,
        "start": start, "end": start + 8,
        "labels": [],
        "counterexample": [],
        "help": "did you mean `immutable`?",
    }, {
        "file": "doubtful.toml",
        "code": "M103",
        "rule": "missing_key",
        "severity": "warning",
        "message": "the model has no access pattern",
        "line": 1, "column": 1, "end_line": 1, "end_column": 1, "start": 0, "end": 0,
        "labels": [],
        "counterexample": [],
        "help": null,
    }]);
    assert_eq!(Value::from(findings(&outcome)), expected);

    let lines = sandbox.run(&["check", "bad.toml", "doubtful.toml", "--output", "jsonl"]);
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let lines: Vec<Value> = lines.stdout.lines().map(read).collect();
    assert_eq!(Value::from(lines), expected);
}

#[test]
fn json_of_a_good_model_is_empty_and_quiet() {
    let sandbox = sandbox();
    for (form, expected) in [("json", "[]\n"), ("jsonl", "")] {
        let outcome = sandbox.run(&["check", "good.toml", "--output", form]);
        let outcome = outcome.succeeded();
        assert_eq!(outcome.stdout, expected);
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn places_in_a_string_of_several_lines_are_right() {
    let sandbox = Sandbox::new();
    let long = "name = \"\"\"text, \\u0064efault = 'x',\r\n  imutable\"\"\"";
    sandbox.write("long.toml", GOOD.replace("name = \"text\"", long));
    let outcome = sandbox.run(&["check", "long.toml", "--output", "json"]);
    let found = findings(&outcome.failed(253, "1 error"));
    let place = ["line", "column", "end_line", "end_column"].map(|name| found[0][name].clone());
    assert_eq!(place, [13, 3, 13, 11].map(Value::from), "{found:?}");
}

#[test]
fn another_kind_of_file_is_recognised() {
    let sandbox = Sandbox::new();
    let note = "a model is TOML and begins with `monotable = 1`";
    for (name, text, kind) in [
        ("model.json", "{\n  \"model\": 1\n}\n", "JSON"),
        ("template.yaml", "Resources:\n  Table: x\n", "YAML"),
        ("page.html", "<!doctype html>\n", "XML or HTML"),
    ] {
        sandbox.write(name, text);
        let words = format!("note: {name} looks like {kind}; {note}\n");
        sandbox.run(&["check", name]).failed(253, &words);
        let json = sandbox.run(&["check", name, "--output", "json"]);
        assert!(!findings(&json.failed(253, &words)).is_empty());
    }
    sandbox.write("broken.toml", GOOD.replace("\"text\"", "\"text"));
    let broken = sandbox.run(&["check", "broken.toml"]);
    let broken = broken.failed(253, "error[M100 bad_toml]");
    assert!(!broken.stderr.contains("looks like"), "{broken:?}");
}

#[test]
fn colour_only_where_it_is_wanted() {
    let sandbox = sandbox();
    let run = |variables: &[(&str, &str)]| {
        let mut command = sandbox.command();
        command.args(["check", "bad.toml"]);
        command.envs(variables.iter().copied());
        Outcome::of(command.output().unwrap()).stderr
    };
    let plain = run(&[]);
    assert!(!plain.contains('\x1b'));
    let coloured = run(&[("CLICOLOR_FORCE", "1")]);
    assert!(coloured.starts_with("\x1b["), "{coloured:?}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    assert_eq!(run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn rules_are_listed() {
    let sandbox = Sandbox::new();
    let list = sandbox.run(&["check", "--rules"]).succeeded().stdout;
    let same_key =
        "M014  error    same_key           Two entities can have the same primary key.\n";
    assert!(list.contains(same_key), "{list}");
    let json = sandbox.run(&["check", "--rules", "--output", "json"]);
    let rules = findings(&json.succeeded());
    assert_eq!(list.lines().count(), rules.len());
    let same_key = rules.iter().find(|rule| rule["rule"] == "same_key");
    let same_key = same_key.unwrap();
    assert_eq!(same_key["code"], "M014");
    assert_eq!(same_key["severity"], "error");
    assert_eq!(same_key["acceptable"], true);
}

#[test]
fn a_rule_is_explained() {
    let sandbox = Sandbox::new();
    let by_code = sandbox.run(&["check", "--explain", "M014"]).succeeded();
    let by_name = sandbox.run(&["check", "--explain", "same_key"]).succeeded();
    assert_eq!(by_code.stdout, by_name.stdout);
    let beginning =
        "M014 same_key (error)\n\nTwo entities can have the same primary key.\n\nWhat to do: ";
    assert!(by_code.stdout.starts_with(beginning), "{by_code:?}");
    assert!(by_code.stdout.contains("accept.same_key"), "{by_code:?}");
    assert_eq!(by_code.stderr, "");
    sandbox
        .run(&["check", "--explain", "M999"])
        .failed(2, "`monotable check --rules` lists them");
}

#[test]
fn wrong_usage_is_2() {
    let sandbox = sandbox();
    sandbox.run(&["check"]).failed(2, "there is no model");
    for other in [&["--rules"][..], &["--explain", "M014"]] {
        let arguments = [&["check", "good.toml"], other].concat();
        sandbox.run(&arguments).failed(2, "cannot be used with");
    }
    sandbox
        .run(&["check", "good.toml", "--output", "xml"])
        .failed(2, "jsonl");
}

#[test]
fn help_says_where_findings_go() {
    let help = Sandbox::new().run(&["check", "--help"]).succeeded().stdout;
    assert!(help.contains("Findings for people go to stderr"), "{help}");
    assert!(help.contains("253 if a model has errors"), "{help}");
}

#[test]
fn the_models_of_this_repository_have_no_errors() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let names = std::fs::read_dir(models).unwrap();
    let mut files: Vec<String> = names
        .map(|entry| entry.unwrap().path().join("model.toml"))
        .map(|path| path.display().to_string())
        .collect();
    files.insert(0, "check".to_owned());
    assert!(files.len() > 5);
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    Sandbox::new().run(&arguments).succeeded();
}
