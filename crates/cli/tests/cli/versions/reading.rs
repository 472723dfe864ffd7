//! Logs, snapshots and differences.

use super::{VALUES, Versions};
use serde_json::json;

/// What the first revision draws.
const TREE: &str = "\
DRIVER d1 Health
├── MILESTONE m1 Run 10 km
│   └── ACTION a1 Buy shoes
└── ACTION a2 Sleep
DRIVER d2 Work
";

#[test]
fn a_log_is_lines_or_pages() {
    let (versions, first) = Versions::begun();
    let second = versions.retitle("a2", "Nap");
    let log = versions.text(&format!("log {VALUES}"));
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].starts_with(&format!("* {second} 2")), "{log}");
    assert!(lines[0].ends_with("Z  (HEAD) Nap"), "{log}");
    assert!(lines[1].starts_with(&format!("* {first} 2")), "{log}");
    assert!(lines[1].ends_with("Z  begin"), "{log}");
    let oldest = versions.text(&format!("log {VALUES} --oldest-first --all"));
    assert!(oldest.starts_with(&format!("* {first}")), "{oldest}");

    let page = versions.json(&format!("log {VALUES} --limit 1 --output json"));
    assert_eq!(page["rows"][0]["revId"], second.as_str());
    assert_eq!(page["followed"][0]["headRevId"], second.as_str());
    let cursor = page["cursor"].as_str().unwrap();
    let line = format!("log {VALUES} --limit 1 --cursor={cursor}");
    assert!(versions.text(&line).starts_with(&format!("* {first}")));
    versions
        .run(&format!("log {VALUES} --graph --output json"))
        .failed(2, "--graph is a drawing");
    versions
        .run(&format!("log {VALUES} --graph --limit 1"))
        .failed(2, "cannot be used with");
    assert_eq!(versions.text("log values userId=nobody"), "");
}

#[test]
fn a_tree_is_drawn() {
    let (versions, first) = Versions::begun();
    assert_eq!(versions.text(&format!("show {VALUES} --tree")), TREE);
    let link = r#"{"create": "ValuesEdge", "values": {"parentNodeId": "d2", "childNodeId": "m1"}}"#;
    versions.commit("shared", link);
    let shared = format!("{TREE}└── MILESTONE m1 Run 10 km …\n");
    assert_eq!(versions.text(&format!("show {VALUES} --tree")), shared);
    let below = versions.text(&format!("show {VALUES} --tree --under m1"));
    assert_eq!(below, "MILESTONE m1 Run 10 km\n└── ACTION a1 Buy shoes\n");
    versions
        .run(&format!("show {VALUES} --tree --under m9"))
        .failed(254, "NotFound: there is no row m9");
    let old = versions.text(&format!("show {VALUES} --tree --at {first}"));
    assert_eq!(old, TREE);

    let shown = versions.json(&format!("show {VALUES} --tree --output json"));
    assert_eq!(shown["rows"].as_array().unwrap().len(), 9);
    let tree = &shown["tree"];
    assert_eq!(tree[0]["row"]["nodeId"], "d1");
    assert_eq!(
        tree[0]["children"][0]["children"][0]["row"]["title"],
        "Buy shoes"
    );
    let again = &tree[1]["children"][0];
    assert_eq!(again["repeated"], true);
    assert!(again.get("children").is_none(), "{again}");
    let lines = versions.text(&format!("show {VALUES} --tree --output jsonl"));
    assert_eq!(lines.lines().count(), 2);
}

#[test]
fn rows_are_shown_as_they_were() {
    let (versions, first) = Versions::begun();
    let before = versions.json(&format!("log {VALUES} --output json"))["rows"][0]["revTs"].clone();
    let delete = r#"{"delete": "ValuesNode", "key": {"nodeId": "a1"}}"#;
    let second = versions.commit("gone", delete);
    let now = versions.json(&format!("show {VALUES}"));
    assert_eq!(now["revision"], second.as_str());
    assert_eq!(now["rows"].as_array().unwrap().len(), 6);
    assert!(now.get("tree").is_none(), "{now}");
    let buried = versions.json(&format!("show {VALUES} --tombstones"));
    assert_eq!(buried["rows"].as_array().unwrap().len(), 8);
    let drawn = versions.text(&format!("show {VALUES} --tombstones --tree"));
    let deleted = TREE.replace("Buy shoes", "Buy shoes (deleted)");
    assert_eq!(drawn, deleted);
    let time = before.as_str().unwrap();
    let then = versions.json(&format!("show {VALUES} --at {time}"));
    assert_eq!(then["revision"], first.as_str());
    assert_eq!(then["rows"].as_array().unwrap().len(), 8);
    versions
        .run(&format!("show {VALUES} --at 2001-01-01T00:00:00Z"))
        .failed(254, "NotFound");
    let under = versions.text(&format!("show {VALUES} --under d1 --output jsonl"));
    assert_eq!(under.lines().count(), 4, "{under}");
    let table = versions.text(&format!("show {VALUES} --output table"));
    assert!(
        table.starts_with(&format!("revision {second}\n\nValuesNode\nuserId")),
        "{table}"
    );
}

