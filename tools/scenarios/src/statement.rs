//! A statement in its parts: words, JSON, and the name it is kept under.

use crate::variables::Variables;
use serde_json::Value;

/// The parts of a statement, variables filled in.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) word: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) kept_as: Option<String>,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Word(String),
    Json(Value),
}

impl Part {
    /// What a variable that stands alone is: an object or a list is itself.
    fn of(value: Value) -> Self {
        match value {
            Value::String(text) => Self::Word(text),
            value @ (Value::Object(_) | Value::Array(_)) => Self::Json(value),
            other => Self::Word(other.to_string()),
        }
    }
}

impl Statement {
    pub(crate) fn parse(text: &str, variables: &Variables) -> Result<Self, String> {
        let (text, kept_as) = match text.rsplit_once(" -> ") {
            Some((before, name))
                if name
                    .chars()
                    .all(|letter| letter.is_ascii_alphanumeric() || letter == '_') =>
            {
                (before, Some(name.to_owned()))
            }
            _ => (text, None),
        };
        let mut parts = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if rest.starts_with(['{', '[', '"']) {
                let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
                let value = match stream.next() {
                    Some(Ok(value)) => value,
                    Some(Err(error)) => return Err(format!("{error} in {rest}")),
                    None => return Err(format!("no JSON in {rest}")),
                };
                let end = stream.byte_offset();
                parts.push(Part::Json(variables.filled(&value)?));
                rest = rest.get(end..).unwrap_or_default().trim_start();
            } else {
                let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                parts.push(if word.starts_with('$') {
                    Part::of(variables.filled(&Value::String(word.to_owned()))?)
                } else {
                    Part::Word(variables.text(word)?)
                });
                rest = after.trim_start();
            }
        }
        if parts.is_empty() {
            return Err("an empty statement".to_owned());
        }
        let Part::Word(word) = parts.remove(0) else {
            return Err("a statement begins with a word".to_owned());
        };
        Ok(Self {
            word,
            parts,
            kept_as,
        })
    }

    /// The word at a place.
    pub(crate) fn word_at(&self, place: usize) -> Result<&str, String> {
        match self.parts.get(place) {
            Some(Part::Word(word)) => Ok(word),
            _ => Err(format!(
                "`{}` needs a word as its part {}",
                self.word,
                place + 1
            )),
        }
    }

    /// The JSON at a place.
    pub(crate) fn json_at(&self, place: usize) -> Result<&Value, String> {
        match self.parts.get(place) {
            Some(Part::Json(value)) => Ok(value),
            _ => Err(format!(
                "`{}` needs JSON as its part {}",
                self.word,
                place + 1
            )),
        }
    }

    /// Whether a word is among the parts.
    pub(crate) fn has(&self, wanted: &str) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Word(word) if word == wanted))
    }

    /// The part after a word.
    pub(crate) fn after(&self, wanted: &str) -> Option<&Part> {
        let at = self
            .parts
            .iter()
            .position(|part| matches!(part, Part::Word(word) if word == wanted))?;
        self.parts.get(at + 1)
    }

    /// The word after a word.
    pub(crate) fn word_after(&self, wanted: &str) -> Option<&str> {
        match self.after(wanted)? {
            Part::Word(word) => Some(word),
            Part::Json(Value::String(text)) => Some(text),
            Part::Json(_) => None,
        }
    }
}
