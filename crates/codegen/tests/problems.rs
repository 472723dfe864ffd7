//! Models of which no code can be generated, because two names would become one.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_codegen::{Command, Language, generate};
use monotable_model::compiled::CompiledModel;

const MODEL: &str = r##"
monotable = 1
model     = "library"

[table.Library]
key = ["PK", "SK"]

[entity.Book]
key = ["BOOK#{isbn}", "BOOK"]
[entity.Book.attributes]
isbn  = "text, matches = /[0-9-]{10,17}/"
title = "text"
pages = "integer(1..)?"

[access.book_by_isbn]
key     = ["BOOK#{isbn}", "BOOK"]
returns = ["Book"]
"##;

fn command(language: Language) -> Command {
    Command {
        language,
        model: "model.toml".to_owned(),
        out: "db".to_owned(),
        bigint: Vec::new(),
    }
}

fn attempt(text: &str, command: &Command) -> Result<String, String> {
    let reading = monotable_model::read(text);
    let model = reading
        .model
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    generate(&CompiledModel::new(model), command).map_err(|problem| problem.to_string())
}

/// What is wrong with a model in each language.
fn problems(text: &str) -> Vec<String> {
    let languages = [Language::TypeScript, Language::Rust];
    languages
        .iter()
        .filter_map(|language| attempt(text, &command(*language)).err())
        .collect()
}

/// The model with another name for its entity.
fn rename_entity(name: &str) -> String {
    let text = MODEL.replace("Book]", &format!("{name}]"));
    let text = text.replace("\"Book\"", &format!("\"{name}\""));
    text.replace("Book.", &format!("{name}."))
}

#[test]
fn a_model_without_clashes_is_generated_in_every_language() {
    assert_eq!(problems(MODEL), Vec::<String>::new());
}

#[test]
fn two_patterns_with_one_name_are_refused() {
    let pattern = MODEL.split("[access.book_by_isbn]").nth(1).unwrap();
    let text = format!("{MODEL}\n[access.bookByIsbn]{pattern}");
    let found = problems(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    for problem in found {
        assert!(
            problem.contains("`access.book_by_isbn` and `access.bookByIsbn`"),
            "{problem}"
        );
        assert!(problem.contains("rename one of them"), "{problem}");
    }
}

#[test]
fn an_entity_cannot_have_the_name_of_a_module_of_the_file() {
    let found = problems(&rename_entity("Patterns"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found
            .iter()
            .all(|problem| problem.contains("`entity.Patterns`")),
        "{found:?}"
    );
}

#[test]
fn attributes_that_become_one_field_are_refused_in_rust() {
    let text = MODEL.replace("title = \"text\"", "title = \"text\"\nTitle = \"text\"");
    let found = problems(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found
            .iter()
            .all(|problem| problem.contains("called `title`")),
        "{found:?}"
    );
}

#[test]
fn an_entity_may_have_any_name_of_the_language() {
    for name in [
        "Key", "Row", "Record", "Page", "Table", "Array", "Promise", "Library", "Store", "Query",
        "Option", "Type",
    ] {
        assert_eq!(
            problems(&rename_entity(name)),
            Vec::<String>::new(),
            "{name}"
        );
    }
}

#[test]
fn what_every_row_has_is_no_attribute_in_typescript() {
    let text = MODEL.replace("title = ", "\"$entity\" = ");
    let found = problems(&text);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found
            .iter()
            .all(|problem| problem.contains("`entity.Book.attributes.$entity`")),
        "{found:?}"
    );
}

#[test]
fn a_tenant_may_have_a_name_that_is_no_parameter() {
    for (name, parameter) in [("siteId", "siteId"), ("site-id", "id"), ("class", "id")] {
        let tenant = format!(
            "[tenant]\nname = \"{name}\"\ntype = \"text, matches = /[a-z]+/\"\nprefix = \"{{{name}}}/\"\n\n[table.Library]"
        );
        let text = MODEL.replace("[table.Library]", &tenant);
        let text = attempt(&text, &command(Language::TypeScript)).unwrap();
        let wanted = format!("    tenant({parameter}: string): Library;\n");
        assert!(text.contains(&wanted), "{name}: {text}");
    }
}

#[test]
fn a_family_takes_what_is_declared_by_its_beginning() {
    let text = MODEL.replace(
        "title = \"text\"",
        "\"md#*\" = \"text?\"\n\"md#n*\" = \"integer?\"\n\"md#size\" = \"integer?\"\n\"md#on\" = \"boolean?\"",
    );
    let text = attempt(&text, &command(Language::TypeScript)).unwrap();
    for line in [
        "  [name: `md#${string}`]: string | number | boolean | undefined;\n",
        "  [name: `md#n${string}`]: number | undefined;\n",
        "    [name: `md#${string}`]: string | number | boolean | null | undefined;\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn a_line_break_in_a_name_ends_no_comment_in_rust() {
    let text = MODEL.replace("pages = \"integer(1..)?\"", "\"a\\nb\" = \"x | y\"");
    let text = attempt(&text, &command(Language::Rust)).unwrap();
    assert!(text.contains("/// `a b`\n"), "{text}");
    assert!(text.contains("/// Sets `a b`.\n"), "{text}");
    assert!(text.contains("/// A word of `a b`.\n"), "{text}");
}

#[test]
fn bigints_are_integers_of_the_model() {
    let with = |name: &str| Command {
        bigint: vec![name.to_owned()],
        ..command(Language::TypeScript)
    };
    let text = attempt(MODEL, &with("Book.pages")).unwrap();
    assert!(text.contains("pages?: bigint;"), "{text}");
    assert!(
        text.contains("pages?: number | bigint | mt.Add | null;"),
        "{text}"
    );
    assert!(text.contains("bigint: [\"Book.pages\"]"), "{text}");
    for (name, words) in [
        ("Book.title", "it is `text`"),
        ("Book.x", "`Book` has no attribute `x`"),
        ("Page.x", "no entity `Page`"),
        ("pages", "no `.`"),
    ] {
        let problem = attempt(MODEL, &with(name)).unwrap_err();
        assert!(problem.contains(words), "{problem}");
    }
}