#[test]
fn rows_that_nothing_connects_are_listed_by_entity() {
    let (versions, _) = Versions::begun();
    let plan = "plan userId=u1 date=2026-01-23";
    let line = format!(
        "commit {plan} --set reason=morning_plan \
         --create 'PlanTodo {{\"actionId\": \"a2\", \"classification\": \"urgent\", \"notes\": \"eight hours\"}}' \
         --create 'PlanBlock {{\"blockId\": \"b1\", \"blockType\": \"BREAK\", \"startTimeIso\": \"2026-01-23T09:00:00Z\", \"endTimeIso\": \"2026-01-23T10:00:00Z\"}}'"
    );
    versions.run(&line).succeeded();
    let expected = "\
PlanTodo
  urgent 0 a2 eight hours

PlanBlock
  BREAK 2026-01-23T09:00:00.000Z b1
";
    assert_eq!(versions.text(&format!("show {plan} --tree")), expected);
}

#[test]
fn differences_are_lines_or_items() {
    let (versions, first) = Versions::begun();
    let changes = r#"
{"update": "ValuesNode", "key": {"nodeId": "a2"}, "set": {"title": "Nap", "notes": "short"}}
{"update": "ValuesEdge", "key": {"parentNodeId": "d1", "childNodeId": "a2"}, "set": {"order": 0}}
{"create": "ValuesNode", "values": {"nodeId": "d3", "nodeType": "DRIVER", "title": "Play"}}
"#;
    versions.commit("more", changes);
    let text = versions.text(&format!("diff {VALUES} {first}"));
    let expected = "\
> ValuesEdge d1 1 m1
    order: 0 -> 1
> ValuesEdge d1 0 a2
    order: 1 -> 0
~ ValuesNode ACTION a2 Nap
    notes: nothing -> \"short\"
    title: \"Sleep\" -> \"Nap\"
+ ValuesNode DRIVER d3 Play
";
    assert_eq!(text, expected);
    let back = versions.text(&format!("diff {VALUES} head {first}"));
    assert!(back.contains("- ValuesNode DRIVER d3 Play\n"), "{back}");

    let found = versions.json(&format!("diff {VALUES} {first} head --output json"));
    let is: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["is"])
        .collect();
    assert_eq!(is, ["moved", "moved", "changed", "added"]);
    let changed = &found[2];
    assert_eq!(changed["entity"], "ValuesNode");
    assert_eq!(changed["attributes"], json!(["notes", "title"]));
    assert_eq!(changed["before"]["title"], "Sleep");
    assert_eq!(changed["after"]["title"], "Nap");
    assert_eq!(found[3]["before"], json!(null));

    let same = versions.run(&format!("diff {VALUES} head")).succeeded();
    assert_eq!((same.stdout.as_str(), same.stderr.as_str()), ("", ""));
    versions
        .run(&format!("diff {VALUES}"))
        .failed(2, "give one revision");
    versions
        .run(&format!("diff {VALUES} nope"))
        .failed(254, "NotFound: there is no ValuesRevision nope");
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let (versions, first) = Versions::begun();
    versions.retitle("a2", "Nap");
    let run = |variables: &[(&str, &str)]| {
        let line = format!("diff {VALUES} {first}");
        let mut command = versions.sandbox.command();
        command
            .args(super::arguments(&line))
            .envs(variables.iter().copied());
        crate::sandbox::Outcome::of(command.output().unwrap()).succeeded()
    };
    assert!(run(&[]).stdout.starts_with("~ "));
    assert!(
        run(&[("CLICOLOR_FORCE", "1")])
            .stdout
            .starts_with("\u{1b}[33m~ ")
    );
    assert!(
        run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])
            .stdout
            .starts_with("~ ")
    );
}
