//! Change sets that cannot be read, and those of several repositories.

use super::{SAID, VALUES, Versions};
use serde_json::Value;

#[test]
fn bad_lines_are_told_and_nothing_is_written() {
    let (versions, _) = Versions::begun();
    let before = versions.sandbox.items("App");
    let line = format!("commit {VALUES} {SAID}x");
    let good = r#"{"create": "ValuesNode", "values": {"nodeType": "DRIVER", "title": "x"}}"#;
    let bad = format!("{good}\nnonsense\n\n{{\"update\": \"ValuesNode\"}}\n");
    let outcome = versions
        .feed(&line, &bad)
        .failed(255, "2 changes cannot be committed; nothing was written");
    assert!(
        outcome
            .stderr
            .contains("line 2: not JSON: expected ident at column 2"),
        "{outcome:?}"
    );
    let told = "line 4: `key` is missing";
    assert!(outcome.stderr.contains(told), "{outcome:?}");
    let strangers = format!("[{good},\n{{\"create\": \"Nope\", \"values\": {{}}}}]");
    versions
        .feed(&line, &strangers)
        .failed(255, "line 2: the model has no entity `Nope`");
    let plan = r#"{"delete": "PlanTodo", "key": {"order": 1}}"#;
    versions
        .feed(&line, plan)
        .failed(255, "line 1: PlanTodo is not in the repository `values`");
    versions
        .feed("commit", good)
        .failed(255, "line 1: a change of no repository");
    let short = format!("{line} --create 'ValuesNode'");
    versions
        .run(&short)
        .failed(2, "it looks like 'ENTITY {..}'");
    let short = format!("{line} --create 'Nope {{}}'");
    versions
        .run(&short)
        .failed(2, "the model has no entity `Nope`");
    versions
        .run(&format!("{line} --changes nowhere"))
        .failed(255, "cannot read nowhere");
    versions
        .run("commit")
        .failed(2, "there is nothing to commit");
    versions
        .feed("commit --set message=x", good)
        .failed(2, "--set needs the name of a repository");
    // What the model refuses names the row.
    let wrong = r#"{"create": "ValuesNode", "values": {"nodeId": "a9", "nodeType": "HOBBY", "title": "x"}}"#;
    versions
        .feed(&line, wrong)
        .failed(2, "`nodeType` must be DRIVER | MILESTONE | ACTION");
    assert_eq!(versions.sandbox.items("App"), before);
}

#[test]
fn changes_come_from_a_file_too() {
    let (versions, _) = Versions::begun();
    let change = r#"{"create": "ValuesNode", "values": {"nodeId": "d3", "nodeType": {"S": "DRIVER"}, "title": {"S": "Play"}}}"#;
    let typed = change.replace(r#""d3""#, r#"{"S": "d3"}"#);
    versions.sandbox.write("changes.json", typed);
    let line = format!("commit {VALUES} {SAID}play --changes changes.json --ddb-json");
    let made = versions.text(&line);
    assert!(made.contains(r#""S": "play""#), "{made}");
    let shown = versions.text(&format!("show {VALUES} --tree"));
    assert!(
        shown.ends_with("DRIVER d2 Work\nDRIVER d3 Play\n"),
        "{shown}"
    );
}

#[test]
fn several_repositories_are_committed_at_once_or_not_at_all() {
    let (versions, _) = Versions::begun();
    let plan = |date: &str, action: &str| {
        format!(
            r#"{{"commit": "plan", "key": {{"userId": "u1", "date": "{date}"}}, "values": {{"reason": "morning_plan"}}, "parent": null, "changes": [{{"create": "PlanTodo", "values": {{"actionId": "{action}", "classification": "urgent"}}}}]}}"#
        )
    };
    let lines = format!(
        "{}\n{}\n",
        plan("2026-01-23", "a1"),
        plan("2026-01-24", "a2")
    );
    let made = versions.feed("commit", &lines).succeeded();
    let made: Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!(made[0]["@entity"], "PlanRevision");
    assert_eq!(made[1]["date"], "2026-01-24");

    // The second one is there already.
    let lines = format!(
        "{}\n{}\n",
        plan("2026-01-25", "a1"),
        plan("2026-01-24", "a2")
    );
    versions
        .feed("commit", &lines)
        .failed(254, "Conflict: plan");
    let log = versions.json("log plan userId=u1 date=2026-01-25 --output json");
    assert_eq!(log["rows"].as_array().unwrap().len(), 0);

    // Beside the repository of the command line.
    let line = format!("commit {VALUES} {SAID}both");
    let both = versions.feed(&line, &plan("2026-01-25", "a1")).succeeded();
    assert!(both.stderr.contains("no changes"), "{both:?}");
    assert!(both.stdout.contains("ValuesRevision"), "{both:?}");
}
