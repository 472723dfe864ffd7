//! What the matrix has found.

use std::collections::BTreeMap;

/// The cells of one model in one variant.
#[derive(Debug)]
pub(crate) struct Report {
    name: String,
    cells: BTreeMap<String, usize>,
    canaries: usize,
    /// Cells that fail today: caller and call.
    known: Vec<(String, String)>,
    known_failed: usize,
    failed: Vec<String>,
}

impl Report {
    pub(crate) fn new(model: &str, variant: &str, known: Vec<(String, String)>) -> Self {
        Self {
            name: format!("{model} ({variant})"),
            cells: BTreeMap::new(),
            canaries: 0,
            known,
            known_failed: 0,
            failed: Vec::new(),
        }
    }

    pub(crate) const fn note_canaries(&mut self, count: usize) {
        self.canaries += count;
    }

    /// One cell, and what is wrong with it.
    pub(crate) fn add(&mut self, caller: &str, call: &str, problems: Vec<String>) {
        *self.cells.entry(caller.to_owned()).or_default() += 1;
        let mut known = self.known.iter();
        if known.any(|(by, known)| by == caller && known == call) {
            self.known_failed += 1;
            if problems.is_empty() {
                self.failed.push(format!(
                    "{caller}: {call}\n    it holds now: take it off the known differences"
                ));
            }
        } else if !problems.is_empty() {
            let mut said = problems.join("; ");
            if let Some((end, _)) = said.char_indices().nth(600) {
                said.truncate(end);
            }
            self.failed.push(format!("{caller}: {call}\n    {said}"));
        }
    }

    /// Prints how many cells there are, by caller.
    pub(crate) fn print(&self) {
        let callers = self.cells.iter();
        let callers: Vec<String> = callers
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        let (name, total, callers) = (&self.name, self.total(), callers.join("; "));
        let (canaries, known, failed) = (self.canaries, self.known_failed, self.failed.len());
        println!(
            "{name}: {total} cells [{callers}], {canaries} canaries, {known} known differences, {failed} failed"
        );
    }

    fn total(&self) -> usize {
        self.cells.values().sum()
    }

    /// Fails if a cell has failed that is not known to, or a known difference is none.
    pub(crate) fn assert_sound(&self) {
        let (name, total, failed) = (&self.name, self.total(), self.failed.len());
        let shown: Vec<&str> = self
            .failed
            .iter()
            .take(shown_failures())
            .map(String::as_str)
            .collect();
        assert!(
            failed == 0,
            "{name}: {failed} of {total} cells failed:\n{}",
            shown.join("\n")
        );
        assert_eq!(
            self.known_failed,
            self.known.len(),
            "{name}: a known difference names no cell"
        );
    }
}

/// How many failed cells are shown: `MONOTABLE_SHOWN_CELLS`, else 40.
fn shown_failures() -> usize {
    let given = std::env::var("MONOTABLE_SHOWN_CELLS").ok();
    given.and_then(|count| count.parse().ok()).unwrap_or(40)
}
