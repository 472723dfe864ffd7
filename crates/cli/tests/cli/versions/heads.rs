//! Heads that move: rollbacks, reverts, carries; and what is left of commits.

use super::{SAID, VALUES, Versions};

#[test]
fn a_rollback_and_a_commit_make_a_branch() {
    let (versions, first) = Versions::begun();
    let second = versions.retitle("a2", "Nap");
    let head = versions.json(&format!("rollback {VALUES} {first} --from {second}"));
    assert_eq!(head["headRevId"], first.as_str());
    versions
        .run(&format!("rollback {VALUES} {first} --from {second}"))
        .failed(254, &format!("the head is {first}"));
    versions
        .run(&format!("rollback {VALUES} nope"))
        .failed(254, "NotFound");
    versions
        .run(&format!("rollback {VALUES}"))
        .failed(2, "give one revision");
    let third = versions.retitle("a1", "Borrow");
    let graph = versions.text(&format!("log {VALUES} --graph"));
    let lines: Vec<&str> = graph.lines().collect();
    assert_eq!(lines.len(), 4, "{graph}");
    assert!(lines[0].starts_with(&format!("* {third} ")), "{graph}");
    assert!(lines[0].contains("(HEAD)"), "{graph}");
    assert!(lines[1].starts_with(&format!("| * {second} ")), "{graph}");
    assert_eq!(lines[2], "|/");
    assert!(lines[3].starts_with(&format!("* {first} ")), "{graph}");
}

#[test]
fn a_revert_is_a_revision() {
    let (versions, first) = Versions::begun();
    let second = versions.retitle("a2", "Nap");
    let made = versions.json(&format!(
        "revert {VALUES} {first} {SAID}back --parent {second}"
    ));
    assert_eq!(made["parentRevId"], second.as_str());
    assert_eq!(made["message"], "back");
    assert_eq!(versions.text(&format!("diff {VALUES} {first} head")), "");
    versions
        .run(&format!(
            "revert {VALUES} {first} {SAID}back --parent {second}"
        ))
        .failed(254, "Conflict");
}

#[test]
fn rows_are_carried_once() {
    let (versions, _) = Versions::begun();
    let todo = "--create 'PlanTodo {\"actionId\": \"a2\", \"classification\": \"urgent\"}'";
    let line = format!("commit plan userId=u1 date=2026-01-23 --set reason=morning_plan {todo}");
    versions.run(&line).succeeded();
    let carry = "carry rollover userId=u1 date=2026-01-23";
    let dry = versions.run(&format!("{carry} --dry-run")).succeeded();
    assert!(dry.stderr.contains("nothing was written"), "{dry:?}");
    let made = versions.json(carry);
    assert_eq!(made["date"], "2026-01-24");
    assert_eq!(made["reason"], "rollover");
    let again = versions.run(carry).succeeded();
    assert_eq!(again.stdout, "");
    assert!(
        again.stderr.contains("there is nothing to carry"),
        "{again:?}"
    );
    versions
        .run("carry nothing userId=u1")
        .failed(2, "it has rollover");
}

#[test]
fn what_never_finished_is_swept() {
    let (versions, _) = Versions::begun();
    let intent = r#"{"PK": "U#u1", "SK": "PENDING#values#lost", "Type": "Intent", "repository": "values", "revId": "lost", "partition": "U#u1#VALUES#lost", "startedAt": "2020-01-01T00:00:00.000Z"}"#;
    let row = r#"{"PK": "U#u1#VALUES#lost", "SK": "NODE#d9", "Type": "ValuesNode", "nodeId": "d9", "nodeType": "DRIVER", "title": "Lost", "archived": false, "createdAt": "2020-01-01T00:00:00.000Z"}"#;
    for item in [intent, row] {
        versions
            .sandbox
            .run(&["table", "put", "App", item])
            .succeeded();
    }
    let sweep = format!("sweep {VALUES}");
    let young = versions.json(&format!("{sweep} --older-than 36500d"));
    assert_eq!((&young["intents"], &young["left"]), (&0.into(), &1.into()));
    let swept = versions.json(&sweep);
    assert_eq!((&swept["intents"], &swept["rows"]), (&1.into(), &1.into()));
    assert_eq!(versions.json(&sweep)["intents"], 0);
    versions
        .run(&format!("{sweep} --older-than soon"))
        .failed(2, "soon is no age");
    let everywhere = versions.json("sweep values");
    assert_eq!(everywhere["intents"], 0);
}

#[test]
fn a_sweep_of_the_whole_table_only_lists_without_delete() {
    let (versions, _) = Versions::begun();
    let intent = r#"{"PK": "U#u1", "SK": "PENDING#values#lost", "repository": "values", "revId": "lost", "partition": "U#u1#VALUES#lost", "startedAt": "2020-01-01T00:00:00.000Z"}"#;
    let row = r#"{"PK": "U#u1#VALUES#lost", "SK": "NODE#d9", "nodeId": "d9", "nodeType": "DRIVER", "title": "Lost", "archived": false, "createdAt": "2020-01-01T00:00:00.000Z"}"#;
    for item in [intent, row] {
        versions
            .sandbox
            .run(&["table", "put", "App", item])
            .succeeded();
    }
    let before = versions.sandbox.items("App");
    let listed = versions.json("sweep values");
    let removed = &listed["removed"][0];
    assert_eq!(removed["owner"]["userId"], "u1");
    assert_eq!(
        (&removed["revision"], &removed["rows"]),
        (&"lost".into(), &1.into())
    );
    assert_eq!(removed["reason"], "its commit never finished");
    assert_eq!(versions.sandbox.items("App"), before);
    assert_eq!(versions.json("sweep values --delete"), listed);
    assert_eq!(versions.sandbox.items("App").len(), before.len() - 2);
}

#[test]
fn an_intent_that_names_another_users_snapshot_is_reported_with_exit_code_1() {
    let (versions, _) = Versions::begun();
    let forged = r#"{"PK": "U#u2", "SK": "PENDING#values#x", "repository": "values", "revId": "x", "partition": "U#u1#VALUES#x", "startedAt": "2020-01-01T00:00:00.000Z"}"#;
    versions
        .sandbox
        .run(&["table", "put", "App", forged])
        .succeeded();
    let before = versions.sandbox.items("App");
    for line in ["sweep values userId=u2", "sweep values --delete"] {
        let failed = versions.run(line).failed(1, "somebody has to look at");
        assert!(failed.stderr.contains("U#u1#VALUES#x"), "{failed:?}");
        assert!(failed.stdout.contains("kept"), "{failed:?}");
    }
    assert_eq!(versions.sandbox.items("App"), before);
}
