//! A compiled model as bytes: what is read from them is what was written, and nothing else is read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_model::compiled::{BytesProblem, CompiledModel, KeyTemplate};
use monotable_model::language::Language;
use monotable_model::model::{Kind, Part};
use monotable_model::plan::list_requests;
use proptest::prelude::*;
use std::sync::LazyLock;

const NAMES: [&str; 5] = [
    "authorization",
    "formkiq",
    "processproof",
    "values",
    "yggdrasil",
];

fn compiled(name: &str) -> CompiledModel {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(name).join("model.toml")).unwrap();
    CompiledModel::new(monotable_model::read(&text).model.unwrap())
}

/// The model that shows indexes of several attributes: none of the five has one.
fn jobs() -> CompiledModel {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut blocks = page.split("```toml model\n").skip(1);
    let block = blocks.find(|block| block.contains("model     = \"jobs\""));
    let text = block.unwrap().split("```").next().unwrap();
    CompiledModel::new(monotable_model::read(text).model.unwrap())
}

#[test]
fn bytes_hold_the_whole_model() {
    let five = NAMES.map(|name| (name, compiled(name)));
    for (name, compiled) in five.into_iter().chain([("jobs", jobs())]) {
        let bytes = compiled.to_bytes().unwrap();
        let again = CompiledModel::from_bytes(&bytes).unwrap();
        // What is written a second time is the same to the last byte, so nothing was lost on the way.
        assert!(again.to_bytes().unwrap() == bytes, "{name}");
        for (plan, other) in compiled
            .plans()
            .patterns
            .iter()
            .zip(&again.plans().patterns)
        {
            let listed = list_requests(compiled.plans(), plan);
            assert_eq!(listed, list_requests(again.plans(), other), "{name}");
        }
    }
}

/// A rule that nobody has listed would accept no text.
#[test]
fn every_rule_on_texts_has_its_language() {
    let nothing = format!("{:?}", Language::nothing());
    let count = |compiled: &CompiledModel| {
        let all = format!("{:?} {:?}", compiled.model(), compiled.plans());
        all.matches(&nothing).count()
    };
    for name in NAMES {
        let compiled = compiled(name);
        let again = CompiledModel::from_bytes(&compiled.to_bytes().unwrap()).unwrap();
        assert_eq!(count(&again), count(&compiled), "{name}");
    }
}

/// What keys may show is read and not worked out: it has to be the same, automaton by automaton.
#[test]
fn keys_are_bound_as_if_they_were_worked_out_anew() {
    let five = NAMES.map(|name| (name, compiled(name)));
    for (name, compiled) in five.into_iter().chain([("jobs", jobs())]) {
        let read = CompiledModel::from_bytes(&compiled.to_bytes().unwrap()).unwrap();
        let fresh = CompiledModel::new(read.model().clone());
        for (id, entity) in read.model().entities() {
            let bound = |model: &CompiledModel| format!("{:?}", model.entity(id).unwrap());
            assert!(
                bound(&read) == bound(&fresh),
                "{name}.{}",
                entity.name.value
            );
        }
    }
}

proptest! {
    /// Texts that are nearly keys: the literals of a template with anything between them.
    #[test]
    fn any_text_is_parsed_as_before(
        fragments in proptest::collection::vec("[-a-zA-Z0-9#:.+/]{0,12}|2025-11-18T12:00:0[0-9](\\.[0-9]{1,9})?Z?", 1..6),
    ) {
        static PAIRS: LazyLock<Vec<(CompiledModel, CompiledModel)>> = LazyLock::new(|| {
            let pair = |name| {
                let compiled = compiled(name);
                let read = CompiledModel::from_bytes(&compiled.to_bytes().unwrap()).unwrap();
                (compiled, read)
            };
            NAMES.map(pair).into_iter().collect()
        });
        for (compiled, read) in PAIRS.iter() {
            for (template, other) in key_templates(compiled).zip(key_templates(read)) {
                let mut values = fragments.iter().cycle();
                let parts = template.template().parts.iter();
                let text: String = parts
                    .map(|part| match part {
                        Part::Literal(literal) => literal.value.as_str(),
                        Part::Field(_) => values.next().unwrap(),
                    })
                    .collect();
                prop_assert_eq!(template.parse(&text), other.parse(&text), "{}", text);
            }
        }
    }
}

