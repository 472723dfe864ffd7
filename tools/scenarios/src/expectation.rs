//! What a script expects of an answer.

use crate::variables::Variables;
use serde_json::Value;

/// What came of a statement.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A value: a row, a number, a list.
    Value(Value),
    /// A page: rows, followed, dangling, cursor.
    Page(Value),
    /// An error: its kind and its words.
    Error { kind: String, message: String },
}

impl Answer {
    /// What `-> name` keeps.
    pub(crate) fn kept(&self) -> Value {
        match self {
            Self::Value(value) | Self::Page(value) => value.clone(),
            Self::Error { kind, message } => Value::String(format!("{kind} {message}")),
        }
    }

    /// The rows of a page, or the value itself.
    fn main(&self) -> Value {
        match self {
            Self::Page(page) => page.get("rows").cloned().unwrap_or(Value::Null),
            other => other.kept(),
        }
    }
}

/// Compares an answer with everything that is expected of it; the first difference is the answer.
pub(crate) fn check(
    answer: &Answer,
    expected: &[String],
    variables: &Variables,
) -> Result<(), String> {
    let wants_error = expected.iter().any(|line| line.starts_with("! "));
    if let (Answer::Error { kind, message }, false) = (answer, wants_error) {
        return Err(format!("failed: {kind}: {message}"));
    }
    for line in expected {
        one(answer, line, variables).map_err(|problem| format!("{line}\n      {problem}"))?;
    }
    Ok(())
}

fn one(answer: &Answer, line: &str, variables: &Variables) -> Result<(), String> {
    let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
    let part = |name: &str| answer.kept().get(name).cloned().unwrap_or(Value::Null);
    match mark {
        "!" => error(answer, &variables.text(rest)?),
        "=" => compare(&answer.main(), &json(rest, variables)?, subset),
        "==" => compare(&answer.main(), &json(rest, variables)?, |found, wanted| {
            found == wanted
        }),
        "~" => unordered(&answer.main(), &json(rest, variables)?),
        "#" => count(&answer.main(), rest),
        "contains" => contains(&answer.main(), &json(rest, variables)?),
        "followed" => match rest.split_once(' ') {
            Some(("=", rest)) => compare(&part("followed"), &json(rest, variables)?, subset),
            Some(("~", rest)) => unordered(&part("followed"), &json(rest, variables)?),
            _ => Err("`followed = [..]` or `followed ~ [..]`".to_owned()),
        },
        "dangling" => {
            let rest = rest.strip_prefix("= ").unwrap_or(rest);
            compare(&part("dangling"), &json(rest, variables)?, subset)
        }
        "more" => {
            if part("cursor").is_null() {
                Err("there is no further page".to_owned())
            } else {
                Ok(())
            }
        }
        "end" => {
            if part("cursor").is_null() {
                Ok(())
            } else {
                Err("there is a further page".to_owned())
            }
        }
        _ => Err("no such expectation".to_owned()),
    }
}

fn json(text: &str, variables: &Variables) -> Result<Value, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("{error} in {text}"))?;
    variables.filled(&value)
}

fn error(answer: &Answer, wanted: &str) -> Result<(), String> {
    let Answer::Error { kind, message } = answer else {
        return Err(format!("no error, but {}", answer.kept()));
    };
    let (wanted_kind, words) = wanted.split_once(' ').unwrap_or((wanted, ""));
    if kind == wanted_kind && message.contains(words) {
        Ok(())
    } else {
        Err(format!("another error: {kind}: {message}"))
    }
}

fn compare(
    found: &Value,
    wanted: &Value,
    same: impl Fn(&Value, &Value) -> bool,
) -> Result<(), String> {
    if same(found, wanted) {
        Ok(())
    } else {
        Err(format!("found {found}"))
    }
}

/// Whether everything that is wanted is found: objects may have more, lists are element by element. Null is absent.
fn subset(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => wanted.iter().all(|(name, wanted)| {
            let found = found.get(name).unwrap_or(&Value::Null);
            subset(found, wanted)
        }),
        (Value::Array(found), Value::Array(wanted)) => {
            found.len() == wanted.len()
                && found
                    .iter()
                    .zip(wanted)
                    .all(|(found, wanted)| subset(found, wanted))
        }
        (Value::String(found), Value::String(wanted))
            if wanted.starts_with('/') && wanted.ends_with('/') && wanted.len() > 1 =>
        {
            let inside = wanted.trim_matches('/');
            found.contains(inside)
        }
        (found, wanted) => found == wanted,
    }
}

fn unordered(found: &Value, wanted: &Value) -> Result<(), String> {
    let (Value::Array(all), Value::Array(wanted)) = (found, wanted) else {
        return Err(format!("lists are compared so, not {found}"));
    };
    let mut left = all.clone();
    for wanted in wanted {
        let at = left.iter().position(|found| subset(found, wanted));
        match at {
            Some(at) => {
                left.remove(at);
            }
            None => return Err(format!("{wanted} is not among {found}")),
        }
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(format!("there is more: {}", Value::Array(left)))
    }
}

fn contains(found: &Value, wanted: &Value) -> Result<(), String> {
    let Value::Array(all) = found else {
        return Err(format!("a list contains, not {found}"));
    };
    if all.iter().any(|found| subset(found, wanted)) {
        Ok(())
    } else {
        Err(format!("not among {found}"))
    }
}

/// `# 5`, `# <= 100`, `# >= 3`.
fn count(found: &Value, rest: &str) -> Result<(), String> {
    let found = match found {
        Value::Array(values) => values.len() as i64,
        Value::Number(number) => number.as_i64().unwrap_or(-1),
        other => return Err(format!("nothing to count: {other}")),
    };
    let (holds, number) = if let Some(most) = rest.strip_prefix("<=") {
        (i64::le as fn(&i64, &i64) -> bool, most)
    } else if let Some(least) = rest.strip_prefix(">=") {
        (i64::ge as fn(&i64, &i64) -> bool, least)
    } else {
        (i64::eq as fn(&i64, &i64) -> bool, rest)
    };
    let wanted: i64 = number
        .trim()
        .parse()
        .map_err(|_| format!("{rest} is no number"))?;
    if holds(&found, &wanted) {
        Ok(())
    } else {
        Err(format!("there are {found}"))
    }
}
