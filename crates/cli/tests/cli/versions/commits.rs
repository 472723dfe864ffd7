//! Commits: what they print, what they follow, what they cost.

use super::{BEGIN, SAID, VALUES, Versions};

#[test]
fn a_commit_prints_its_revision() {
    let versions = Versions::new();
    let line = format!("commit {VALUES} {SAID}begin --output jsonl");
    let made = versions.feed(&line, BEGIN).succeeded();
    assert!(
        made.stdout.starts_with(r#"{"message":"begin","revId":"#),
        "{made:?}"
    );
    assert_eq!(made.stderr, "");
    let line = format!(
        "commit {VALUES} {SAID}short --create 'ValuesNode {{\"nodeId\": \"x\", \"nodeType\": \"DRIVER\", \"title\": \"X\"}}' \
         --update 'ValuesNode {{\"nodeId\": \"x\"}} {{\"title\": \"Y\"}}' --delete 'ValuesNode {{\"nodeId\": \"d2\"}}'"
    );
    let made = versions.json(&line);
    assert!(made["parentRevId"].is_string(), "{made}");
    let tree = versions.text(&format!("show {VALUES} --tree"));
    assert!(tree.ends_with("ACTION a2 Sleep\nDRIVER x Y\n"), "{tree}");
    versions.run("verify").succeeded();
}

#[test]
fn a_commit_with_a_token_is_made_once() {
    let (versions, _) = Versions::begun();
    let change = "--update 'ValuesNode {\"nodeId\": \"a2\"} {\"title\": \"Rest\"}'";
    let line = format!("commit {VALUES} {SAID}x {change} --token said-twice --output jsonl");
    let first = versions.run(&line).succeeded();
    let again = versions.run(&line).succeeded();
    assert_eq!(first.stdout, again.stdout);
    let log = versions.text(&format!("log {VALUES} --output jsonl"));
    assert_eq!(log.matches("\"message\":\"x\"").count(), 1, "{log}");
}

#[test]
fn a_dry_run_writes_nothing() {
    let versions = Versions::new();
    let line = format!("commit {VALUES} {SAID}begin --dry-run");
    let dry = versions.feed(&line, BEGIN).succeeded();
    assert!(dry.stderr.contains("nothing was written"), "{dry:?}");
    assert!(dry.stdout.contains("begin"), "{dry:?}");
    assert!(!versions.sandbox.path().join("data").exists());

    let (versions, first) = Versions::begun();
    versions.retitle("a2", "Nap");
    let before = versions.sandbox.items("App");
    let change = "--update 'ValuesNode {\"nodeId\": \"a2\"} {\"title\": \"Rest\"}'";
    for line in [
        format!("commit {VALUES} {SAID}x {change} --dry-run"),
        format!("rollback {VALUES} {first} --dry-run"),
        format!("revert {VALUES} {first} {SAID}x --dry-run"),
        format!("sweep {VALUES} --dry-run"),
        "purge userId=u1 --dry-run".to_owned(),
        format!("commit {VALUES} {SAID}x {change} --explain"),
    ] {
        versions.run(&line).succeeded();
        assert_eq!(versions.sandbox.items("App"), before, "{line}");
    }
}

#[test]
fn a_conflict_names_the_head_and_the_way_out() {
    let (versions, first) = Versions::begun();
    let second = versions.retitle("a2", "Nap");
    let commit = |options: &str, id: &str| {
        let change = format!("'ValuesNode {{\"nodeId\": \"{id}\"}} {{\"title\": \"Z\"}}'");
        versions.run(&format!(
            "commit {VALUES} {SAID}x {options} --update {change}"
        ))
    };
    let stale = commit(&format!("--parent {first}"), "a1");
    let stale = stale.failed(254, &format!("Conflict: values: the head is {second}"));
    assert!(stale.stderr.contains("help: --rebase REV"), "{stale:?}");
    commit("--first", "a1").failed(254, "leave out --first");
    commit(&format!("--rebase {first}"), "a2").failed(254, "ValuesNode a2");
    commit(&format!("--rebase {first}"), "a1").succeeded();
    commit(&format!("--parent {first} --first"), "a1").failed(2, "cannot be used with");
}

#[test]
fn references_that_lead_nowhere_are_warnings() {
    let (versions, _) = Versions::begun();
    let todo = "--create 'PlanTodo {\"actionId\": \"gone\", \"classification\": \"other\"}'";
    let line = format!("commit plan userId=u1 date=2026-01-23 --set reason=morning_plan {todo}");
    let made = versions.run(&line).succeeded();
    assert!(made.stderr.starts_with("warning: PlanTodo"), "{made:?}");
}

#[test]
fn explain_shows_requests_and_units() {
    let (versions, first) = Versions::begun();
    let delete = "--delete 'ValuesNode {\"nodeId\": \"d2\"}'";
    let commit = versions.text(&format!("commit {VALUES} {SAID}x {delete} --explain"));
    for words in [
        "GetItem {",
        "BatchWriteItem {",
        "TransactWriteItems {",
        "# App: 1 read",
        " written\n",
        "write units",
    ] {
        assert!(commit.contains(words), "no {words} in {commit}");
    }
    for line in [
        format!("log {VALUES} --limit 1 --explain"),
        format!("show {VALUES} --at {first} --explain"),
        format!("diff {VALUES} {first} head --explain"),
        format!("rollback {VALUES} {first} --explain"),
        format!("revert {VALUES} {first} {SAID}x --explain"),
        format!("sweep {VALUES} --older-than 1h --explain"),
    ] {
        let shown = versions.text(&line);
        assert!(shown.contains("read units"), "{line}: {shown}");
    }
}
