//! Every target on its corpus and on changed copies of it.
//!
//! `MONOTABLE_FUZZ=20000 cargo test -p monotable-fuzz` tries as many changed copies of each target, divided by the target's
//! cost; `MONOTABLE_SEED` takes others. A failure prints the input, to be kept in `fuzz/corpus`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use fastrand::Rng;
use monotable_fuzz::{TARGETS, Target, corpus, find, mutate::mutate};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

fn read_corpus(target: &Target) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = corpus::folder(&root).join(target.name);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |given| given.parse().unwrap())
}

#[track_caller]
fn try_input(target: &Target, input: &[u8]) {
    let checked = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
    if !matches!(checked, Ok(Ok(()))) {
        let text = String::from_utf8_lossy(input);
        let escaped: String = input.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        panic!("{}: {checked:?}\n{text}\nprintf '{escaped}'", target.name);
    }
}

fn run(name: &str) {
    let target = find(name).unwrap();
    let corpus = read_corpus(target);
    assert!(
        corpus.len() >= 5,
        "the corpus of {name} has {} inputs",
        corpus.len()
    );
    let mut random = Rng::with_seed(number("MONOTABLE_SEED", 16));
    let tries = number("MONOTABLE_FUZZ", 800).div_ceil(u64::from(target.cost));
    // Expensive targets do not take all of their corpus in a short run.
    let every = if target.cost < 100 {
        1
    } else {
        corpus
            .len()
            .div_ceil(usize::try_from(tries).unwrap())
            .max(1)
    };
    for input in corpus.iter().step_by(every) {
        try_input(target, input);
    }
    for _ in 0..tries {
        let input = random.choice(&corpus).unwrap();
        let other = random.choice(&corpus).unwrap();
        try_input(target, &mutate(&mut random, input, other));
    }
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                run(stringify!($name));
            }
        )*

        #[test]
        fn every_target_is_run_here_and_has_a_program() {
            let here = [$(stringify!($name)),*];
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
            let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
            for target in TARGETS {
                assert!(here.contains(&target.name), "{}", target.name);
                assert!(manifest.contains(&format!("name = \"{}\"", target.name)), "{}", target.name);
                assert!(root.join(format!("fuzz_targets/{}.rs", target.name)).is_file(), "{}", target.name);
            }
        }
    };
}

targets!(
    request, expression, partiql, item, journal, table_file, signature, policy, model, cursor, rest
);
