//! The cross test: every mechanism, and every pair of mechanisms, on every path.
//!
//! A small model is made for each cell (`design.rs`), the path is taken through the public operations (`path.rs`), and
//! then `verify` must find nothing, the judges of the mechanisms must find nothing in the raw items, the same rows made
//! anew in an empty store must be the same items but for times and ids, and calls that the mechanisms refuse must still
//! be refused. In a second round every call is cut off after each of its writes and made again (`cut.rs`).
//!
//! Anything that is found fails; what makes no sense is in `impossible.rs`. All mechanisms alone are run always, pairs as a
//! sample: `MONOTABLE_CROSS=all` runs every pair, `MONOTABLE_CROSS=singles` none, `MONOTABLE_CROSS='claims x move'` the cells whose
//! names contain that, with details, `MONOTABLE_CROSS='=claims x move'` that cell alone; `MONOTABLE_SEED=7` chooses another
//! sample.
//!
//! What the test is able to find is known by bugs that are planted: `tests/planted/bugs.toml` lists them, each with the cell
//! that finds it, and `tests/planted/run` tries them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod case;
mod cell;
mod compare;
mod cut;
mod design;
mod finding;
mod grid;
mod impossible;
mod items;
mod mechanism;
mod mechanisms;
mod path;
mod paths;
mod repair;
mod report;
mod world;

use grid::{Cell, Results};
use report::Report;

/// Pairs of mechanisms that are run if not all are asked for.
const SAMPLE: usize = 500;

enum Extent {
    All,
    Singles,
    Sample(u64),
    Named(String),
    One(String),
}

fn extent() -> Extent {
    match std::env::var("MONOTABLE_CROSS").ok().as_deref() {
        None | Some("") => {
            let seed = std::env::var("MONOTABLE_SEED").ok();
            Extent::Sample(seed.and_then(|seed| seed.parse().ok()).unwrap_or(1))
        }
        Some("all") => Extent::All,
        Some("singles") => Extent::Singles,
        Some(name) => match name.strip_prefix('=') {
            Some(name) => Extent::One(name.to_owned()),
            None => Extent::Named(name.to_owned()),
        },
    }
}

/// The possible cells that are run: mechanisms alone, and pairs.
fn choose(extent: &Extent, report: &mut Report) -> (Vec<Cell>, Vec<Cell>) {
    let mut singles = report.possible(grid::list_singles());
    let mut pairs = report.possible(grid::list_pairs());
    report.possible_pairs = pairs.len();
    match extent {
        Extent::All => {}
        Extent::Singles => pairs.clear(),
        Extent::Sample(seed) => {
            fastrand::Rng::with_seed(*seed).shuffle(&mut pairs);
            pairs.truncate(SAMPLE);
        }
        Extent::One(name) => {
            pairs.retain(|cell| cell.name() == *name);
            let needed: Vec<_> = pairs.iter().flat_map(Cell::singles).collect();
            let is_needed = |cell: &Cell| needed.iter().any(|single| single.name() == cell.name());
            singles.retain(|cell| cell.name() == *name || is_needed(cell));
        }
        Extent::Named(name) => {
            pairs.retain(|cell| cell.name().contains(name));
            let needed: Vec<_> = pairs
                .iter()
                .flat_map(Cell::singles)
                .map(|cell| cell.name())
                .collect();
            singles.retain(|cell| cell.name().contains(name) || needed.contains(&cell.name()));
        }
    }
    (singles, pairs)
}

#[test]
fn every_mechanism_holds_on_every_path() {
    let mut report = Report::default();
    let extent = extent();
    let (singles, pairs) = choose(&extent, &mut report);
    let alone = grid::run(&singles);
    let together = unexplained(&pairs, &alone, grid::run(&pairs));
    report.add_singles(&alone);
    report.add_pairs(&together);
    assert!(report.has_run(), "no cell has this name");
    if matches!(extent, Extent::Named(_)) {
        report.print_details();
    }
    report.judge();
}

/// What pairs have found that neither of their mechanisms has found alone.
fn unexplained(pairs: &[Cell], alone: &Results, mut together: Results) -> Results {
    for cell in pairs {
        for single in cell.singles() {
            let names = [single.name(), grid::name_of_cut(&single)];
            let others: Vec<_> = names
                .iter()
                .filter_map(|name| alone.get(name))
                .flatten()
                .cloned()
                .collect();
            for name in [cell.name(), grid::name_of_cut(cell)] {
                if let Some(findings) = together.get_mut(&name) {
                    let own = std::mem::take(findings);
                    *findings = match cell.path.name {
                        "repair" => grid::without_damages(own, &others),
                        _ => grid::without(own, &others),
                    };
                }
            }
        }
    }
    together
}
