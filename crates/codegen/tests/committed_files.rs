//! The generated files of the five models are in the repository: each is what its model says today.
//!
//! `MONOTABLE_BLESS=1 cargo test -p monotable-codegen --test committed_files` writes them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_codegen::{Command, Language, generate};
use monotable_model::compiled::CompiledModel;
use std::fs;
use std::path::{Path, PathBuf};

const MODELS: [&str; 5] = [
    "authorization",
    "formkiq",
    "processproof",
    "values",
    "yggdrasil",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compile(model: &str) -> CompiledModel {
    let text = fs::read_to_string(root().join(model)).unwrap();
    CompiledModel::new(monotable_check::check(&text).model.unwrap())
}

/// Where the file of a model is committed.
fn name_file(language: Language, model: &str) -> String {
    match language {
        Language::TypeScript => format!("packages/typescript/tests/generated/{model}.ts"),
        Language::Rust => format!("tools/typed/src/{model}.rs"),
    }
}

fn compare(language: Language) {
    for name in MODELS {
        let model = format!("models/{name}/model.toml");
        let out = name_file(language, name);
        let bigint = Vec::new();
        let command = Command {
            language,
            model,
            out,
            bigint,
        };
        let generated = generate(&compile(&command.model), &command).unwrap();
        let file = root().join(&command.out);
        if std::env::var_os("MONOTABLE_BLESS").is_some() {
            fs::write(&file, &generated).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap();
        assert_eq!(Command::find_in(&committed), Some(command));
        let mut lines = committed.lines().zip(generated.lines());
        let differs = lines.find(|(one, other)| one != other);
        assert!(
            committed == generated,
            "{} is not what its model says; see the head of this test. First difference: {differs:?}",
            file.display()
        );
    }
}

#[test]
fn typescript_of_the_five_models_is_committed() {
    compare(Language::TypeScript);
}

#[test]
fn rust_of_the_five_models_is_committed() {
    compare(Language::Rust);
}
