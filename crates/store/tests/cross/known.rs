//! The list of what fails today: one line for each cell and each class of what is wrong there. It only gets shorter.
//!
//! `MONOTABLE_BLESS=1` takes out what no longer fails, and refuses to add anything; `MONOTABLE_BLESS=grow` adds as well.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

const HEADER: &str = "\
# Cells of the cross test that fail: `mechanism x path: what is wrong`, and `one + other x path` for pairs, which list
# only what neither of the two has alone. `(cut off)` is the round in which calls die after a write and are made again.
# This list only gets shorter: `MONOTABLE_BLESS=1 cargo test -p monotable-store --test cross` takes out what is mended.
";

/// One line: a cell, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub(crate) cell: String,
    pub(crate) class: String,
}

impl Line {
    fn text(&self) -> String {
        format!("{}: {}", self.cell, self.class)
    }
}

/// How a run differs from the list.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    pub(crate) new: Vec<Line>,
    pub(crate) mended: Vec<Line>,
}

fn file() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/cross/known.txt"
    ))
}

/// The list as it is stored.
pub(crate) fn read() -> BTreeSet<Line> {
    let text = std::fs::read_to_string(file()).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (cell, class) = line.split_once(": ")?;
            Some(Line {
                cell: cell.to_owned(),
                class: class.to_owned(),
            })
        })
        .collect()
}

/// Holds what failed against the list, for the cells that were run.
pub(crate) fn compare(
    known: &BTreeSet<Line>,
    failed: &BTreeSet<Line>,
    ran: &BTreeSet<String>,
) -> Comparison {
    let mended = known
        .difference(failed)
        .filter(|line| ran.contains(&line.cell));
    Comparison {
        new: failed.difference(known).cloned().collect(),
        mended: mended.cloned().collect(),
    }
}

/// Rewrites the list, if that is asked for. True: it is what was found.
pub(crate) fn bless(known: &BTreeSet<Line>, comparison: &Comparison) -> bool {
    let asked = std::env::var("MONOTABLE_BLESS").unwrap_or_default();
    let grows = asked == "grow";
    if asked.is_empty() || (!grows && !comparison.new.is_empty()) {
        return false;
    }
    let mut lines = known.clone();
    for line in &comparison.mended {
        lines.remove(line);
    }
    lines.extend(comparison.new.iter().cloned());
    let mut text = HEADER.to_owned();
    for line in lines {
        let _ = writeln!(text, "{}", line.text());
    }
    std::fs::write(file(), text).expect("the list can be written");
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(cells: &[&str]) -> BTreeSet<Line> {
        let lines = cells.iter().map(|cell| Line {
            cell: (*cell).to_owned(),
            class: "wrong".to_owned(),
        });
        lines.collect()
    }

    #[test]
    fn a_cell_that_is_not_listed_and_one_that_is_mended_are_told() {
        let ran = ["new", "still", "mended"].map(str::to_owned).into();
        let compared = compare(
            &lines(&["still", "mended", "not run"]),
            &lines(&["new", "still"]),
            &ran,
        );
        assert_eq!(compared.new, Vec::from_iter(lines(&["new"])));
        assert_eq!(compared.mended, Vec::from_iter(lines(&["mended"])));
    }
}
