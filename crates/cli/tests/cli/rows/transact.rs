//! Several writes, all or none.

use super::{Rows, words};
use crate::sandbox::Outcome;

const WRITES: &str = r#"{"create": "Tree", "values": {"UserId": "ada", "TreeId": "king", "TreeName": "King"}}

{"create": "Person", "values": {"UserId": "ada", "TreeId": "byron", "PersonId": "p7", "FirstName": "A", "LastName": "B", "Gender": "Other"}}
{"update": "Person", "key": {"UserId": "ada", "PersonId": "p0"}, "set": {"LastName": "Lovelace"}}
{"attach": "ParentChild", "values": {"UserId": "ada", "TreeId": "byron", "ParentId": "p0", "ChildId": "p1", "Type": "Biological"}}
"#;

fn transact(rows: &Rows, line: &str, text: &str) -> Outcome {
    rows.sandbox.feed(&words(line), text.as_bytes())
}

#[test]
fn all_lines_are_written_or_none() {
    let rows = Rows::with_persons(2);
    let before = rows.sandbox.items("Yggdrasil");
    for line in ["transact --dry-run", "transact --explain"] {
        transact(&rows, line, WRITES).succeeded();
        assert_eq!(rows.sandbox.items("Yggdrasil"), before, "{line}");
    }
    // The last line is refused, so nothing of the others is there.
    let cycle = WRITES.replace("\"p1\"", "\"p0\"");
    transact(&rows, "transact", &cycle).failed(2, "must be another than `ParentId`");
    let missing = format!(
        "{WRITES}{{\"delete\": \"Tree\", \"key\": {{\"UserId\": \"ada\", \"TreeId\": \"no\"}}}}"
    );
    transact(&rows, "transact", &missing).failed(254, "NotFound");
    assert_eq!(rows.sandbox.items("Yggdrasil"), before);

    rows.sandbox.write("writes.jsonl", WRITES);
    let done = rows.run("transact writes.jsonl --output jsonl").succeeded();
    let rows_shown: Vec<serde_json::Value> = done
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let entities: Vec<_> = rows_shown
        .iter()
        .map(|row| row["@entity"].as_str().unwrap())
        .collect();
    assert_eq!(entities, ["Tree", "Person", "Person", "ParentChild"]);
    let person = rows.json("get Person UserId=ada PersonId=p0");
    assert_eq!(person["LastName"], "Lovelace");
    let tree = rows.json("get Tree UserId=ada TreeId=byron");
    assert_eq!(tree["PersonCount"], 3);
    rows.run("verify").succeeded();
}

#[test]
fn a_token_makes_it_happen_once() {
    let rows = Rows::with_persons(0);
    let writes = r#"[{"create": "Tree", "values": {"UserId": "ada", "TreeName": "King"}}]"#;
    for _ in 0..2 {
        transact(&rows, "transact --token once", writes).succeeded();
    }
    let trees = rows.json("query trees_of_user UserId=ada");
    assert_eq!(trees["rows"].as_array().unwrap().len(), 2, "{trees}");
    // A caller has its own rights.
    transact(&rows, "transact --as UserId=eve", writes).failed(254, "Forbidden");
}

#[test]
fn every_bad_line_is_told() {
    let rows = Rows::new();
    let lines = "{\n{\"create\": \"Treee\", \"values\": {}}\n{\"get\": \"Tree\", \"key\": {}}\n{\"create\": \"Tree\"}\n";
    // A first line that goes on in the next one would make it one document.
    let lines = lines.replacen("{\n", "nonsense\n", 1);
    let outcome = transact(&rows, "transact", &lines)
        .failed(255, "4 of 4 lines cannot be read; nothing was written");
    for words in [
        "line 1: not JSON",
        "line 2: the model has no entity `Treee`; did you mean `Tree`?",
        "line 3: a line has exactly one of create, put, update, delete, attach, detach",
        "line 4: `values` is missing",
    ] {
        assert!(outcome.stderr.contains(words), "no {words} in {outcome:?}");
    }
    transact(&rows, "transact", "").failed(255, "there is no operation");
    assert!(!rows.sandbox.path().join("data").exists());
    rows.run("transact nowhere.jsonl")
        .failed(255, "cannot read nowhere.jsonl");
}
