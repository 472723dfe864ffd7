//! Corpora, made from what the repository has already: golden scripts, models, the policies of tests, and signed requests.

use crate::flaw::Flaw;
use crate::target::{journal, rest, signature};
use monotable_golden::Script;
use monotable_item::{EncodedItem, GivenItem};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The inputs of one target.
type Inputs = BTreeSet<Vec<u8>>;

/// Most inputs of a target: the rest would say nothing new.
const MOST: usize = 60;

/// The folder of all corpora, below the root of the repository.
#[must_use]
pub fn folder(root: &Path) -> PathBuf {
    root.join("fuzz/corpus")
}

/// Writes all corpora anew. Inputs that other means have added, such as a crash that was mended, stay.
pub fn write(root: &Path) -> Result<Vec<(&'static str, usize)>, Flaw> {
    let scripts = read_scripts(root)?;
    let corpora = [
        ("request", list_requests(&scripts)),
        ("expression", list_expressions(root, &scripts)?),
        ("partiql", list_statements(&scripts)),
        ("item", list_items(&scripts)),
        ("journal", list_journals()?),
        ("table_file", list_damages()),
        ("signature", signature::samples()?.into_iter().collect()),
        ("policy", list_policies(root)?),
        ("model", list_models(root)?),
        ("cursor", list_cursors()),
        ("rest", rest::samples().into_iter().collect()),
    ];
    let mut written = Vec::new();
    for (name, inputs) in corpora {
        let folder = folder(root).join(name);
        fs::create_dir_all(&folder)?;
        let inputs = thin_out(inputs);
        for (number, input) in inputs.iter().enumerate() {
            fs::write(folder.join(format!("made-{number:03}")), input)?;
        }
        written.push((name, inputs.len()));
    }
    Ok(written)
}

/// Every so many of a long list.
fn thin_out(inputs: Inputs) -> Vec<Vec<u8>> {
    let step = inputs.len().div_ceil(MOST).max(1);
    inputs.into_iter().step_by(step).collect()
}

/// The requests of all golden scripts: operation and JSON.
fn read_scripts(root: &Path) -> Result<Vec<(String, String)>, Flaw> {
    let mut requests = Vec::new();
    for path in list_files(&root.join("tests/golden"))? {
        let text = fs::read_to_string(&path)?;
        let mut script = Script::parse(&text)
            .map_err(|error| Flaw::new(format!("{}: {error:?}", path.display())))?;
        for entry in script.entries_mut() {
            requests.push((entry.operation.clone(), entry.body()));
        }
    }
    Ok(requests)
}

fn list_files(folder: &Path) -> Result<Vec<PathBuf>, Flaw> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    files.retain(|path| path.is_file());
    Ok(files)
}

fn list_requests(scripts: &[(String, String)]) -> Inputs {
    let requests = scripts.iter();
    requests
        .map(|(operation, body)| format!("{operation}\n{body}").into_bytes())
        .collect()
}

/// All texts of members with such names, anywhere in the requests.
fn list_texts(scripts: &[(String, String)], is_wanted: impl Fn(&str) -> bool) -> Inputs {
    let mut texts = Inputs::new();
    for (_, body) in scripts {
        if let Ok(value) = serde_json::from_str::<Value>(body) {
            visit(&value, &mut |name, value| {
                if let (true, Some(text)) = (is_wanted(name), value.as_str()) {
                    texts.insert(text.as_bytes().to_vec());
                }
            });
        }
    }
    texts
}

fn visit(value: &Value, see: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                see(name, value);
                visit(value, see);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| visit(value, see)),
        _ => {}
    }
}

/// Expressions of requests, and predicates of models.
fn list_expressions(root: &Path, scripts: &[(String, String)]) -> Result<Inputs, Flaw> {
    let mut texts = list_texts(scripts, |name| name.ends_with("Expression"));
    for model in list_models(root)? {
        let lines = String::from_utf8_lossy(&model).into_owned();
        let wanted = lines.lines().filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            let name = name.trim();
            let is_predicate =
                ["when", "where", "only"].contains(&name) || name.starts_with("must.");
            let value = value.trim().strip_prefix('"')?;
            let (value, _) = value.split_once('"')?;
            is_predicate.then(|| value.as_bytes().to_vec())
        });
        texts.extend(wanted);
    }
    Ok(texts)
}

