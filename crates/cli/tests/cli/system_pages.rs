//! The pages of the five systems name everything that their models have: the tables of entities and access patterns are made from the models.
//!
//! `MONOTABLE_BLESS=1 cargo test -p monotable-cli --test cli system_pages` writes them into the pages.

use crate::pasted::root;
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fmt::Write as _;
use toml::Table;

const SYSTEMS: [&str; 5] = [
    "processproof",
    "yggdrasil",
    "authorization",
    "formkiq",
    "values",
];

/// The text of the model of a system.
fn text_of_model(system: &str) -> String {
    let path = root().join(format!("models/{system}/model.toml"));
    std::fs::read_to_string(path).unwrap()
}

fn section<'t>(table: &'t Table, name: &str) -> Option<&'t Table> {
    table.get(name).and_then(toml::Value::as_table)
}

/// The ids of the catalogue that a declaration covers.
fn covers(declaration: &Table) -> String {
    let ids = declaration.get("covers").and_then(toml::Value::as_array);
    let ids = ids.into_iter().flatten().filter_map(toml::Value::as_str);
    ids.collect::<Vec<_>>().join(", ")
}

/// A key as the model declares it: one template, or several.
fn key(value: &toml::Value) -> String {
    let templates: Vec<&str> = match value {
        toml::Value::String(template) => vec![template],
        toml::Value::Array(templates) => templates.iter().filter_map(toml::Value::as_str).collect(),
        other => panic!("a key that is {other:?}"),
    };
    let quoted: Vec<String> = templates.iter().map(|text| code(text)).collect();
    quoted.join(" ")
}

/// Code in a cell of a table: a bar would end the cell.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The names of the indexes of all tables.
fn indexes(model: &Table) -> Vec<String> {
    let tables = section(model, "table").unwrap();
    let declared = tables.values().filter_map(toml::Value::as_table);
    let mut names: Vec<String> = declared.flat_map(|table| table.keys().cloned()).collect();
    names.retain(|name| !["key", "ttl", "pitr", "stream"].contains(&name.as_str()));
    names.sort();
    names.dedup();
    names
}

fn keys_of_indexes(declaration: &Table, indexes: &[String]) -> String {
    let declared = indexes.iter().filter_map(|index| {
        let value = declaration.get(index)?;
        Some(format!("{index}: {}", key(value)))
    });
    declared.collect::<Vec<_>>().join("<br>")
}

fn entities(system: &str) -> String {
    let declared = text_of_model(system);
    let model: Table = declared.parse().unwrap();
    let indexes = indexes(&model);
    let mut text = "| Id | Entity | Key | In indexes |\n|---|---|---|---|\n".to_owned();
    // In the order of the file, which a parsed table does not keep.
    let headings = declared
        .lines()
        .filter_map(|line| line.strip_prefix("[entity."));
    let names = headings.filter_map(|line| line.split_once(']'));
    for (name, _) in names.filter(|(name, _)| !name.contains('.')) {
        let entity = section(section(&model, "entity").unwrap(), name).unwrap();
        // Without a key it only holds what several entities have in common.
        let Some(declared) = entity.get("key") else {
            continue;
        };
        let _ = writeln!(
            text,
            "| {} | {name} | {} | {} |",
            covers(entity),
            key(declared),
            keys_of_indexes(entity, &indexes)
        );
    }
    text
}

/// How a pattern reads, in the words of its declaration.
fn way(pattern: &Table, indexes: &[String]) -> String {
    if let Some(value) = pattern.get("key") {
        return key(value);
    }
    let by_index = keys_of_indexes(pattern, indexes);
    if !by_index.is_empty() {
        return by_index;
    }
    let mut words = [
        "through", "union", "steps", "walk", "diff", "pointer", "resolve",
    ]
    .into_iter();
    let found = words.find_map(|word| Some((word, pattern.get(word)?)));
    let (word, value) = found.unwrap_or_else(|| panic!("no way in {pattern:?}"));
    format!("{word} {}", key(value))
}

fn patterns(system: &str) -> String {
    let model: Table = text_of_model(system).parse().unwrap();
    let indexes = indexes(&model);
    let declared = section(&model, "access").unwrap();
    let listed = Sandbox::new().run(&["patterns", "-m", system, "--output", "json"]);
    let listed: Vec<Value> = serde_json::from_str(&listed.succeeded().stdout).unwrap();
    let mut text =
        "| Id | Pattern | Parameters | Reads | Answers |\n|---|---|---|---|---|\n".to_owned();
    for pattern in &listed {
        let name = pattern["name"].as_str().unwrap();
        let declaration = section(declared, name).unwrap();
        let _ = writeln!(
            text,
            "| {} | `{name}` | {} | {} | {} |",
            covers(declaration),
            parameters(pattern),
            way(declaration, &indexes),
            answers(pattern)
        );
    }
    text
}

/// The names of the parameters; those that may be left out in brackets.
fn parameters(pattern: &Value) -> String {
    let parameters = pattern["parameters"].as_array().unwrap().iter();
    let named = parameters.map(|parameter| {
        let name = parameter["name"].as_str().unwrap();
        if parameter["required"] == true {
            name.to_owned()
        } else {
            format!("[{name}]")
        }
    });
    named.collect::<Vec<_>>().join(", ")
}

fn answers(pattern: &Value) -> String {
    let names = |field: &str| -> Vec<String> {
        let names = pattern[field].as_array().unwrap().iter();
        names
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    };
    let number = if pattern["one"] == true { "one " } else { "" };
    let mut text = format!("{number}{}", names("returns").join(", "));
    for followed in names("follows") {
        let _ = write!(text, ", with {followed}");
    }
    text
}

/// The page with a table between its marks.
fn filled_in(page: &str, name: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {name} of the model -->\n"), "<!-- end -->");
    let (before, rest) = page
        .split_once(&start)
        .unwrap_or_else(|| panic!("no {start}"));
    let (_, after) = rest.split_once(end).unwrap();
    format!("{before}{start}\n{table}\n{end}{after}")
}

#[test]
fn tables_of_the_system_pages_are_those_of_the_models() {
    for system in SYSTEMS {
        let path = root().join(format!("docs/systems/{system}.md"));
        let page = std::fs::read_to_string(&path).unwrap();
        let made = filled_in(&page, "entities", &entities(system));
        let made = filled_in(&made, "patterns", &patterns(system));
        if std::env::var_os("MONOTABLE_BLESS").is_some() {
            std::fs::write(&path, made).unwrap();
        } else {
            assert!(
                page == made,
                "docs/systems/{system}.md does not have what the model has; \
                 MONOTABLE_BLESS=1 cargo test -p monotable-cli --test cli system_pages writes it"
            );
        }
    }
}
