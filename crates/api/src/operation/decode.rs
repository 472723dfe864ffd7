//! Reading a body, and AWS's words for one of the wrong shape.

use crate::Error;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// Reads a body. Whatever the bytes are, the answer is a request or a SerializationException; the
/// reader itself bounds how deep they nest.
pub(super) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        // AWS says nothing about a body that is not JSON at all.
        Category::Syntax | Category::Eof | Category::Io => Error::serialization(""),
        Category::Data => Error::serialization(in_words_of_aws(&error.to_string())),
    })
}

/// serde says `invalid type: integer `1`, expected a string at line 1 column 14`; AWS has its own
/// sentence for each combination. What it has none for is passed on as serde says it.
fn in_words_of_aws(message: &str) -> String {
    let sentence = message.split(" at line ").next().unwrap_or(message);
    let mismatch = sentence
        .strip_prefix("invalid type: ")
        .and_then(|mismatch| mismatch.split_once(", expected "))
        .and_then(|(found, expected)| Some((Found::parse(found)?, Expected::parse(expected)?)));
    match mismatch {
        Some((found, expected)) => expected.instead_of(found),
        None => sentence.to_owned(),
    }
}

/// What stands in the JSON.
#[derive(Clone, Copy)]
enum Found {
    Bool(bool),
    Integer,
    Float,
    Text,
    List,
    Map,
}

impl Found {
    fn parse(found: &str) -> Option<Self> {
        Some(match found.split(' ').next()? {
            "boolean" => Self::Bool(found.contains("true")),
            "integer" => Self::Integer,
            "floating" => Self::Float,
            "string" => Self::Text,
            "sequence" => Self::List,
            "map" => Self::Map,
            _ => return None,
        })
    }

    /// What Jackson, AWS's reader, calls it.
    const fn token(self) -> &'static str {
        match self {
            Self::Bool(true) => "TRUE_VALUE",
            Self::Bool(false) => "FALSE_VALUE",
            Self::Integer => "NUMBER_VALUE",
            Self::Float => "DECIMAL_VALUE",
            Self::Text => "STRING_VALUE",
            Self::List => "START_ARRAY",
            Self::Map => "START_OBJECT",
        }
    }
}

/// What should stand there.
enum Expected<'a> {
    Scalar(&'static str),
    List,
    Map,
    Structure(&'a str),
    AttributeValue,
}

impl<'a> Expected<'a> {
    fn parse(expected: &'a str) -> Option<Self> {
        Some(match expected {
            "a string" => Self::Scalar("String"),
            "i64" | "u64" => Self::Scalar("Long"),
            "f64" => Self::Scalar("Double"),
            "a boolean" => Self::Scalar("Boolean"),
            "a map" => Self::Map,
            _ if expected.starts_with("a map of ") => Self::Map,
            _ if expected.starts_with("a sequence") => Self::List,
            _ if expected.starts_with("a list of ") => Self::List,
            _ if expected.starts_with("an attribute value") => Self::AttributeValue,
            _ => Self::Structure(expected.strip_prefix("struct ")?),
        })
    }

    fn instead_of(&self, found: Found) -> String {
        match (self, found) {
            (Self::Scalar(class), Found::List) => {
                format!("Unrecognized collection type class java.lang.{class}")
            }
            (Self::Scalar(_) | Self::List, Found::Map) => {
                "Start of structure or map found where not expected".to_owned()
            }
            (Self::Scalar(class), found) => {
                format!("{} cannot be converted to {class}", found.token())
            }
            (Self::Map, Found::List) => {
                "Unrecognized collection type java.util.Map<java.lang.String, \
                 com.amazonaws.dynamodb.v20120810.AttributeValue>"
                    .to_owned()
            }
            (Self::Structure(name), Found::List) => {
                format!(
                    "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.{name}"
                )
            }
            (Self::AttributeValue, Found::List) => {
                Self::Structure("AttributeValue").instead_of(found)
            }
            // The words for a scalar differ between a member and a value in a map.
            (Self::AttributeValue, _) => "Unexpected value type in payload".to_owned(),
            (Self::List | Self::Map | Self::Structure(_), _) => "Unexpected field type".to_owned(),
        }
    }
}
