//! What the cells of a run come to.

use crate::finding::Finding;
use crate::grid::{Cell, Results};
use std::collections::{BTreeMap, BTreeSet};

/// A cell, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    cell: String,
    class: String,
}

#[derive(Default)]
pub(crate) struct Report {
    /// How many cells make no sense, by the reason.
    impossible: BTreeMap<&'static str, usize>,
    pub(crate) possible_pairs: usize,
    singles: usize,
    pairs: usize,
    findings: BTreeMap<Line, String>,
}

impl Report {
    /// The cells that make sense.
    pub(crate) fn possible(&mut self, mut cells: Vec<Cell>) -> Vec<Cell> {
        cells.retain(|cell| match cell.impossible() {
            Some(reason) => {
                *self.impossible.entry(reason).or_default() += 1;
                false
            }
            None => true,
        });
        cells
    }

    pub(crate) fn add_singles(&mut self, results: &Results) {
        self.singles += results.len() / 2;
        self.add(results);
    }

    pub(crate) fn add_pairs(&mut self, results: &Results) {
        self.pairs += results.len() / 2;
        self.add(results);
    }

    fn add(&mut self, results: &Results) {
        for (cell, findings) in results {
            for Finding { class, detail } in findings {
                let line = Line {
                    cell: cell.clone(),
                    class: class.clone(),
                };
                self.findings.entry(line).or_insert_with(|| detail.clone());
            }
        }
    }

    /// Whether there was anything to run.
    pub(crate) const fn has_run(&self) -> bool {
        self.singles > 0
    }

    pub(crate) fn print_details(&self) {
        for (Line { cell, class }, detail) in &self.findings {
            println!("{cell}: {class}\n    {detail}");
        }
    }

    /// Prints the counts, and fails if anything was found.
    pub(crate) fn judge(&self) {
        self.print_counts();
        let found: Vec<_> = self.findings.iter().map(describe).collect();
        assert!(
            found.is_empty(),
            "{} findings:\n{}\n",
            found.len(),
            found.join("\n")
        );
    }

    fn print_counts(&self) {
        let cells: BTreeSet<_> = self.findings.keys().map(|line| &line.cell).collect();
        println!(
            "mechanisms alone: {} cells; pairs: {} of {} cells; each also cut off after every write",
            self.singles, self.pairs, self.possible_pairs
        );
        println!(
            "failing: {} cells, {} findings",
            cells.len(),
            self.findings.len()
        );
        for (reason, count) in &self.impossible {
            println!("impossible: {count} cells, because {reason}");
        }
    }
}

fn describe((Line { cell, class }, detail): (&Line, &String)) -> String {
    let detail: String = detail.chars().take(300).collect();
    format!("{cell}: {class}\n    {detail}")
}
