//! What the matrix has found.

use std::collections::BTreeMap;

/// The cells of one model in one variant.
#[derive(Debug)]
pub(crate) struct Report {
    name: String,
    cells: BTreeMap<String, usize>,
    canaries: usize,
    failed: Vec<String>,
}

impl Report {
    pub(crate) fn new(model: &str, variant: &str) -> Self {
        Self {
            name: format!("{model} ({variant})"),
            cells: BTreeMap::new(),
            canaries: 0,
            failed: Vec::new(),
        }
    }

    pub(crate) const fn note_canaries(&mut self, count: usize) {
        self.canaries += count;
    }

    /// One cell, and what is wrong with it.
    pub(crate) fn add(&mut self, caller: &str, call: &str, problems: Vec<String>) {
        *self.cells.entry(caller.to_owned()).or_default() += 1;
        if !problems.is_empty() {
            let mut said = problems.join("; ");
            if let Some((end, _)) = said.char_indices().nth(600) {
                said.truncate(end);
            }
            self.failed.push(format!("{caller}: {call}\n    {said}"));
        }
    }

    /// Prints the counts, and fails if a cell has failed.
    pub(crate) fn finish(self) {
        let total: usize = self.cells.values().sum();
        let callers: Vec<String> = self.cells.iter().map(|(name, count)| format!("{name} {count}")).collect();
        println!("{}: {total} cells ({}), {} canaries, {} failed", self.name, callers.join(", "), self.canaries, self.failed.len());
        assert!(
            self.failed.is_empty(),
            "{}: {} of {total} cells failed:\n{}",
            self.name,
            self.failed.len(),
            self.failed.iter().take(shown_failures()).cloned().collect::<Vec<_>>().join("\n")
        );
    }
}

/// How many failed cells are shown: `MONOTABLE_SHOWN_CELLS`, else 40.
fn shown_failures() -> usize {
    let given = std::env::var("MONOTABLE_SHOWN_CELLS").ok();
    given.and_then(|count| count.parse().ok()).unwrap_or(40)
}
