//! What earlier statements have found, by name: `$ann.UserId`.

use serde_json::Value;
use std::collections::BTreeMap;

/// Names and what they stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables(BTreeMap<String, Value>);

impl Variables {
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// JSON with every `$name` in its texts replaced. A text that is only a name becomes the value itself.
    pub(crate) fn filled(&self, json: &Value) -> Result<Value, String> {
        Ok(match json {
            Value::String(text) => match text.strip_prefix('$').filter(|path| is_path(path)) {
                Some(path) => self.get(path)?,
                None => Value::String(self.text(text)?),
            },
            Value::Array(values) => {
                let values: Result<_, _> = values.iter().map(|value| self.filled(value)).collect();
                Value::Array(values?)
            }
            Value::Object(map) => {
                let mut filled = serde_json::Map::new();
                for (name, value) in map {
                    filled.insert(self.text(name)?, self.filled(value)?);
                }
                Value::Object(filled)
            }
            other => other.clone(),
        })
    }

    /// A text with every `$name` in it replaced.
    pub(crate) fn text(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            // Twice is the sign itself.
            if let Some(after) = after.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            let length = after
                .find(|letter: char| {
                    !(letter.is_ascii_alphanumeric() || letter == '_' || letter == '.')
                })
                .unwrap_or(after.len());
            let (path, after) = after.split_at(length);
            // A dot at the end ends a sentence, not a path.
            let trimmed = path.trim_end_matches('.');
            if trimmed.is_empty() {
                out.push('$');
            } else {
                match self.get(trimmed)? {
                    Value::String(text) => out.push_str(&text),
                    other => out.push_str(&other.to_string()),
                }
            }
            out.push_str(path.get(trimmed.len()..).unwrap_or_default());
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn get(&self, path: &str) -> Result<Value, String> {
        let mut names = path.split('.');
        let first = names.next().unwrap_or_default();
        let mut value = self
            .0
            .get(first)
            .ok_or_else(|| format!("nothing is called ${first}"))?;
        for name in names {
            let next = match value {
                Value::Array(values) => name.parse::<usize>().ok().and_then(|at| values.get(at)),
                other => other.get(name),
            };
            value = next.ok_or_else(|| format!("${path}: there is no `{name}` in {value}"))?;
        }
        Ok(value.clone())
    }
}

fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.')
}
