//! Types and clauses of the model language, made of what JSON says.

use crate::document::{Node, Value};
use monotable_sketch::Attribute;

/// An enum of these words; none if the language cannot write one of them.
pub(crate) fn write_enum(words: &[String]) -> Option<String> {
    let is_word = |word: &String| {
        let is_sayable = |c: char| c.is_ascii_alphanumeric() || "_-.:+".contains(c);
        !word.is_empty() && word.chars().all(is_sayable)
    };
    if words.is_empty() || !words.iter().all(is_word) {
        return None;
    }
    match words {
        [one] => Some(format!("'{one}'")),
        several => Some(several.join(" | ")),
    }
}

/// The texts of a list.
pub(crate) fn read_words(node: &Node) -> Option<Vec<String>> {
    let values = node.list().ok()?;
    values.iter().map(Node::as_scalar).collect()
}

/// Adds a default, or a remark if the language has no such default.
pub(crate) fn add_default(attribute: Attribute, value: &Node) -> Attribute {
    let is_enum = attribute.kind.contains(" | ") || attribute.kind.starts_with('\'');
    let is_text = attribute.kind == "text";
    let written = match &value.value {
        Value::Text(text) if is_enum => Some(text.clone()),
        Value::Text(text) if is_text && !text.is_empty() && !text.contains(['\'', '{', '}']) => {
            Some(format!("'{text}'"))
        }
        Value::Number(number) if matches!(attribute.kind.as_str(), "number" | "integer") => {
            Some(number.clone())
        }
        Value::Boolean(flag) if attribute.kind == "boolean" => Some(flag.to_string()),
        Value::List(values) if values.is_empty() && attribute.kind.starts_with('[') => {
            Some("[]".to_owned())
        }
        _ => None,
    };
    match written {
        Some(written) => attribute.clause(format!("default = {written}")),
        None => attribute.remark(
            "Its default is no constant that a model can say: give the value when you write.",
        ),
    }
}

/// Adds a regular expression such as `/^[a-z]+$/`, if a model can say it: the whole text matches.
pub(crate) fn add_pattern(attribute: Attribute, pattern: &str) -> Attribute {
    let body = pattern
        .strip_prefix('/')
        .and_then(|rest| rest.rsplit_once('/'))
        .filter(|(_, flags)| flags.is_empty())
        .map(|(body, _)| body);
    let anchored = body
        .and_then(|body| body.strip_prefix('^'))
        .and_then(|body| body.strip_suffix('$'))
        .filter(|body| !body.contains("(?") && !body.contains('|'))
        .filter(|body| !(b'1'..=b'9').any(|digit| body.contains(&format!("\\{}", digit as char))));
    match anchored {
        Some(body) if attribute.kind == "text" => {
            attribute.clause(format!("matches = /{}/", body.replace("\\/", "/").replace('/', "\\/")))
        }
        _ => attribute.remark(format!(
            "The check {pattern} is not said here: `matches = /re/` holds a whole text against an expression without flags."
        )),
    }
}
