//! JSON with its places, in which no member comes twice.
//!
//! Of two members with one name, most readers take the last. A policy that says `Condition` twice would lose one of them
//! without a word, so it is refused.

use crate::error::PolicyError;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// A value, and the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Place<'j> {
    pub(crate) json: &'j Json,
    pub(crate) path: String,
}

/// Reads a document.
pub(crate) fn parse(text: &str) -> Result<Json, PolicyError> {
    serde_json::from_str(text).map_err(|error| PolicyError::new("", format!("not JSON: {error}")))
}

impl<'j> Place<'j> {
    pub(crate) const fn root(json: &'j Json) -> Self {
        Self {
            json,
            path: String::new(),
        }
    }

    pub(crate) fn refuse(&self, problem: impl Into<String>) -> PolicyError {
        PolicyError::new(&self.path, problem)
    }

    fn member(&self, name: &str, json: &'j Json) -> Self {
        let separator = if self.path.is_empty() { "" } else { "." };
        Self {
            json,
            path: format!("{}{separator}{name}", self.path),
        }
    }

    fn element(&self, index: usize, json: &'j Json) -> Self {
        Self {
            json,
            path: format!("{}[{index}]", self.path),
        }
    }

    /// The members of an object.
    pub(crate) fn members(&self) -> Result<Vec<(&'j str, Self)>, PolicyError> {
        match self.json {
            Json::Object(members) => Ok(members
                .iter()
                .map(|(name, json)| (name.as_str(), self.member(name, json)))
                .collect()),
            other => Err(self.refuse(format!("an object is wanted, and not {other}"))),
        }
    }

    /// The elements of a list, or the one value that stands where a list may.
    pub(crate) fn one_or_more(&self) -> Result<Vec<Self>, PolicyError> {
        match self.json {
            Json::List(elements) if elements.is_empty() => {
                Err(self.refuse("the list is empty: nothing would ever match it"))
            }
            Json::List(elements) => Ok(elements
                .iter()
                .enumerate()
                .map(|(index, json)| self.element(index, json))
                .collect()),
            _ => Ok(vec![self.clone()]),
        }
    }

    pub(crate) fn text(&self) -> Result<&'j str, PolicyError> {
        match self.json {
            Json::Text(text) => Ok(text),
            other => Err(self.refuse(format!("a text is wanted, and not {other}"))),
        }
    }

    /// The text of a value of a condition, where IAM takes booleans and numbers as well.
    pub(crate) fn scalar(&self) -> Result<String, PolicyError> {
        match self.json {
            Json::Text(text) => Ok(text.clone()),
            Json::Bool(value) => Ok(value.to_string()),
            Json::Number(number) => Ok(number.to_string()),
            other => Err(self.refuse(format!(
                "a text, a number or a boolean is wanted, and not {other}"
            ))),
        }
    }
}

/// The kind of value, for messages.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        })
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        let number = serde_json::Number::from_f64(value);
        number
            .map(Json::Number)
            .ok_or_else(|| E::custom("a number without end"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(Json::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members: Vec<(String, Json)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Json>()? {
            if members.iter().any(|(known, _)| *known == name) {
                return Err(A::Error::custom(format_args!("a second member {name:?}")));
            }
            members.push((name, value));
        }
        Ok(Json::Object(members))
    }
}
