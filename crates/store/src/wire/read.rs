//! Plain JSON to values.

use super::{BYTES, MAP, Members, NUMBER, SET};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{AttributeValue, Item, Number, NumberError, limits};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt;

/// Why a text is no item.
#[derive(Debug)]
pub enum WireError {
    /// It is not JSON, or has a member twice.
    Syntax(serde_json::Error),
    /// It is JSON, but not an object.
    NotAnObject,
    /// A number that DynamoDB cannot hold.
    Number {
        /// Where it stands.
        path: String,
        /// Why not.
        problem: NumberError,
    },
    /// A mark with something else in it than it marks.
    Mark {
        /// Where it stands.
        path: String,
        /// What is wanted there.
        wanted: &'static str,
    },
    /// Lists and maps too deep inside one another.
    TooDeep {
        /// Where that is.
        path: String,
    },
    /// A map in which a name is empty, which DynamoDB refuses.
    EmptyName {
        /// Where the map is.
        path: String,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) if error.is_data() => write!(f, "{error}"),
            Self::Syntax(error) => write!(f, "not JSON: {error}"),
            Self::NotAnObject => {
                f.write_str("not a JSON object: values look like {\"name\": \"Ann\"}")
            }
            Self::Number { path, problem } => write!(f, "{path}: {problem}"),
            Self::Mark { path, wanted } => write!(f, "{path}: {wanted}"),
            Self::TooDeep { path } => {
                let most = limits::MAX_NESTING;
                write!(f, "{path}: nested deeper than {most} levels")
            }
            Self::EmptyName { path } if path.is_empty() => {
                f.write_str("the name of an attribute is empty")
            }
            Self::EmptyName { path } => write!(f, "{path}: a name in the map is empty"),
        }
    }
}

impl std::error::Error for WireError {}

/// Reads the values of a row.
pub fn read_item(text: &str) -> Result<Item, WireError> {
    if !text.trim_ascii_start().starts_with('{') {
        let _: &RawValue = serde_json::from_str(text).map_err(WireError::Syntax)?;
        return Err(WireError::NotAnObject);
    }
    let Members(members) = serde_json::from_str(text).map_err(WireError::Syntax)?;
    read_members(members, &Path::Root, 0)
}

/// Reads one value of an attribute.
pub fn read_value(name: &str, text: &str) -> Result<AttributeValue, WireError> {
    let raw: &RawValue = serde_json::from_str(text).map_err(WireError::Syntax)?;
    read_raw(raw, &Path::Name(&Path::Root, name), 0)
}

/// Where in the values we are, for messages.
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

fn read_members(
    members: BTreeMap<String, &RawValue>,
    path: &Path<'_>,
    depth: usize,
) -> Result<Item, WireError> {
    members
        .into_iter()
        .map(|(name, raw)| {
            if name.is_empty() {
                let path = path.to_string();
                return Err(WireError::EmptyName { path });
            }
            let value = read_raw(raw, &Path::Name(path, &name), depth)?;
            Ok((name, value))
        })
        .collect()
}

/// The first character of a JSON value says what it is.
fn read_raw(raw: &RawValue, path: &Path<'_>, depth: usize) -> Result<AttributeValue, WireError> {
    match raw.get().as_bytes().first() {
        Some(b'{' | b'[') if depth >= limits::MAX_NESTING => Err(WireError::TooDeep {
            path: path.to_string(),
        }),
        Some(b'{') => read_object(parse::<Members<_>>(raw)?.0, path, depth),
        Some(b'[') => read_elements(raw, path, depth).map(AttributeValue::L),
        Some(b'"') => read_text(raw).map(AttributeValue::S),
        Some(b't' | b'f') => parse(raw).map(AttributeValue::Bool),
        Some(b'n') => Ok(AttributeValue::Null),
        _ => read_number(raw.get(), path).map(AttributeValue::N),
    }
}

/// A text. One without escapes is what stands between its quotes: that it is JSON is known already.
fn read_text(raw: &RawValue) -> Result<String, WireError> {
    let between = raw.get().strip_prefix('"');
    let between = between.and_then(|text| text.strip_suffix('"'));
    match between.filter(|text| !text.contains('\\')) {
        Some(text) => Ok(text.to_owned()),
        None => parse(raw),
    }
}

/// A map, or a mark.
fn read_object(
    members: BTreeMap<String, &RawValue>,
    path: &Path<'_>,
    depth: usize,
) -> Result<AttributeValue, WireError> {
    let mut entries = members.iter();
    let (Some((name, raw)), None) = (entries.next(), entries.next()) else {
        return read_members(members, path, depth + 1).map(AttributeValue::M);
    };
    let text =
        |wanted| serde_json::from_str::<String>(raw.get()).map_err(|_| wrong_mark(path, wanted));
    match name.as_str() {
        BYTES => {
            let wanted = "`$bytes` marks a text in base64";
            let bytes = STANDARD.decode(text(wanted)?);
            let bytes = bytes.map_err(|_| wrong_mark(path, wanted))?;
            Ok(AttributeValue::B(bytes))
        }
        NUMBER => {
            let text = text("`$number` marks the text of a number")?;
            read_number(&text, path).map(AttributeValue::N)
        }
        MAP => {
            let Members(inner) =
                parse(raw).map_err(|_| wrong_mark(path, "`$map` marks an object"))?;
            read_members(inner, path, depth + 1).map(AttributeValue::M)
        }
        SET => {
            if !raw.get().starts_with('[') {
                return Err(wrong_mark(path, "`$set` marks a list"));
            }
            collect_set(read_elements(raw, path, depth)?, path)
        }
        _ => read_members(members, path, depth + 1).map(AttributeValue::M),
    }
}

fn read_elements(
    raw: &RawValue,
    path: &Path<'_>,
    depth: usize,
) -> Result<Vec<AttributeValue>, WireError> {
    let elements: Vec<&RawValue> = parse(raw)?;
    let elements = elements.into_iter().enumerate();
    elements
        .map(|(index, raw)| read_raw(raw, &Path::Index(path, index), depth + 1))
        .collect()
}

/// The elements of a set, which are all texts, all numbers or all bytes.
fn collect_set(
    elements: Vec<AttributeValue>,
    path: &Path<'_>,
) -> Result<AttributeValue, WireError> {
    macro_rules! collect {
        ($element:ident, $set:ident) => {{
            let elements = elements.into_iter().map(|element| match element {
                AttributeValue::$element(element) => Some(element),
                _ => None,
            });
            elements.collect::<Option<_>>().map(AttributeValue::$set)
        }};
    }
    let set = match elements.first() {
        Some(AttributeValue::S(_)) => collect!(S, Ss),
        Some(AttributeValue::N(_)) => collect!(N, Ns),
        Some(AttributeValue::B(_)) => collect!(B, Bs),
        Some(_) => None,
        None => return Err(wrong_mark(path, "a set has one element at least")),
    };
    let wanted = "the elements of a set are all texts, all numbers or all bytes";
    set.ok_or_else(|| wrong_mark(path, wanted))
}

fn read_number(text: &str, path: &Path<'_>) -> Result<Number, WireError> {
    text.parse().map_err(|problem| WireError::Number {
        path: path.to_string(),
        problem,
    })
}

fn wrong_mark(path: &Path<'_>, wanted: &'static str) -> WireError {
    let path = path.to_string();
    WireError::Mark { path, wanted }
}

fn parse<'a, T: serde::Deserialize<'a>>(raw: &'a RawValue) -> Result<T, WireError> {
    serde_json::from_str(raw.get()).map_err(WireError::Syntax)
}
