//! A compiled model as bytes: what is read from them is what was written, and nothing else is read.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_model::compiled::{BytesProblem, CompiledModel};
use monotable_model::model::Kind;
use monotable_model::plan::list_requests;

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
    for name in NAMES {
        let bytes = compiled(name).to_bytes().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (_, body) = text.split_once('\n').unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let mut rules = 0;
        count_rules(&body, &mut rules);
        assert_eq!(body["of_rules"].as_array().unwrap().len(), rules, "{name}");
    }
}

fn count_rules(value: &serde_json::Value, rules: &mut usize) {
    match value {
        serde_json::Value::Object(members) => {
            *rules +=
                usize::from(members.contains_key("without") && members.contains_key("matches"));
            members
                .values()
                .for_each(|member| count_rules(member, rules));
        }
        serde_json::Value::Array(elements) => {
            elements.iter().for_each(|one| count_rules(one, rules));
        }
        _ => {}
    }
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
    let text = String::from_utf8(bytes.clone()).unwrap();
    for version in ["1", "3"] {
        let other = text.replacen(
            "monotable-model 2",
            &format!("monotable-model {version}"),
            1,
        );
        let refused = problem(other.as_bytes());
        assert_eq!(refused, BytesProblem::Version(version.to_owned()));
        assert!(refused.to_string().contains("make it anew"), "{refused}");
    }
    assert_eq!(problem(&bytes[..bytes.len() - 1]), BytesProblem::Damaged);
    let mut changed = bytes.clone();
    let last = changed.len() - 3;
    changed[last] ^= 1;
    assert_eq!(problem(&changed), BytesProblem::Damaged);
    assert_eq!(problem(b"monotable-model 2 abc"), BytesProblem::Damaged);
}

#[test]
fn a_model_comes_back_from_text() {
    let compiled = compiled("formkiq");
    let text = compiled.to_text().unwrap();
    assert!(text.is_ascii() && !text.contains(['\n', '"', '\\']));
    let bytes = compiled.to_bytes().unwrap();
    assert!(text.len() * 4 < bytes.len(), "it is compressed");
    let again = CompiledModel::from_text(&text).unwrap();
    assert_eq!(again.to_bytes().unwrap(), bytes);
    assert_eq!(again.checksum(), compiled.checksum());
    let first = String::from_utf8(bytes).unwrap();
    assert!(first.contains(&compiled.checksum().unwrap()));
    let problem = |text: &str| CompiledModel::from_text(text).unwrap_err();
    assert_eq!(problem("not base64!"), BytesProblem::NotAModel);
    assert_eq!(problem("AAAA"), BytesProblem::Damaged);
    let cut = text.len() / 8 * 4;
    assert_eq!(problem(&text[..cut]), BytesProblem::Damaged);
}
