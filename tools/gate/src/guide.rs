//! The files that ARCHITECTURE.md leads its reader to are there.
//!
//! Its blocks name a file or a folder at the beginning of a line, by crate and path: `store/write/create.rs`.

use std::path::Path;

use crate::metadata::Metadata;
use crate::problem::Problem;

const GUIDE: &str = "ARCHITECTURE.md";

/// Checks the guide of the workspace.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    match std::fs::read_to_string(metadata.workspace_root.join(GUIDE)) {
        Ok(text) => find_missing(&metadata.workspace_root, &text),
        Err(error) => vec![Problem::new(format!("{GUIDE} cannot be read: {error}"))],
    }
}

/// The lines that lead nowhere.
fn find_missing(root: &Path, text: &str) -> Vec<Problem> {
    let lines = text.lines().enumerate();
    let missing = lines.filter_map(|(number, line)| {
        let named = named_file(root, line)?;
        let (of, path) = named.split_once('/')?;
        let file = root.join("crates").join(of).join("src").join(path);
        let is_there = file.exists();
        (!is_there).then(|| {
            let number = number + 1;
            Problem::new(format!(
                "{GUIDE}:{number} leads to {named}, and there is no {}: name the file that does this today",
                file.display()
            ))
        })
    });
    missing.collect()
}

/// The file that a line of a block begins with, if that is one of a crate.
fn named_file<'t>(root: &Path, line: &'t str) -> Option<&'t str> {
    let rest = line.strip_prefix("    ")?;
    let word = rest.split_whitespace().next()?;
    let is_at_start = rest.starts_with(word);
    let (of, path) = word.split_once('/')?;
    let is_crate = root.join("crates").join(of).join("src").is_dir();
    (is_at_start && is_crate && !path.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::*;

    #[test]
    fn a_line_that_leads_nowhere_is_told() {
        let root = Metadata::of_workspace().unwrap().workspace_root;
        let text = "    store/run.rs      there\n    store/walk.rs     not there\n    plain text, and store/x.rs\n";
        let problems = find_missing(&root, text);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].to_string().contains("ARCHITECTURE.md:2"));
    }
}
