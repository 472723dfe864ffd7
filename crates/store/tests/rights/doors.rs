//! Rows leave the store by one door.

use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// The files below `src` that hold a text.
fn files_with(text: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources(&root, &mut found);
    let holds = |path: &PathBuf| std::fs::read_to_string(path).unwrap().contains(text);
    let mut names: Vec<_> = found
        .iter()
        .filter(|path| holds(path))
        .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
        .collect();
    names.sort();
    names
}

#[test]
fn only_the_gate_says_that_a_row_may_be_seen() {
    assert_eq!(
        files_with("by_gate("),
        ["allowed.rs", "rights/gate.rs"],
        "`Allowed::by_gate` is for `rights/gate.rs` alone"
    );
    // Without parentheses it could still be passed on as a function.
    assert_eq!(files_with("by_gate"), ["allowed.rs", "rights/gate.rs"]);
}
