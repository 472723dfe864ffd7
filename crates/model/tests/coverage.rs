//! Every entity and access pattern that the five documents describe is in a model, and none by mistake twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_model::model::{Model, Way};
use std::collections::BTreeMap;

/// A system: its model, its prefix, how many entities and patterns it has, and entities added to the document's.
const SYSTEMS: &[(&str, &str, usize, usize, &[&str])] = &[
    ("processproof", "PP", 4, 14, &[]),
    ("yggdrasil", "YG", 7, 24, &[]),
    ("authorization", "AZ", 9, 14, &[]),
    ("formkiq", "FK", 53, 75, &["FK-E5b"]),
    ("values", "VT", 9, 16, &[]),
];

fn model(name: &str) -> Model {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
    monotable_model::read(&text).model.unwrap()
}

/// How often each id is covered by entities and claims, and by patterns.
fn covered(model: &Model) -> (BTreeMap<String, usize>, BTreeMap<String, usize>) {
    let (mut entities, mut patterns) = (BTreeMap::new(), BTreeMap::new());
    let of_entities = model
        .entities
        .iter()
        .flat_map(|entity| &entity.notes.covers);
    let of_claims = model
        .entities
        .iter()
        .flat_map(|entity| &entity.claims)
        .flat_map(|claim| &claim.notes.covers);
    for id in of_entities.chain(of_claims) {
        *entities.entry(id.value.clone()).or_default() += 1;
    }
    for id in model.access.iter().flat_map(|access| &access.notes.covers) {
        *patterns.entry(id.value.clone()).or_default() += 1;
    }
    (entities, patterns)
}

#[test]
fn every_entity_is_modelled_once() {
    for (name, prefix, entities, _, added) in SYSTEMS {
        let (covered, _) = covered(&model(name));
        let numbered = (1..=*entities).map(|number| format!("{prefix}-E{number}"));
        let expected: Vec<String> = numbered
            .chain(added.iter().map(|id| (*id).to_owned()))
            .collect();
        for id in &expected {
            assert_eq!(covered.get(id), Some(&1), "{id}");
        }
        let unknown: Vec<_> = covered
            .keys()
            .filter(|id| id.contains("-E") && !expected.contains(id))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

#[test]
fn every_access_pattern_is_modelled() {
    for (name, prefix, _, patterns, _) in SYSTEMS {
        let (_, covered) = covered(&model(name));
        let expected: Vec<String> = (1..=*patterns)
            .map(|number| format!("{prefix}-A{number}"))
            .collect();
        for id in &expected {
            assert!(covered.contains_key(id), "{id}");
        }
        let unknown: Vec<_> = covered
            .keys()
            .filter(|id| id.contains("-A") && !expected.contains(id))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}

/// Each key condition of FormKiQ's 75 patterns is a pattern of its own.
#[test]
fn every_key_condition_of_formkiq_is_a_pattern() {
    let model = model("formkiq");
    let mut conditions: Vec<String> = model
        .access
        .iter()
        .filter_map(|access| match &access.way {
            Way::Get { key, .. } | Way::Query { key, .. } => {
                let table = model.entity(access.returns[0]).table;
                let range = key
                    .range
                    .as_ref()
                    .map(|range| range.text.as_str())
                    .unwrap_or_default();
                Some(format!(
                    "{} {:?} {} {range}",
                    model.table(table).name.value,
                    key.place,
                    key.hash.text
                ))
            }
            Way::Resolve(_) | Way::Pointer { .. } => Some(access.name.value.clone()),
            Way::Through { .. } | Way::Union(_) | Way::Steps(_) | Way::Walk(_) | Way::Diff(_) => {
                None
            }
        })
        .collect();
    conditions.sort();
    conditions.dedup();
    assert_eq!(conditions.len(), 133);
}

#[test]
fn ids_name_the_system_they_belong_to() {
    for (name, prefix, ..) in SYSTEMS {
        let (entities, patterns) = covered(&model(name));
        for id in entities.keys().chain(patterns.keys()) {
            assert!(id.starts_with(&format!("{prefix}-")), "{id} in {name}");
        }
    }
}
