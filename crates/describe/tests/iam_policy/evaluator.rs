//! What IAM decides: a small evaluator of policies, for what the generated ones use.
//!
//! Whatever it does not know is a panic and not a guess.

use serde_json::Value;

const LEADING_KEYS: &str = "dynamodb:LeadingKeys";
const SUB: &str = "cognito-identity.amazonaws.com:sub";

/// What a caller asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'r> {
    /// The caller's identity.
    pub(crate) sub: &'r str,
    pub(crate) action: &'r str,
    pub(crate) resource: &'r str,
    /// The partition keys that it names.
    pub(crate) keys: &'r [&'r str],
}

/// Allowed is what a statement allows and none denies.
pub(crate) fn is_allowed(policy: &str, request: Request<'_>) -> bool {
    let policy: Value = serde_json::from_str(policy).unwrap();
    assert_eq!(policy["Version"], "2012-10-17", "variables need it");
    let statements = policy["Statement"].as_array().unwrap();
    let has = |effect: &str| {
        let mut of_effect = statements.iter().filter(|found| found["Effect"] == effect);
        of_effect.any(|statement| applies(statement, request))
    };
    !has("Deny") && has("Allow")
}

fn applies(statement: &Value, request: Request<'_>) -> bool {
    let known = ["Action", "Condition", "Effect", "Resource"];
    let members = statement.as_object().unwrap();
    for name in members.keys() {
        assert!(known.contains(&name.as_str()), "unknown member {name}");
    }
    let action = request.action.to_lowercase();
    let is_action = |pattern: &str| is_like(pattern, &action, request.sub);
    let is_resource = |pattern: &str| is_like(pattern, request.resource, request.sub);
    texts(&statement["Action"])
        .iter()
        .any(|pattern| is_action(&pattern.to_lowercase()))
        && texts(&statement["Resource"])
            .iter()
            .any(|pattern| is_resource(pattern))
        && conditions(&statement["Condition"]).all(|(operator, key, values)| {
            assert_eq!(key, LEADING_KEYS);
            holds(operator, &values, request)
        })
}

fn conditions(condition: &Value) -> impl Iterator<Item = (&str, &str, Vec<&str>)> {
    let operators = condition.as_object().into_iter().flatten();
    operators.flat_map(|(operator, keys)| {
        let keys = keys.as_object().unwrap().iter();
        keys.map(|(key, values)| (operator.as_str(), key.as_str(), texts(values)))
    })
}

fn holds(operator: &str, values: &[&str], request: Request<'_>) -> bool {
    let all = |matches: &dyn Fn(&str, &str) -> bool| {
        let mut keys = request.keys.iter();
        // True of no keys at all, as IAM says of this operator.
        keys.all(|key| values.iter().any(|value| matches(value, key)))
    };
    match operator {
        "ForAllValues:StringLike" => all(&|value, key| is_like(value, key, request.sub)),
        "ForAllValues:StringEquals" => all(&|value, key| is_equal(value, key, request.sub)),
        "Null" => match values {
            ["true"] => request.keys.is_empty(),
            ["false"] => !request.keys.is_empty(),
            other => panic!("Null is true or false, not {other:?}"),
        },
        other => panic!("unknown operator {other}"),
    }
}

/// One text, or a list of them.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().map(|text| text.as_str().unwrap()).collect(),
        other => panic!("no text: {other}"),
    }
}

/// A piece of a pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
}

/// The pattern with the caller in it. What a variable stands for is text, also if it looks like a wildcard.
fn pieces(pattern: &str, sub: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        if let Some(inside) = rest.strip_prefix("${") {
            let (name, after) = inside.split_once('}').expect("a closed variable");
            let value = match name {
                "*" | "?" | "$" => name,
                SUB => sub,
                other => panic!("unknown variable {other}"),
            };
            pieces.extend(value.chars().map(Piece::Char));
            rest = after;
            continue;
        }
        pieces.push(match first {
            '*' => Piece::Many,
            '?' => Piece::One,
            other => Piece::Char(other),
        });
        rest = &rest[first.len_utf8()..];
    }
    pieces
}

fn is_like(pattern: &str, text: &str, sub: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    fits(&pieces(pattern, sub), &text)
}

fn fits(pieces: &[Piece], text: &[char]) -> bool {
    match (pieces, text) {
        ([], []) => true,
        ([Piece::Many, more @ ..], _) => {
            (0..=text.len()).any(|skipped| fits(more, &text[skipped..]))
        }
        ([Piece::One, more @ ..], [_, rest @ ..]) => fits(more, rest),
        ([Piece::Char(c), more @ ..], [first, rest @ ..]) => c == first && fits(more, rest),
        (_, _) => false,
    }
}

/// Here wildcards are characters like any other.
fn is_equal(pattern: &str, text: &str, sub: &str) -> bool {
    let shown = pieces(pattern, sub).into_iter().map(|piece| match piece {
        Piece::Char(c) => c,
        Piece::One => '?',
        Piece::Many => '*',
    });
    shown.eq(text.chars())
}
