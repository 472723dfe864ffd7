//! The cells that are run: every mechanism on every path, and pairs of mechanisms, all of them or a sample.

use crate::case::Case;
use crate::cell;
use crate::cut;
use crate::finding::Finding;
use crate::impossible;
use crate::mechanism::{MECHANISMS, Mechanism};
use crate::path::{PATHS, Path};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Mechanisms on a path.
#[derive(Clone)]
pub(crate) struct Cell {
    pub(crate) mechanisms: Vec<&'static dyn Mechanism>,
    pub(crate) path: &'static Path,
}

impl Cell {
    /// Mechanisms and path as the list names them: `claims + counters x move`.
    pub(crate) fn name(&self) -> String {
        let names: Vec<_> = self.names();
        format!("{} x {}", names.join(" + "), self.path.name)
    }

    fn names(&self) -> Vec<&'static str> {
        self.mechanisms.iter().map(|known| known.name()).collect()
    }

    pub(crate) fn impossible(&self) -> Option<&'static str> {
        impossible::reason(&self.names(), self.path.name)
    }

    /// The cells of its mechanisms alone.
    pub(crate) fn singles(&self) -> impl Iterator<Item = Self> {
        let path = self.path;
        self.mechanisms.iter().map(move |mechanism| Self {
            mechanisms: vec![*mechanism],
            path,
        })
    }
}

/// Every mechanism on every path.
pub(crate) fn list_singles() -> Vec<Cell> {
    let cells = PATHS.iter().flat_map(|path| {
        MECHANISMS.iter().map(|mechanism| Cell {
            mechanisms: vec![*mechanism],
            path,
        })
    });
    cells.collect()
}

/// Every two mechanisms on every path.
pub(crate) fn list_pairs() -> Vec<Cell> {
    let mut cells = Vec::new();
    for path in PATHS {
        for (position, one) in MECHANISMS.iter().enumerate() {
            for other in MECHANISMS.iter().skip(position + 1) {
                cells.push(Cell {
                    mechanisms: vec![*one, *other],
                    path,
                });
            }
        }
    }
    cells
}

/// What cells have found: under the name of the cell, and under that of its second round.
pub(crate) type Results = BTreeMap<String, Vec<Finding>>;

pub(crate) fn name_of_cut(cell: &Cell) -> String {
    format!("{} (cut off)", cell.name())
}

/// Runs cells side by side.
pub(crate) fn run(cells: &[Cell]) -> Results {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Results::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_time()
                    .build()
                    .unwrap();
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (first, second) = runtime.block_on(run_rounds(cell));
                    let second = without(second, &first);
                    let mut results = results.lock().unwrap();
                    results.insert(cell.name(), first);
                    results.insert(name_of_cut(cell), second);
                }
            });
        }
    });
    results.into_inner().unwrap()
}

async fn run_rounds(cell: &Cell) -> (Vec<Finding>, Vec<Finding>) {
    let case = Case::new(&cell.mechanisms, cell.path);
    let first = cell::run(&case).await;
    (first, cut::run(&case).await)
}

/// Findings of the path `repair` without those about what a mechanism loses that is not found or mended when it is lost
/// alone: the rest follows from that.
pub(crate) fn without_damages(findings: Vec<Finding>, others: &[Finding]) -> Vec<Finding> {
    let damage = |finding: &Finding| finding.class.split(": ").next().map(str::to_owned);
    let known: BTreeSet<_> = others.iter().map(damage).collect();
    let own = findings.into_iter();
    own.filter(|finding| !known.contains(&damage(finding)))
        .collect()
}

/// Findings of classes that others do not have.
pub(crate) fn without(findings: Vec<Finding>, others: &[Finding]) -> Vec<Finding> {
    let known: BTreeSet<_> = others.iter().map(|finding| &finding.class).collect();
    let own = findings
        .into_iter()
        .filter(|finding| !known.contains(&finding.class));
    own.collect()
}
