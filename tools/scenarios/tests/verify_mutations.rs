//! Stored rows are damaged in every way that the declarations of the five models suggest, and verify must say so.
//!
//! A damage is one change of one item: an attribute is removed, changed or made another type, an item is removed or added.
//! `judgement.rs` decides from the model alone, without anything of the store's code, whether a damage contradicts a
//! declaration. Verify must report at least 99 of 100 of those; what it misses is listed in `MISSED` with the reason.
//!
//! A sample runs by default. All: `MONOTABLE_MUTATIONS=all cargo test --release -p monotable-scenarios --test verify_mutations`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "verify_mutations/damage.rs"]
mod damage;
#[path = "verify_mutations/judgement.rs"]
mod judgement;
#[path = "verify_mutations/removal.rs"]
mod removal;
#[path = "verify_mutations/sample.rs"]
mod sample;

use damage::{Damage, damages};
use judgement::{Judgement, judge};
use monotable_store::Verification;
use sample::Sample;
use std::collections::{BTreeMap, BTreeSet};

/// Scripts whose ends are the sample stores.
const SCRIPTS: &[&str] = &[
    "authorization/az_t05",
    "authorization/az_t14",
    "formkiq/fk_t04",
    "formkiq/fk_t05",
    "formkiq/fk_t11",
    "processproof/pp_t14",
    "processproof/pp_t17",
    "values/vt_t03",
    "values/vt_rollover",
    "yggdrasil/yg_t07",
    "yggdrasil/yg_t19",
];

/// Damages that contradict a declaration and are not reported: what they are, and why.
const MISSED: &[(&str, &str)] = &[];

/// How many damages of each store are tried, if not all.
const TRIED: usize = 25;

fn seed() -> u64 {
    let text = std::env::var("MONOTABLE_SEED").ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(7)
}

/// Everything that verify told, without what is only counted.
fn told(found: &Verification) -> BTreeSet<String> {
    let violations = found.violations.iter().map(ToString::to_string);
    let unfinished = found.unfinished.iter().map(ToString::to_string);
    let unknown = found.unknown_items.iter().map(ToString::to_string);
    violations.chain(unfinished).chain(unknown).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn verify_reports_what_contradicts_a_declaration() {
    let all = std::env::var("MONOTABLE_MUTATIONS").is_ok_and(|value| value == "all");
    let mut random = fastrand::Rng::with_seed(seed());
    let (mut reported, mut missed) = (0_usize, Vec::new());
    let mut harmless: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut undecided: BTreeMap<&'static str, usize> = BTreeMap::new();
    for script in SCRIPTS {
        let sample = Sample::play(script).await;
        let clean = told(&sample.store.verify().await.unwrap());
        let violations = clean.iter().filter(|told| !told.starts_with("un"));
        assert_eq!(
            violations.collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "{script}"
        );
        let mut tried = damages(&sample);
        if !all {
            random.shuffle(&mut tried);
            tried.truncate(TRIED);
        }
        for damage in &tried {
            let why = match judge(&sample, damage) {
                Judgement::Harmless(kind) => {
                    *harmless.entry(kind).or_default() += 1;
                    continue;
                }
                Judgement::Undecided(kind) => {
                    *undecided.entry(kind).or_default() += 1;
                    continue;
                }
                Judgement::Contradicts(why) => why,
            };
            sample.apply(damage).await;
            let found = told(&sample.store.verify().await.unwrap());
            sample.undo(damage).await;
            if found.difference(&clean).next().is_some() {
                reported += 1;
            } else {
                missed.push(format!("{script}: {why}: {}", damage.describe(&sample)));
            }
        }
    }
    eprintln!(
        "reported {reported}, missed {}, harmless {harmless:?}, undecided {undecided:?}",
        missed.len()
    );
    for line in &missed {
        eprintln!("missed {line}");
    }
    let known = |line: &String| MISSED.iter().any(|(part, _)| line.contains(part));
    let unexpected: Vec<_> = missed.iter().filter(|line| !known(line)).collect();
    assert!(
        missed.len() * 100 <= reported + missed.len() && unexpected.is_empty(),
        "verify missed {unexpected:#?}"
    );
    assert!(reported > 0, "nothing was tried");
}

/// A damage that is not undone would be found in the next one.
#[test]
fn damages_differ_from_what_is_there() {
    let damage = Damage::remove_item(0);
    assert!(damage.is_about(0) && !damage.is_about(1));
}
