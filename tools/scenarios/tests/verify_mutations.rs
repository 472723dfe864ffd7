//! Stored rows are damaged in every way that the declarations of the five models suggest, and verify must say so.
//!
//! A damage is one change of one item: an attribute is removed, added, changed or made another type, an item is removed or
//! copied; or all rows of a revision are gone. `judgement.rs` decides from the model alone, without anything of the store's code,
//! whether a damage contradicts a declaration. Verify must report at least 99 of 100 of those; what it misses is listed in
//! `MISSED` with the reason.
//!
//! A sample runs by default. All: `MONOTABLE_MUTATIONS=all cargo test -p monotable-scenarios --test verify_mutations -- --nocapture`;
//! `MONOTABLE_SCRIPTS=values/` tries those of some scripts.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests"
)]

#[path = "verify_mutations/attribute.rs"]
mod attribute;
#[path = "verify_mutations/conditions.rs"]
mod conditions;
#[path = "verify_mutations/damage.rs"]
mod damage;
#[path = "verify_mutations/guards.rs"]
mod guards;
#[path = "verify_mutations/judgement.rs"]
mod judgement;
#[allow(dead_code, reason = "the rights matrix uses all of it")]
#[path = "rights_matrix/plain.rs"]
mod plain;
#[path = "rights_matrix/predicate.rs"]
mod predicate;
#[path = "verify_mutations/removal.rs"]
mod removal;
#[path = "rights_matrix/rule_text.rs"]
mod rule_text;
#[path = "verify_mutations/sample.rs"]
mod sample;

use damage::damages;
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
    "formkiq/fk_id_in_the_bin_is_taken",
    "formkiq/fk_sites",
    "processproof/pp_t14",
    "processproof/pp_t17",
    "values/vt_t03",
    "values/vt_rollover",
    "values/vt_tombstone",
    "yggdrasil/yg_t07",
    "yggdrasil/yg_t19",
];

/// Damages that contradict a declaration and are not reported: what they are, and why.
const MISSED: &[(&str, &str)] = &[];

/// How many damages of each store are tried, if not all.
const TRIED: usize = 25;

/// How many tasks share the damages of a store, if all are tried.
const SHARES: usize = 2;

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

/// What became of the damages of a store.
#[derive(Default)]
struct Outcome {
    /// By the declaration that is contradicted.
    reported: BTreeMap<&'static str, usize>,
    missed: Vec<String>,
    harmless: BTreeMap<&'static str, usize>,
    undecided: BTreeMap<&'static str, usize>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        let counts = [
            (&mut self.reported, other.reported),
            (&mut self.harmless, other.harmless),
            (&mut self.undecided, other.undecided),
        ];
        for (own, other) in counts {
            for (kind, count) in other {
                *own.entry(kind).or_default() += count;
            }
        }
        self.missed.extend(other.missed);
    }

    fn print(&self) {
        let sum = |counts: &BTreeMap<&'static str, usize>| counts.values().sum::<usize>();
        eprintln!(
            "reported {}, missed {}, harmless {}, undecided {}",
            sum(&self.reported),
            self.missed.len(),
            sum(&self.harmless),
            sum(&self.undecided),
        );
        for (name, counts) in [
            ("reported", &self.reported),
            ("harmless", &self.harmless),
            ("undecided", &self.undecided),
        ] {
            for (kind, count) in counts {
                eprintln!("{name} {count:6} {kind}");
            }
        }
    }
}

/// Tries the damages of a store: a share of all of them, or a few by chance.
async fn try_damages(script: &'static str, share: Option<usize>) -> Outcome {
    let sample = Sample::play(script).await;
    let clean = told(&sample.store.verify().await.unwrap());
    let violations = clean.iter().filter(|told| !told.starts_with("un"));
    assert_eq!(
        violations.collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "{script}"
    );
    let mut tried = damages(&sample);
    match share {
        Some(share) => {
            let all = tried.into_iter().enumerate();
            let own = all.filter(|(position, _)| position % SHARES == share);
            tried = own.map(|(_, damage)| damage).collect();
        }
        None => {
            fastrand::Rng::with_seed(seed()).shuffle(&mut tried);
            tried.truncate(TRIED);
        }
    }
    let began = std::time::Instant::now();
    let mut outcome = Outcome::default();
    for damage in &tried {
        let why = match judge(&sample, damage) {
            Judgement::Harmless(kind) => {
                *outcome.harmless.entry(kind).or_default() += 1;
                continue;
            }
            Judgement::Undecided(kind) => {
                *outcome.undecided.entry(kind).or_default() += 1;
                continue;
            }
            Judgement::Contradicts(why) => why,
        };
        sample.apply(damage).await;
        let found = told(&sample.store.verify().await.unwrap());
        sample.undo(damage).await;
        if found.difference(&clean).next().is_some() {
            *outcome.reported.entry(why).or_default() += 1;
        } else {
            let damage = damage.describe(&sample);
            outcome.missed.push(format!("{script}: {why}: {damage}"));
        }
    }
    // A damage that is not undone would be found in the next one.
    let after = told(&sample.store.verify().await.unwrap());
    assert_eq!(after, clean, "{script}: something was not undone");
    let (count, missed) = (tried.len(), outcome.missed.len());
    eprintln!(
        "{script}: {count} damages in {:.0?}, missed {missed}",
        began.elapsed()
    );
    for line in &outcome.missed {
        eprintln!("missed {line}");
    }
    outcome
}

#[tokio::test(flavor = "multi_thread")]
async fn verify_reports_what_contradicts_a_declaration() {
    let all = std::env::var("MONOTABLE_MUTATIONS").is_ok_and(|value| value == "all");
    let shares = if all {
        (0..SHARES).map(Some).collect()
    } else {
        vec![None]
    };
    let began = std::time::Instant::now();
    let only = std::env::var("MONOTABLE_SCRIPTS").unwrap_or_default();
    let mut outcome = Outcome::default();
    for script in SCRIPTS.iter().filter(|script| script.contains(&only)) {
        let tasks: Vec<_> = shares
            .iter()
            .map(|share| tokio::spawn(try_damages(script, *share)))
            .collect();
        for task in tasks {
            outcome.add(task.await.unwrap());
        }
    }
    outcome.print();
    eprintln!("took {:.0?}", began.elapsed());
    let known = |line: &String| MISSED.iter().any(|(part, _)| line.contains(part));
    let missed = &outcome.missed;
    let unexpected: Vec<_> = missed.iter().filter(|line| !known(line)).collect();
    let reported: usize = outcome.reported.values().sum();
    assert!(
        missed.len() * 100 <= reported + missed.len() && unexpected.is_empty(),
        "verify missed {unexpected:#?}"
    );
    assert!(reported > 0, "nothing was tried");
}
