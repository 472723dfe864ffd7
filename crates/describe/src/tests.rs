//! What the page says, and that it holds together.

mod drawing;
mod page;
mod policy;
mod requests;
mod xml;

use monotable_model::model::Model;
use monotable_model::read as read_model;

/// Where the models of the project are.
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
const NAMES: [&str; 5] = [
    "authorization",
    "formkiq",
    "processproof",
    "values",
    "yggdrasil",
];

fn read(text: &str) -> Model {
    let reading = read_model(text);
    let problems = reading.diagnostics;
    reading.model.unwrap_or_else(|| panic!("{problems:?}"))
}

fn models() -> Vec<Model> {
    let text = |name: &&str| std::fs::read_to_string(format!("{MODELS}/{name}/model.toml"));
    let texts = NAMES.iter().map(|name| text(name).expect("a model"));
    texts.map(|text| read(&text)).collect()
}
