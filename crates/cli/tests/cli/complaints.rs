//! Every complaint of new users that docs/checks.md lists has a test that exists.

use crate::pasted::root;
use regex_lite::Regex;

/// The rows of the list.
fn list() -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/checks.md")).unwrap();
    let (_, list) = page
        .split_once("\n## What new users complained about\n")
        .unwrap();
    let (list, _) = list.split_once("\n## ").unwrap();
    let rows = list.lines().filter(|line| line.starts_with("| "));
    // The first row has the headings.
    rows.skip(1).map(str::to_owned).collect()
}

#[test]
fn every_complaint_has_a_test() {
    let named = Regex::new("`([a-z_/]+\\.rs)`: `([a-z0-9_]+)`").unwrap();
    let rows = list();
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let tests: Vec<_> = named.captures_iter(&row).collect();
        assert!(!tests.is_empty(), "{row}");
        for test in tests {
            let text = std::fs::read_to_string(root().join(&test[1])).unwrap();
            let is_test = Regex::new(&format!(r"#\[(tokio::)?test\]\n(async )?fn {}\(", &test[2]));
            assert!(is_test.unwrap().is_match(&text), "{row}");
        }
    }
}
