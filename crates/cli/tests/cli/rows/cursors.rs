//! Pages across commands.

use super::Rows;
use crate::sandbox::Outcome;
use std::collections::BTreeSet;

const QUERY: &str = "query persons_of_tree TreeId=byron --output jsonl";

/// The cursor that the note on stderr tells.
fn cursor(outcome: &Outcome) -> Option<String> {
    let (_, rest) = outcome.stderr.split_once("--cursor ")?;
    Some(rest.trim_end().to_owned())
}

#[test]
fn a_cursor_serves_the_next_command() {
    let rows = Rows::with_persons(5);
    let mut found = BTreeSet::new();
    let mut line = format!("{QUERY} --limit 2");
    let mut rounds = 0;
    loop {
        let page = rows.run(&line).succeeded();
        rounds += 1;
        for row in page.stdout.lines() {
            assert!(found.insert(row.to_owned()), "twice: {row}");
        }
        match cursor(&page) {
            Some(cursor) => line = format!("{QUERY} --limit 2 --cursor {cursor}"),
            None => break,
        }
    }
    assert_eq!((found.len(), rounds), (5, 3));
    let document = rows.json("query persons_of_tree TreeId=byron --limit 2");
    assert!(document["cursor"].is_string());
    let all = rows.run(&format!("{QUERY} --all")).succeeded();
    assert_eq!(all.stdout.lines().count(), 5);
    assert_eq!(all.stderr, "");
    let back = rows
        .run(&format!("{QUERY} --descending --limit 1"))
        .succeeded();
    assert!(back.stdout.contains(r#""PersonId":"p4""#), "{back:?}");
}

#[test]
fn a_cursor_of_another_question_is_refused() {
    let rows = Rows::with_persons(2);
    let page = rows.run(&format!("{QUERY} --limit 1")).succeeded();
    let cursor = cursor(&page).unwrap();
    let middle = cursor.len() / 2;
    let other = if &cursor[middle..=middle] == "A" {
        "B"
    } else {
        "A"
    };
    let tampered = format!("{}{other}{}", &cursor[..middle], &cursor[middle + 1..]);
    let refused = "Usage: this cursor is not one of this pattern";
    rows.run(&format!("{QUERY} --cursor {tampered}"))
        .failed(2, refused);
    rows.run(&format!("{QUERY} --descending --cursor {cursor}"))
        .failed(2, refused);
    rows.run(&format!("{QUERY} --as UserId=ada --cursor {cursor}"))
        .failed(2, refused);
    rows.run(&format!("{QUERY} --cursor -nonsense"))
        .failed(2, refused);
    // Another store has another secret.
    let other = Rows::with_persons(2);
    other
        .run(&format!("{QUERY} --cursor {cursor}"))
        .failed(2, refused);
    rows.run(&format!("{QUERY} --cursor {cursor}")).succeeded();
}