fn list_statements(scripts: &[(String, String)]) -> Inputs {
    list_texts(scripts, |name| name == "Statement")
}

/// Items of requests, as JSON and as they are stored.
fn list_items(scripts: &[(String, String)]) -> Inputs {
    let mut items = Inputs::new();
    for (_, body) in scripts {
        if let Ok(value) = serde_json::from_str::<Value>(body) {
            visit(&value, &mut |name, value| {
                if name == "Item" || name == "Key" {
                    items.insert(value.to_string().into_bytes());
                    let given = serde_json::from_value::<GivenItem>(value.clone()).ok();
                    let stored = given.and_then(|given| given.into_checked().ok());
                    items.extend(stored.map(|stored: EncodedItem| stored.as_bytes().to_vec()));
                }
            });
        }
    }
    items
}

/// A whole journal, and some that end early.
fn list_journals() -> Result<Inputs, Flaw> {
    let journal = journal::sample()?;
    let lengths = [
        0,
        1,
        13,
        100,
        journal.len() / 2,
        journal.len().saturating_sub(1),
        journal.len(),
    ];
    Ok(lengths
        .iter()
        .map(|length| journal.iter().copied().take(*length).collect())
        .collect())
}

/// One damage of each of the first files, near its beginning, its middle and its end.
fn list_damages() -> Inputs {
    let places = [0_u32, 40, 1_000, u32::MAX / 2, u32::MAX];
    let damages = (0..12_u8).flat_map(|file| {
        places.into_iter().enumerate().map(move |(number, place)| {
            let change = if number == 2 { 0 } else { 1 << (number % 8) };
            [&[file, change], place.to_le_bytes().as_slice()].concat()
        })
    });
    damages.collect()
}

/// The policies of the matrix, each statement by itself, and the examples of the documentation.
fn list_policies(root: &Path) -> Result<Inputs, Flaw> {
    let mut policies = Inputs::new();
    let matrix = fs::read_to_string(root.join("crates/policy/tests/matrix/policies.txt"))?;
    for line in matrix
        .lines()
        .filter(|line| line.trim_start().starts_with('{'))
    {
        let policy = format!(
            r#"{{"Version": "2012-10-17", "Statement": [{}]}}"#,
            line.trim()
        );
        policies.insert(policy.into_bytes());
    }
    let manual = fs::read_to_string(root.join("docs/policies.md"))?;
    let blocks = manual.split("```json\n").skip(1);
    policies
        .extend(blocks.filter_map(|block| Some(block.split_once("```")?.0.as_bytes().to_vec())));
    Ok(policies)
}

/// The complete models in parts: the head with each of their sections, and what the documentation shows.
fn list_models(root: &Path) -> Result<Inputs, Flaw> {
    let mut models = Inputs::new();
    let manual = fs::read_to_string(root.join("docs/model.md"))?;
    let blocks = manual.split("```toml\n").skip(1);
    models.extend(blocks.filter_map(|block| Some(block.split_once("```")?.0.as_bytes().to_vec())));
    for name in ["values", "yggdrasil"] {
        let text = fs::read_to_string(root.join("models").join(name).join("model.toml"))?;
        let sections: Vec<&str> = text.split("\n\n").collect();
        for part in sections.chunks(12) {
            let part = format!(
                "monotable = 1\nmodel = \"part\"\n[table.T]\nkey = [\"PK\", \"SK\"]\n\n{}\n",
                part.join("\n\n")
            );
            models.insert(part.into_bytes());
        }
    }
    Ok(models)
}

fn list_cursors() -> Inputs {
    let texts: [&[u8]; 9] = [
        b"c",
        b"c\x00\x01",
        b"c\x20\x7f\x21\x01",
        b"Cabc",
        b"C",
        b"NMQ==",
        b"N{\"pk\":{\"S\":\"a\"}}",
        b"Iarn:aws:dynamodb:local:000000000000:table/Books/stream/2023-11-14T22:13:20.000|1|AAAA",
        b"Larn:aws:dynamodb:local:000000000000:table/Books/stream/2023-11-14T22:13:20.000",
    ];
    texts.iter().map(|text| text.to_vec()).collect()
}
