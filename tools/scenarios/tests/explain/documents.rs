//! Documents with everything around them, and what is done with them: two texts, in the words of scenario scripts.

use super::samples::{Sample, item};
use monotable_item::Item;
use monotable_store::{
    AnyOperation, Attach, Change, Create, Delete, Get, MoveRow, Options, Put, Query, Store,
    Transact, Update,
};
use serde_json::{Deserializer, Value};

const ROWS: &str = include_str!("formkiq_rows.txt");
const ASKED: &str = include_str!("formkiq_asked.txt");

/// The same store for a site and a program that has a name.
pub(crate) fn of_site(store: &Store) -> Store {
    let program = item(r#"{"username": "ann"}"#);
    store.tenant("finance").as_program(program)
}

/// Fills a store.
pub(crate) async fn fill(store: &Store) {
    for Sample { name, operation } in read(ROWS) {
        let made = store.run(operation, Options::default()).await;
        if let Err(error) = made {
            panic!("{name}: {error}");
        }
    }
}

/// Every kind of write, and every access pattern.
pub(crate) fn operations() -> Vec<Sample> {
    read(ASKED)
}

/// What an access pattern is given.
pub(crate) fn given(pattern: &str) -> Item {
    let mut asked = read(ASKED).into_iter();
    let found = asked.find_map(|sample| match sample.operation {
        AnyOperation::Query(query) if query.pattern == pattern => Some(query.parameters),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing asks for `{pattern}`"))
}

/// The operations of a text. A comment names the one that follows it; the others are named by their first words.
fn read(text: &str) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut name = String::new();
    let mut together: Option<Vec<AnyOperation>> = None;
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix("# ") {
            name = comment.to_owned();
            continue;
        }
        let operation = match (line, &mut together) {
            ("transact", _) => {
                together = Some(Vec::new());
                continue;
            }
            ("done", _) => AnyOperation::Transact(Transact {
                operations: together.take().unwrap(),
            }),
            (line, Some(operations)) => {
                operations.push(operation(line));
                continue;
            }
            (line, None) => operation(line),
        };
        let words = line.split(" {").next().unwrap_or_default();
        let name = match std::mem::take(&mut name) {
            name if name.is_empty() => words.to_owned(),
            name => name,
        };
        samples.push(Sample {
            name: name.into(),
            operation,
        });
    }
    samples
}

/// `update Document {key} {what to set}`.
fn operation(line: &str) -> AnyOperation {
    let (verb, rest) = line.split_once(' ').unwrap();
    let (name, rest) = rest.split_once(' ').unwrap();
    let mut items = Deserializer::from_str(rest)
        .into_iter::<Value>()
        .map(|json| item(&json.unwrap().to_string()));
    let name = name.to_owned();
    let entity = name.clone();
    let first = items.next().unwrap();
    let second = items.next().unwrap_or_default();
    let (key, values) = (first.clone(), first.clone());
    match verb {
        "create" => AnyOperation::Create(Create { entity, values }),
        "put" => AnyOperation::Put(Put { entity, values }),
        "attach" => AnyOperation::Attach(Attach { entity, values }),
        "get" => AnyOperation::Get(Get { entity, key }),
        "delete" => AnyOperation::Delete(Delete { entity, key }),
        "update" => AnyOperation::Update(Update {
            entity,
            key,
            change: Change {
                set: second,
                ..Change::default()
            },
        }),
        "move" => AnyOperation::MoveRow(MoveRow {
            name,
            key,
            set: second,
        }),
        "query" => AnyOperation::Query(Query {
            pattern: name,
            parameters: first,
            ..Query::default()
        }),
        other => panic!("{other}"),
    }
}

/// The text without ids that are made by chance and the times of operations: the same each time.
pub(crate) fn settled(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let mut settled = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(is_part) {
        let (before, word) = rest.split_at(begin);
        let end = word.find(|letter| !is_part(letter)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        settled.push_str(before);
        settled.push_str(match word {
            word if is_ulid(word) => "<ulid>",
            word if is_uuid(word) => "<uuid>",
            word if is_micros(word) => "<micros>Z",
            word => word,
        });
        rest = after;
    }
    settled.push_str(rest);
    settled
}

fn is_ulid(word: &str) -> bool {
    let mut letters = word.chars();
    let plain = |letter: char| letter.is_ascii_digit() || letter.is_ascii_uppercase();
    word.len() == 26 && word.starts_with("01") && letters.all(plain)
}

/// Each operation has a microsecond of its own: which one depends on those before it.
fn is_micros(word: &str) -> bool {
    let digits = word.strip_suffix('Z').unwrap_or_default();
    digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_digit())
}

/// One that was made by chance: those of the samples have zeros.
fn is_uuid(word: &str) -> bool {
    let lengths: Vec<usize> = word.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && !word.contains("0000-")
}
