//! Plain JSON to values.

use monotable_item::{AttributeValue, Item, Number, NumberError, limits};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// Why a text is no item.
#[derive(Debug)]
pub(crate) enum PlainError {
    /// It is not JSON.
    Syntax(serde_json::Error),
    /// It is JSON, but not an object.
    NotAnObject,
    /// A number that DynamoDB cannot hold.
    Number { path: String, problem: NumberError },
    /// Lists and maps too deep inside one another.
    TooDeep { path: String },
}

impl fmt::Display for PlainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => write!(f, "not JSON: {error}"),
            Self::NotAnObject => {
                f.write_str("not a JSON object: an item looks like {\"pk\": \"a\"}")
            }
            Self::Number { path, problem } => write!(f, "{path}: {problem}"),
            Self::TooDeep { path } => {
                write!(
                    f,
                    "{path}: nested deeper than {} levels",
                    limits::MAX_NESTING
                )
            }
        }
    }
}

/// Reads one item.
pub(crate) fn read_item(text: &str) -> Result<Item, PlainError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(PlainError::Syntax)?;
    if !raw.get().starts_with('{') {
        return Err(PlainError::NotAnObject);
    }
    entries(raw, &Path::Root, 0)
}

/// Reads one value of an attribute.
pub(crate) fn read_value(name: &str, text: &str) -> Result<AttributeValue, PlainError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(PlainError::Syntax)?;
    value(raw, &Path::Name(&Path::Root, name), 0)
}

/// Where in the item we are, for messages.
enum Path<'a> {
    Root,
    Name(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Name(Path::Root, name) => f.write_str(name),
            Self::Name(parent, name) => write!(f, "{parent}.{name}"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

fn entries(raw: &RawValue, path: &Path<'_>, depth: usize) -> Result<Item, PlainError> {
    let members: BTreeMap<String, &RawValue> = parse(raw)?;
    members
        .into_iter()
        .map(|(name, raw)| {
            let value = value(raw, &Path::Name(path, &name), depth)?;
            Ok((name, value))
        })
        .collect()
}

fn elements(
    raw: &RawValue,
    path: &Path<'_>,
    depth: usize,
) -> Result<Vec<AttributeValue>, PlainError> {
    let elements: Vec<&RawValue> = parse(raw)?;
    elements
        .into_iter()
        .enumerate()
        .map(|(index, raw)| value(raw, &Path::Index(path, index), depth))
        .collect()
}

/// The first character of a JSON value says what it is.
fn value(raw: &RawValue, path: &Path<'_>, depth: usize) -> Result<AttributeValue, PlainError> {
    match raw.get().as_bytes().first() {
        Some(b'{' | b'[') if depth >= limits::MAX_NESTING => Err(PlainError::TooDeep {
            path: path.to_string(),
        }),
        Some(b'{') => entries(raw, path, depth + 1).map(AttributeValue::M),
        Some(b'[') => elements(raw, path, depth + 1).map(AttributeValue::L),
        Some(b'"') => parse(raw).map(AttributeValue::S),
        Some(b't' | b'f') => parse(raw).map(AttributeValue::Bool),
        Some(b'n') => Ok(AttributeValue::Null),
        _ => number(raw.get(), path),
    }
}

fn number(text: &str, path: &Path<'_>) -> Result<AttributeValue, PlainError> {
    let number: Result<Number, NumberError> = text.parse();
    number
        .map(AttributeValue::N)
        .map_err(|problem| PlainError::Number {
            path: path.to_string(),
            problem,
        })
}

fn parse<'a, T: serde::Deserialize<'a>>(raw: &'a RawValue) -> Result<T, PlainError> {
    serde_json::from_str(raw.get()).map_err(PlainError::Syntax)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        read_item(text).unwrap_err().to_string()
    }

    #[test]
    fn every_kind_of_value() {
        let text = r#" {"s":"x\n","n":-1.50,"t":true,"z":null,"l":[1,"a",[]],"m":{"k":{}}} "#;
        let list = vec![1.into(), "a".into(), AttributeValue::L(vec![])];
        let expected = Item::new()
            .with("s", "x\n")
            .with("n", "-1.5".parse::<Number>().unwrap())
            .with("t", true)
            .with("z", AttributeValue::Null)
            .with("l", list)
            .with("m", Item::new().with("k", Item::new()));
        assert_eq!(read_item(text).unwrap(), expected);
    }

    #[test]
    fn numbers_keep_their_digits() {
        let digits = "0.12345678901234567890123456789012345678";
        let item = read_item(&format!(r#"{{"n":{digits}}}"#)).unwrap();
        assert_eq!(
            item.get("n"),
            Some(&AttributeValue::N(digits.parse().unwrap()))
        );
        let AttributeValue::N(large) = read_item(r#"{"n":1e125}"#).unwrap().remove("n").unwrap()
        else {
            panic!("not a number");
        };
        assert_eq!(large.to_string().len(), 126);
    }

    #[test]
    fn problems_name_the_place() {
        let long = format!(r#"{{"a":{{"b":[1,{}]}}}}"#, "1".repeat(39));
        assert!(problem(&long).starts_with("a.b[1]: Attempting to store more than 38"));
        assert!(problem(r#"{"a":}"#).contains("line 1 column 6"));
        assert!(problem("[]").starts_with("not a JSON object"));
        let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
        assert!(problem(&deep).contains("nested deeper than 32 levels"));
    }
}
