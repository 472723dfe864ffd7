//! One request in two notations: names and values as expressions have them, and as statements do.

use crate::substitutions::Substitutions;
use fastrand::Rng;
use serde_json::{Value, json};

/// Writes names and values down in both notations at once.
pub(crate) struct Notation<'r> {
    pub(crate) random: &'r mut Rng,
    pub(crate) substitutions: Substitutions,
    pub(crate) parameters: Vec<Value>,
}

/// A text in both notations.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) expression: String,
    pub(crate) statement: String,
}

impl Text {
    pub(crate) fn new(expression: impl Into<String>, statement: impl Into<String>) -> Self {
        Self {
            expression: expression.into(),
            statement: statement.into(),
        }
    }

    pub(crate) fn join(&self, joint: &str, other: &Self) -> Self {
        Self::new(
            format!("{} {joint} {}", self.expression, other.expression),
            format!("{} {joint} {}", self.statement, other.statement),
        )
    }

    pub(crate) fn grouped(&self) -> Self {
        Self::new(
            format!("({})", self.expression),
            format!("({})", self.statement),
        )
    }
}

impl<'r> Notation<'r> {
    pub(crate) fn new(random: &'r mut Rng) -> Self {
        Self {
            random,
            substitutions: Substitutions::default(),
            parameters: Vec::new(),
        }
    }

    pub(crate) fn name(&mut self, attribute: &str) -> Text {
        Text::new(
            self.substitutions.name(attribute),
            format!("\"{attribute}\""),
        )
    }

    /// A value: in a statement it is written out where that is possible, or a parameter. Parameters are counted from left
    /// to right, so values must be written in the order in which they stand.
    pub(crate) fn value(&mut self, value: &Value) -> Text {
        let literal = literal(value).filter(|_| self.random.bool());
        let statement = literal.unwrap_or_else(|| {
            self.parameters.push(value.clone());
            "?".to_owned()
        });
        Text::new(self.substitutions.value(value), statement)
    }

    /// The request with a statement.
    pub(crate) fn statement(&self, text: &str) -> Value {
        let mut request = json!({"Statement": text});
        if !self.parameters.is_empty() {
            request["Parameters"] = json!(self.parameters);
        }
        request
    }
}

/// A value as a statement writes it out; bytes cannot be.
fn literal(value: &Value) -> Option<String> {
    let (kind, inside) = value.as_object()?.iter().next()?;
    let elements = |open: &str, close: &str, write: &dyn Fn(&Value) -> Option<String>| {
        let elements: Option<Vec<String>> = inside.as_array()?.iter().map(write).collect();
        Some(format!("{open}{}{close}", elements?.join(", ")))
    };
    let quoted = |text: &Value| Some(format!("'{}'", text.as_str()?.replace('\'', "''")));
    match kind.as_str() {
        "S" => quoted(inside),
        "N" => Some(inside.as_str()?.to_owned()),
        "BOOL" => Some(inside.to_string()),
        "NULL" => Some("null".to_owned()),
        "SS" => elements("<<", ">>", &quoted),
        "NS" => elements("<<", ">>", &|number| Some(number.as_str()?.to_owned())),
        "L" => elements("[", "]", &literal),
        "M" => {
            let members = inside.as_object()?.iter();
            let members: Option<Vec<String>> = members
                .map(|(name, value)| Some(format!("'{name}': {}", literal(value)?)))
                .collect();
            Some(format!("{{{}}}", members?.join(", ")))
        }
        _ => None,
    }
}