fn key_templates(compiled: &CompiledModel) -> impl Iterator<Item = &KeyTemplate> {
    let entities = compiled.model().entities();
    let entities = entities.map(|(id, _)| compiled.entity(id).unwrap());
    entities.flat_map(|entity| {
        let layouts = entity.layouts.iter().flat_map(|(_, _, keys)| keys);
        let keys = entity.keys.iter().chain(layouts);
        keys.flat_map(|key| key.templates())
    })
}

#[test]
fn texts_are_held_against_the_same_rules() {
    let compiled = compiled("yggdrasil");
    let again = CompiledModel::from_bytes(&compiled.to_bytes().unwrap()).unwrap();
    let (_, user) = again.model().entity_named("User").unwrap();
    let Kind::Text(rule) = &user.attribute("UserId").unwrap().kind else {
        panic!("UserId is a text");
    };
    assert!(rule.language.accepts("ann_1"));
    assert!(!rule.language.accepts("a#b"));
}

#[test]
fn keys_are_parsed_as_before() {
    let compiled = compiled("yggdrasil");
    let again = CompiledModel::from_bytes(&compiled.to_bytes().unwrap()).unwrap();
    let (tree, _) = again.model().entity_named("Tree").unwrap();
    for text in ["USER#ann", "TREE#oak", "USER#", "USER#a#b"] {
        let parse = |model: &CompiledModel| {
            let keys = &model.entity(tree).unwrap().keys;
            let parsed = keys.iter().map(|key| key.hash.parse(text));
            parsed.collect::<Vec<_>>()
        };
        assert_eq!(parse(&compiled), parse(&again), "{text}");
    }
}

#[test]
fn other_bytes_are_refused_with_the_reason() {
    let bytes = compiled("values").to_bytes().unwrap();
    let problem = |bytes: &[u8]| CompiledModel::from_bytes(bytes).unwrap_err();
    assert_eq!(problem(b""), BytesProblem::NotAModel);
    assert_eq!(problem(b"monotable = 1\n"), BytesProblem::NotAModel);
    assert_eq!(problem(b"\xff\xfe\n"), BytesProblem::NotAModel);
    let current = format!("monotable-model {}", CompiledModel::BYTES_VERSION);
    assert!(bytes.starts_with(current.as_bytes()));
    for version in ["1", "2", "4"] {
        let mut other = format!("monotable-model {version}").into_bytes();
        other.extend(&bytes[current.len()..]);
        let refused = problem(&other);
        assert_eq!(refused, BytesProblem::Version(version.to_owned()));
        assert!(refused.to_string().contains("make it anew"), "{refused}");
    }
    assert_eq!(problem(&bytes[..bytes.len() - 1]), BytesProblem::Damaged);
    let mut changed = bytes.clone();
    let last = changed.len() - 3;
    changed[last] ^= 1;
    assert_eq!(problem(&changed), BytesProblem::Damaged);
    let cut = format!("{current} abc");
    assert_eq!(problem(cut.as_bytes()), BytesProblem::Damaged);
}

#[test]
fn a_model_comes_back_from_text() {
    let compiled = compiled("formkiq");
    let text = compiled.to_text().unwrap();
    assert!(text.is_ascii() && !text.contains(['\n', '"', '\\']));
    let bytes = compiled.to_bytes().unwrap();
    assert!(text.len() < bytes.len(), "it is compressed");
    let again = CompiledModel::from_text(&text).unwrap();
    assert_eq!(again.to_bytes().unwrap(), bytes);
    assert_eq!(again.checksum(), compiled.checksum());
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap();
    let first = std::str::from_utf8(first).unwrap();
    assert!(first.ends_with(&compiled.checksum().unwrap()));
    let problem = |text: &str| CompiledModel::from_text(text).unwrap_err();
    assert_eq!(problem("not base64!"), BytesProblem::NotAModel);
    assert_eq!(problem("AAAA"), BytesProblem::Damaged);
    let cut = text.len() / 8 * 4;
    assert_eq!(problem(&text[..cut]), BytesProblem::Damaged);
}
