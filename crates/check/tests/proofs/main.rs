//! What the checker says is true: for random models and values.
//!
//! - what it calls proven, sampling never finds: no two entities with one key, no two sets of values with one
//!   key, no stranger in a query;
//! - what it shows as a counterexample really renders;
//! - templates that can be undone are undone.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod random_model;
mod sample;

use monotable_check::check;
use monotable_model::compiled::Shown;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{KeyPlace, Model, Way};
use proptest::prelude::*;
use random_model::{RandomModel, random_model};
use sample::{Row, rows};
use std::collections::BTreeMap;

fn found(diagnostics: &[Diagnostic], code: Code) -> Vec<&Diagnostic> {
    diagnostics
        .iter()
        .filter(|found| found.code == code)
        .collect()
}

/// The model although the checker has objections: those are what is tested.
fn resolved(text: &str) -> Model {
    let reading = monotable_model::read(text);
    let problems: Vec<_> = reading
        .diagnostics
        .iter()
        .map(|found| &found.message)
        .collect();
    reading
        .model
        .unwrap_or_else(|| panic!("{problems:?}\n{text}"))
}

fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(192);
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn proven_keys_never_meet(random in random_model(), seed in any::<u64>()) {
        let text = random.to_toml();
        let model = resolved(&text);
        let diagnostics = check(&text).diagnostics;
        let rows = rows(&model, seed);
        let collisions = found(&diagnostics, Code::SameKey);
        let ambiguities = found(&diagnostics, Code::AmbiguousKey);
        let mut seen: BTreeMap<Vec<String>, &Row> = BTreeMap::new();
        for row in &rows {
            let Some(other) = seen.insert(row.key.clone(), row) else { continue };
            if other.entity != row.entity {
                prop_assert!(!collisions.is_empty(), "{:?} and {:?} have the key {:?}\n{text}", other, row, row.key);
            } else if other.shown != row.shown {
                prop_assert!(!ambiguities.is_empty(), "{:?} and {:?} have the key {:?}\n{text}", other, row, row.key);
            }
        }
    }

    #[test]
    fn proven_queries_have_no_strangers(random in random_model(), seed in any::<u64>()) {
        let text = random.to_toml();
        let model = resolved(&text);
        let diagnostics = check(&text).diagnostics;
        let rows = rows(&model, seed);
        for access in &model.access {
            let (Way::Get { key, .. } | Way::Query { key, .. }) = &access.way else { continue };
            prop_assert_eq!(key.place, KeyPlace::Primary);
            let objections = diagnostics.iter().any(|found| {
                found.code == Code::StrangerInQuery && text.get(found.span.range()) == Some(access.name.value.as_str())
            });
            if objections {
                continue;
            }
            for asking in rows.iter().filter(|row| access.returns.contains(&row.entity)) {
                let Some(condition) = sample::condition(key, asking) else { continue };
                for row in rows.iter().filter(|row| condition.matches(&row.key)) {
                    prop_assert!(access.returns.contains(&row.entity), "{:?} finds {:?} by {:?}\n{text}", access.name.value, row, condition);
                }
            }
        }
    }

    #[test]
    fn counterexamples_render(random in random_model()) {
        let text = random.to_toml();
        let model = resolved(&text);
        for diagnostic in check(&text).diagnostics {
            if diagnostic.code == Code::SameKey && !diagnostic.counterexample.is_empty() {
                let examples = &diagnostic.counterexample;
                for example in &examples[1..] {
                    let key = sample::render(&model, &example.what, &example.text);
                    prop_assert_eq!(&sample::shown_key(&key), &examples[0].text, "{}", text);
                }
            }
            if diagnostic.code == Code::StrangerInQuery && diagnostic.counterexample.len() == 2 {
                let example = &diagnostic.counterexample[1];
                let key = sample::render(&model, &example.what, &example.text);
                prop_assert_eq!(&sample::shown_key(&key), &diagnostic.counterexample[0].text, "{}", text);
            }
            if diagnostic.code == Code::AmbiguousKey && diagnostic.counterexample.len() == 3 {
                let [one, other, _] = diagnostic.counterexample.as_slice() else { unreachable!() };
                prop_assert_ne!(&one.text, &other.text);
                let entity = diagnostic.message.split(" of ").nth(2).unwrap().split(' ').next().unwrap();
                let whole = diagnostic.message.contains("primary key");
                for example in [one, other] {
                    let key = sample::render_part(&model, entity, &example.text, whole);
                    prop_assert_eq!(&sample::shown_key(&key), &diagnostic.counterexample[2].text, "{}", text);
                }
            }
        }
    }

    #[test]
    fn templates_that_can_be_undone_are(random in random_model(), seed in any::<u64>()) {
        let text = random.to_toml();
        let model = resolved(&text);
        for row in rows(&model, seed) {
            for template in sample::templates(&model, row.entity) {
                if !template.is_invertible() {
                    continue;
                }
                let rendered = template.render(|path| row.values.get(path.names[0]).cloned().map(Shown::One)).unwrap();
                let read = template.parse(&rendered).unwrap_or_else(|| panic!("{rendered:?} is not read\n{text}"));
                for (name, value) in read {
                    prop_assert_eq!(Some(&value), row.values.get(&name), "{} in {}", name, rendered);
                }
            }
        }
    }
}

/// The random models are of all kinds: some sound, some not, or the tests above would show nothing.
#[test]
fn random_models_are_sound_and_unsound() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut sound, mut collisions, mut strangers, mut ambiguous, mut unproven) = (0, 0, 0, 0, 0);
    for _ in 0..150 {
        let random: RandomModel = random_model().new_tree(&mut runner).unwrap().current();
        let diagnostics = check(&random.to_toml()).diagnostics;
        sound += usize::from(diagnostics.is_empty());
        collisions += usize::from(!found(&diagnostics, Code::SameKey).is_empty());
        strangers += usize::from(!found(&diagnostics, Code::StrangerInQuery).is_empty());
        ambiguous += usize::from(!found(&diagnostics, Code::AmbiguousKey).is_empty());
        unproven += usize::from(
            diagnostics
                .iter()
                .any(|found| found.message.contains("not proven")),
        );
    }
    assert!(
        sound > 10 && collisions > 10 && strangers > 10 && ambiguous > 10,
        "{sound} {collisions} {strangers} {ambiguous}"
    );
    assert!(unproven < 30, "{unproven} of 150 are not proven");
}
