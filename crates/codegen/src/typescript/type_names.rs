//! Names of types and properties. Entities begin with a capital letter and members of every client do not, so those cannot clash.

use crate::names::{camel_case, pascal_case};
use crate::problem::{Problem, Scope};
use crate::surface::{EntitySurface, Surface};
use monotable_model::model::EntityId;
use std::collections::BTreeMap;

/// Names that stand for something else where the types of entities are written: an entity of such a name has a type with
/// `Row` behind it.
const TAKEN_TYPES: &[&str] = &[
    // In the namespace of an entity.
    "Calls",
    "Change",
    "Id",
    "Key",
    "New",
    "RowKey", // In the namespace of the client.
    "Carries",
    "Claim",
    "Global",
    "GlobalQueries",
    "Moves",
    "Principal",
    "Queries",
    "Repositories",
    "Row",
    "Settings",
    "Table", // In the file.
    "model",
    "mt",
    "open",
    "outline",
];

/// What the language keeps for itself: neither a type nor a parameter can be called so.
const RESERVED: &[&str] = &[
    "any",
    "bigint",
    "boolean",
    "arguments",
    "await",
    "eval",
    "never",
    "null",
    "number",
    "object",
    "string",
    "symbol",
    "undefined",
    "unknown",
    "void",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "while",
    "with",
    "yield",
];

/// The names of the types of a file.
pub(super) struct TypeNames {
    /// The client's type.
    pub(super) client: String,
    entities: BTreeMap<EntityId, String>,
}

impl TypeNames {
    /// Finds a type for the client and each entity, or two declarations that would have one name.
    pub(super) fn new(surface: &Surface<'_>) -> Result<Self, Problem> {
        let repositories: Vec<_> = surface
            .repositories
            .iter()
            .map(|known| repository_type(&known.repository.name.value))
            .collect();
        let is_taken = |name: &str| {
            TAKEN_TYPES.contains(&name)
                || RESERVED.contains(&name)
                || repositories.iter().any(|known| known == name)
        };
        let mut types = Scope::default();
        let mut entities = BTreeMap::new();
        for entity in &surface.entities {
            let declaration = format!("entity.{}", entity.name());
            check_attributes(entity)?;
            let name = if is_taken(entity.name()) {
                format!("{}Row", entity.name())
            } else {
                entity.name().to_owned()
            };
            types.take(&name, &declaration)?;
            entities.insert(entity.id, name);
        }
        let model = &surface.model.name;
        let plain = pascal_case(model);
        let is_entity = entities.values().any(|name| *name == plain);
        let client = if is_entity || is_taken(&plain) {
            format!("{plain}Client")
        } else {
            plain
        };
        types.take(&client, &format!("model = \"{model}\""))?;
        check_functions(surface)?;
        Ok(Self { client, entities })
    }

    /// The type of an entity's rows.
    pub(super) fn entity(&self, id: EntityId) -> &str {
        self.entities.get(&id).map_or("never", String::as_str)
    }
}

/// Attributes of every row beside those of its entity.
const ROW_ATTRIBUTES: &[&str] = &["$entity", "$followed"];

fn check_attributes(surface: &EntitySurface<'_>) -> Result<(), Problem> {
    let mut names = surface.entity.attributes.iter().map(|one| &one.name.value);
    let taken = names.find(|name| ROW_ATTRIBUTES.contains(&name.as_str()));
    taken.map_or(Ok(()), |name| {
        Err(Problem::Reserved {
            declaration: format!("entity.{}.attributes.{name}", surface.name()),
            name: name.clone(),
        })
    })
}

/// Patterns, moves and carries each have a scope of their own.
fn check_functions(surface: &Surface<'_>) -> Result<(), Problem> {
    let mut patterns = Scope::default();
    for pattern in &surface.patterns {
        let declaration = format!("access.{}", pattern.name());
        patterns.take(&camel_case(pattern.name()), &declaration)?;
    }
    let mut moves = Scope::default();
    for moving in &surface.moves {
        let declared = &moving.declared.name.value;
        let declaration = if declared == moving.name {
            format!("move.{declared}")
        } else {
            format!("move.{declared} ({})", moving.name)
        };
        moves.take(&camel_case(moving.name), &declaration)?;
    }
    let mut carries = Scope::default();
    for carry in &surface.carries {
        let name = &carry.carry.name.value;
        carries.take(&camel_case(name), &format!("carry.{name}"))?;
    }
    let mut repositories = Scope::default();
    for known in &surface.repositories {
        let name = &known.repository.name.value;
        repositories.take(&repository_type(name), &format!("repository.{name}"))?;
    }
    Ok(())
}

/// The type of a repository: `ValuesRepository`.
pub(super) fn repository_type(name: &str) -> String {
    format!("{}Repository", pascal_case(name))
}

/// A property's name, in quotes where the language needs them.
pub(super) fn write_property(name: &str) -> String {
    if is_identifier(name) {
        name.to_owned()
    } else {
        write_text(name)
    }
}

/// A parameter's name. It cannot be in quotes, so what the language does not take is `id`.
pub(super) fn write_parameter(name: &str) -> &str {
    if is_identifier(name) && !RESERVED.contains(&name) {
        name
    } else {
        "id"
    }
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_' || first == '$')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
}

/// A text as a literal in double quotes.
pub(super) fn write_text(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            control if control.is_control() || matches!(control, '\u{2028}' | '\u{2029}') => {
                literal.push_str(&format!("\\u{{{:x}}}", u32::from(control)));
            }
            plain => literal.push(plain),
        }
    }
    literal.push('"');
    literal
}
