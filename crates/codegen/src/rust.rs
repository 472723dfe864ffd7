//! A client in Rust, over the crate `monotable-store`.
//!
//! An entity has a module with its row, its key, what is given and changed, its words and its calls, so that names of two
//! entities cannot clash. Everything of the store is used through `mt`.

mod client;
mod comment;
mod entity;
mod fields;
mod moves;
mod patterns;
mod repositories;
mod value;
mod words;

use crate::header::{Command, write_header};
use crate::names::{camel_case, capitalize, pascal_case, snake_case};
use crate::problem::{Problem, Scope};
use crate::surface::Surface;
use comment::write_comment;
use monotable_model::compiled::CompiledModel;
use monotable_model::model::EntityId;

/// What all parts of the generated file are written from.
struct Generator<'m> {
    surface: Surface<'m>,
    /// The client's type.
    client: String,
}

/// Modules and types of the file itself.
const TAKEN_MODULES: &[&str] = &[
    "mt",
    "patterns",
    "moves",
    "carries",
    "repositories",
    "std",
    "core",
];

pub(crate) fn generate(model: &CompiledModel, command: &Command) -> Result<String, Problem> {
    let surface = Surface::new(model.model(), model.plans());
    check_names(&surface)?;
    let client = pascal_case(&surface.model.name);
    let is_entity = |name: &str| surface.entities.iter().any(|known| known.name() == name);
    let client = if is_entity(&client) || TAKEN_TYPES.contains(&client.as_str()) {
        format!("{client}Client")
    } else {
        client
    };
    let generator = Generator { surface, client };
    let mut text = write_header(command, model)?;
    text.push('\n');
    let about = generator.surface.model.about.iter();
    let about = about.map(|about| format!("{}.", about.trim_end_matches('.')));
    let about: Vec<_> = about.collect();
    text.push_str(&write_comment("", "//!", &about));
    text.push_str("\n#![allow(dead_code, clippy::all)]\n\nuse monotable_store::typed as mt;\n\n");
    text.push_str(&generator.write_client());
    for entity in &generator.surface.entities {
        text.push('\n');
        text.push_str(&generator.write_entity(entity)?);
    }
    text.push('\n');
    text.push_str(&generator.write_patterns()?);
    text.push_str(&generator.write_moves());
    text.push_str(&generator.write_repositories()?);
    text.push_str(&generator.write_carries());
    let compiled = model.to_text().map_err(Problem::Unwritable)?;
    text.push_str("\n// The compiled model.\n#[rustfmt::skip]\n");
    text.push_str(&format!("const MODEL: &str = \"{compiled}\";\n"));
    Ok(text)
}

/// Types of the file beside those of entities.
const TAKEN_TYPES: &[&str] = &["Global", "Principal", "Settings"];

impl Generator<'_> {
    /// The type of an entity's rows, from anywhere in the file.
    fn row_type(&self, id: EntityId) -> String {
        let name = &self.surface.model.entity(id).name.value;
        format!("super::{}::{}", module_name(name), type_name(name))
    }
}

/// The module of an entity.
fn module_name(entity: &str) -> String {
    field_name(entity)
}

/// A type's name.
fn type_name(name: &str) -> String {
    let name = capitalize(&camel_case(name.trim_start_matches('_')));
    if [
        "Self", "Option", "Result", "String", "Vec", "Some", "None", "Ok", "Err", "From",
        "TryFrom", "Into", "Default",
    ]
    .contains(&name.as_str())
    {
        format!("{name}Row")
    } else {
        name
    }
}

/// The name of a field, function or module: a keyword has an underscore behind it.
fn field_name(name: &str) -> String {
    let snake = snake_case(name);
    let snake = snake.trim_start_matches('_');
    let begins_with_digit = snake.starts_with(|first: char| first.is_numeric());
    let snake = if begins_with_digit || snake.is_empty() {
        format!("n{snake}")
    } else {
        snake.to_owned()
    };
    if KEYWORDS.contains(&snake.as_str()) {
        format!("{snake}_")
    } else {
        snake
    }
}

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// What every client has: the method of an entity that is called so has `_rows` behind it.
const CLIENT_METHODS: &[&str] = &[
    "as_principal",
    "as_program",
    "carry",
    "moves",
    "new",
    "open",
    "query",
    "repository",
    "store",
    "transact",
    "with_request",
    "with_settings",
];

/// The client's method for rows of an entity.
fn method_name(entity: &str) -> String {
    let name = field_name(entity);
    if CLIENT_METHODS.contains(&name.as_str()) {
        format!("{name}_rows")
    } else {
        name
    }
}

/// Finds two declarations that would have one name.
fn check_names(surface: &Surface<'_>) -> Result<(), Problem> {
    let mut modules = Scope::with_reserved(TAKEN_MODULES);
    let mut methods = Scope::default();
    let mut types = Scope::with_reserved(TAKEN_TYPES);
    for entity in &surface.entities {
        let declaration = format!("entity.{}", entity.name());
        modules.take(&module_name(entity.name()), &declaration)?;
        methods.take(&method_name(entity.name()), &declaration)?;
        types.take(&type_name(entity.name()), &declaration)?;
    }
    let mut patterns = Scope::default();
    for pattern in &surface.patterns {
        let name = field_name(pattern.name());
        patterns.take(&name, &format!("access.{}", pattern.name()))?;
    }
    let mut moves = Scope::default();
    for moving in &surface.moves {
        moves.take(&field_name(moving.name), &format!("move.{}", moving.name))?;
    }
    let mut repositories = Scope::default();
    for known in &surface.repositories {
        let name = &known.repository.name.value;
        repositories.take(&field_name(name), &format!("repository.{name}"))?;
    }
    Ok(())
}
