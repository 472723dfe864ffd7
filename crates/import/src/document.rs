//! A file of JSON or YAML as a tree in which every value knows its place.

mod json;
mod yaml;

use crate::error::{ImportError, Spot};

/// Values nest no deeper.
const MAX_DEPTH: usize = 100;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) spot: Spot,
    /// Its names from the outside in: `models.User.id`.
    pub(crate) path: String,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Boolean(bool),
    /// A number as it is written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

/// Places do not matter for what is said.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Node {}

/// Reads a file: JSON if it begins as JSON does, else YAML.
pub(crate) fn parse(text: &str) -> Result<Node, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(ImportError::new("the file is empty"));
    }
    let begins = text.trim_start();
    let mut node = if begins.starts_with(['{', '[']) || begins.starts_with("//") {
        json::parse(text)?
    } else {
        yaml::parse(text)?
    };
    name_paths(&mut node, String::new(), 0)?;
    Ok(node)
}

fn name_paths(node: &mut Node, path: String, depth: usize) -> Result<(), ImportError> {
    if depth > MAX_DEPTH {
        let message = format!("values nest more than {MAX_DEPTH} deep");
        return Err(ImportError::at(node.spot, "", message));
    }
    match &mut node.value {
        Value::Map(entries) => {
            for (name, value) in entries {
                let below = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                name_paths(value, below, depth + 1)?;
            }
        }
        Value::List(values) => {
            for (position, value) in values.iter_mut().enumerate() {
                name_paths(value, format!("{path}[{position}]"), depth + 1)?;
            }
        }
        Value::Null | Value::Boolean(_) | Value::Number(_) | Value::Text(_) => {}
    }
    node.path = path;
    Ok(())
}

impl Node {
    pub(crate) fn new(value: Value, spot: Spot) -> Self {
        Self {
            value,
            spot,
            path: String::new(),
        }
    }

    /// What a map has under a name; none if it is null.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, node)| node)
            .filter(|node| node.value != Value::Null)
    }

    /// The entries of a map; nothing of anything else.
    pub(crate) fn entries(&self) -> &[(String, Self)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Boolean(flag) => Some(*flag),
            _ => None,
        }
    }

    /// Text, or a number or boolean as it is written.
    pub(crate) fn as_scalar(&self) -> Option<String> {
        match &self.value {
            Value::Text(text) | Value::Number(text) => Some(text.clone()),
            Value::Boolean(flag) => Some(flag.to_string()),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// Whether something is said to be so.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        let said = self.get(name);
        said.is_some_and(|node| node.as_bool() == Some(true) || node.as_text() == Some("true"))
    }

    pub(crate) fn is_map(&self) -> bool {
        matches!(self.value, Value::Map(_))
    }

    /// The values of a list.
    pub(crate) fn list(&self) -> Result<&[Self], ImportError> {
        match &self.value {
            Value::List(values) => Ok(values),
            _ => Err(self.wrong("a list")),
        }
    }

    /// The entries of a map.
    pub(crate) fn map(&self) -> Result<&[(String, Self)], ImportError> {
        match &self.value {
            Value::Map(entries) => Ok(entries),
            _ => Err(self.wrong("an object")),
        }
    }

    pub(crate) fn text(&self) -> Result<&str, ImportError> {
        self.as_text().ok_or_else(|| self.wrong("a text"))
    }

    /// What a map must have under a name.
    pub(crate) fn need(&self, name: &str) -> Result<&Self, ImportError> {
        self.map()?;
        self.get(name).ok_or_else(|| {
            ImportError::at(self.spot, &self.path, format!("`{name}` is missing here"))
        })
    }

    pub(crate) fn need_text(&self, name: &str) -> Result<&str, ImportError> {
        self.need(name)?.text()
    }

    /// An error at this place.
    pub(crate) fn error(&self, message: impl Into<String>) -> ImportError {
        ImportError::at(self.spot, &self.path, message)
    }

    fn wrong(&self, wanted: &str) -> ImportError {
        let found = match &self.value {
            Value::Null => "nothing (null)".to_owned(),
            Value::Boolean(flag) => format!("`{flag}`"),
            Value::Number(number) => format!("the number {number}"),
            Value::Text(text) => format!("the text {text:?}"),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "an object".to_owned(),
        };
        self.error(format!("{wanted} is wanted here, and {found} is there"))
    }
}
