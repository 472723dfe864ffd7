//! Command lines of earlier releases still work, with a note that shows the spelling of today.

use crate::rows::MODEL;
use crate::sandbox::{Outcome, Sandbox};

fn run(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.run(&line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn commands_on_tables_once_stood_at_the_top() {
    let sandbox = Sandbox::new();
    let item = r#"{"Artist":"a","Song":"b"}"#;
    for (old, new, stdout) in [
        ("create-table Music Artist Song", "table create", ""),
        (&*format!("put Music {item}"), "table put", ""),
        ("get Music a b --output jsonl", "table get", item),
        ("query Music a --output jsonl", "table query", item),
        ("scan Music --output jsonl", "table scan", item),
        ("tables --output jsonl", "table list", "\"Music\""),
        ("delete-table Music --yes", "table delete", ""),
    ] {
        let outcome = run(&sandbox, old).succeeded();
        assert!(outcome.stdout.contains(stdout), "{outcome:?}");
        let verb = old.split_whitespace().next().unwrap();
        let note = format!("note: `monotable {verb}` is now `monotable {new}`\n");
        assert!(outcome.stderr.starts_with(&note), "{outcome:?}");
    }
}

#[test]
fn a_model_in_the_folder_makes_get_put_and_query_commands_on_rows() {
    let sandbox = Sandbox::with_music();
    run(&sandbox, "query Music a").succeeded();
    sandbox.write("model.toml", MODEL);
    let rows = run(&sandbox, "query Music a");
    let rows = rows.failed(2, "has no access pattern `Music`");
    assert!(!rows.stderr.contains("is now"), "{rows:?}");
    // The raw items are where they were.
    let raw = run(&sandbox, "table query Music a").succeeded();
    assert_eq!(raw.stderr, "");
}

#[test]
fn without_a_model_the_way_to_one_is_shown() {
    let sandbox = Sandbox::new();
    let outcome = run(&sandbox, "create User UserId=ada").failed(2, "there is no model");
    for words in ["-m FILE", "MONOTABLE_MODEL", "yggdrasil", "model.toml"] {
        assert!(outcome.stderr.contains(words), "no {words} in {outcome:?}");
    }
    assert!(!sandbox.path().join("data").exists());
    let outcome = run(&sandbox, "query persons_of_tree TreeId=x");
    assert_ne!(outcome.code, Some(0), "{outcome:?}");
    for words in ["there is no model.toml here", "monotable query -m FILE"] {
        assert!(outcome.stderr.contains(words), "no {words} in {outcome:?}");
    }
}

#[test]
fn the_model_is_that_of_the_folder_the_variable_or_the_binary() {
    let user = "create User UserId=ada Email=ada@example.com PasswordHash=x --output jsonl";
    // The demo model that is built in.
    let sandbox = Sandbox::new();
    let demo = run(&sandbox, &format!("{user} -m yggdrasil")).succeeded();
    assert!(demo.stdout.contains("\"UserId\":\"ada\""), "{demo:?}");
    run(&sandbox, "get -m yggdrasil User UserId=ada").succeeded();
    run(&sandbox, "check yggdrasil").succeeded();
    // A file of that name comes first.
    sandbox.write("yggdrasil", "not a model");
    run(&sandbox, "get -m yggdrasil User UserId=ada").failed(253, "error");

    // The file of the folder.
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", MODEL);
    run(&sandbox, user).succeeded();
    run(&sandbox, "get User UserId=ada").succeeded();

    // The variable comes before the folder.
    let mut command = sandbox.command();
    command.args(["get", "User", "UserId=ada"]);
    command.env("MONOTABLE_MODEL", "nowhere.toml");
    Outcome::of(command.output().unwrap()).failed(253, "cannot read nowhere.toml");
}
