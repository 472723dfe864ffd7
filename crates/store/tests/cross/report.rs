//! What the cells of a run come to.

use crate::finding::Finding;
use crate::grid::{Cell, Results};
use crate::known::{self, Line};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(crate) struct Report {
    /// How many cells make no sense, by the reason.
    impossible: BTreeMap<&'static str, usize>,
    pub(crate) possible_pairs: usize,
    singles: usize,
    pairs: usize,
    ran: BTreeSet<String>,
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
            self.ran.insert(cell.clone());
            for Finding { class, detail } in findings {
                let line = Line {
                    cell: cell.clone(),
                    class: class.clone(),
                };
                self.findings.entry(line).or_insert_with(|| detail.clone());
            }
        }
    }

    pub(crate) fn print_details(&self) {
        for (Line { cell, class }, detail) in &self.findings {
            println!("{cell}: {class}\n    {detail}");
        }
    }

    /// Prints the counts, and fails if the list of what is known is not what was found.
    pub(crate) fn judge(&self) {
        let failed: BTreeSet<Line> = self.findings.keys().cloned().collect();
        let refused = failed
            .iter()
            .find(|line| line.class.contains("the model is refused"));
        if let Some(line) = refused {
            panic!("{}: {}\n{}", line.cell, line.class, self.findings[line]);
        }
        let known = known::read();
        let comparison = known::compare(&known, &failed, &self.ran);
        self.print_counts(&failed);
        if known::bless(&known, &comparison) {
            return;
        }
        let new: Vec<_> = comparison
            .new
            .iter()
            .map(|line| self.describe(line))
            .collect();
        let mended: Vec<_> = comparison
            .mended
            .iter()
            .map(|line| format!("{}: {}", line.cell, line.class))
            .collect();
        assert!(
            new.is_empty(),
            "{} cells fail that are not in known.txt:\n{}\n",
            new.len(),
            new.join("\n")
        );
        assert!(
            mended.is_empty(),
            "{} lines of known.txt no longer fail; `MONOTABLE_BLESS=1` takes them out:\n{}\n",
            mended.len(),
            mended.join("\n")
        );
    }

    fn describe(&self, line: &Line) -> String {
        let detail = self.findings.get(line).map_or("", String::as_str);
        let detail: String = detail.chars().take(300).collect();
        format!("{}: {}\n    {detail}", line.cell, line.class)
    }

    fn print_counts(&self, failed: &BTreeSet<Line>) {
        let cells: BTreeSet<_> = failed.iter().map(|line| &line.cell).collect();
        println!(
            "mechanisms alone: {} cells; pairs: {} of {} cells; each also cut off after every write",
            self.singles, self.pairs, self.possible_pairs
        );
        println!("failing: {} cells, {} findings", cells.len(), failed.len());
        for (reason, count) in &self.impossible {
            println!("impossible: {count} cells, because {reason}");
        }
    }
}
