//! JSON, also with comments, trailing commas and bare names, as JavaScript writes objects.

use super::{Node, Value};
use crate::error::{ImportError, Spot};
use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

pub(super) fn parse(text: &str) -> Result<Node, ImportError> {
    let options = ParseOptions {
        allow_missing_commas: false,
        ..ParseOptions::default()
    };
    let lines = Lines::new(text);
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let spot = lines.spot(error.range().start);
        ImportError::at(spot, "", format!("this is no JSON: {}", error.kind()))
            .help("functions and other code cannot be imported: write the schema as JSON, for example with JSON.stringify")
    })?;
    match parsed.value {
        Some(value) => Ok(read(&lines, value)),
        None => Err(ImportError::new("the file is empty")),
    }
}

fn read(lines: &Lines, value: ast::Value<'_>) -> Node {
    let spot = lines.spot(value.range().start);
    let value = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.into_owned()),
        ast::Value::NumberLit(number) => Value::Number(number.value.to_owned()),
        ast::Value::BooleanLit(flag) => Value::Boolean(flag.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => {
            let values = array.elements.into_iter();
            Value::List(values.map(|value| read(lines, value)).collect())
        }
        ast::Value::Object(object) => {
            let entries = object.properties.into_iter().map(|property| {
                let name = match property.name {
                    ObjectPropName::String(name) => name.value.into_owned(),
                    ObjectPropName::Word(name) => name.value.to_owned(),
                };
                (name, read(lines, property.value))
            });
            Value::Map(entries.collect())
        }
    };
    Node::new(value, spot)
}

/// Where the lines of a text begin.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(ends).collect(),
        }
    }

    fn spot(&self, offset: usize) -> Spot {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line));
        let start = start.copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        Spot {
            line: line.max(1),
            column: before.chars().count() + 1,
        }
    }
}
