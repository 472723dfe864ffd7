//! What it costs to prove a model, as multiples of what it costs to parse it.
//!
//! `cargo bench -p monotable-model`. For each model of the repository: parsing its TOML into a syntax tree,
//! resolving it, and checking it, which includes both. The median of many runs.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a report"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

const RUNS: usize = 31;

/// Checking must not cost more than so many times parsing.
const MOST: f64 = 20.0;

fn median(mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

fn main() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    println!(
        "{:16}{:>10}{:>12}{:>12}{:>12}{:>10}",
        "model", "bytes", "parse us", "read us", "check us", "times"
    );
    for name in [
        "authorization",
        "processproof",
        "values",
        "yggdrasil",
        "formkiq",
    ] {
        let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
        let parse = median(|| {
            black_box(monotable_model::parse(black_box(&text)));
        });
        let read = median(|| {
            black_box(monotable_model::read(black_box(&text)));
        });
        let check = median(|| {
            black_box(monotable_check::check(black_box(&text)));
        });
        let times = check.as_secs_f64() / parse.as_secs_f64();
        println!(
            "{name:16}{:>10}{:>12}{:>12}{:>12}{times:>10.1}",
            text.len(),
            parse.as_micros(),
            read.as_micros(),
            check.as_micros()
        );
        if name == "formkiq" {
            println!(
                "checking FormKiQ costs {times:.1} times parsing it; at most {MOST}: {}",
                if times <= MOST { "met" } else { "MISSED" }
            );
        }
    }
}
