//! IAM as its documentation has it, written down as plainly as possible.
//!
//! - <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html>
//! - <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html>
//! - <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html>

use crate::judge::{CONTEXT, NOW, SOURCE};
use crate::table::Outcome;
use serde_json::Value;
use std::collections::BTreeMap;

/// An action on a resource, with the keys of its context, in lower case. A key that is not there has no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) action: String,
    pub(crate) resource: String,
    pub(crate) keys: BTreeMap<String, Vec<String>>,
}

pub(crate) fn outcome(policy: &str, facts: &[Facts]) -> Outcome {
    let policy: Value = serde_json::from_str(policy).unwrap();
    for fact in facts {
        let applies = |effect: &str| {
            let mut statements = list(&policy["Statement"]).into_iter();
            statements.any(|statement| statement["Effect"] == effect && matches(statement, fact))
        };
        if applies("Deny") {
            return Outcome::Denied;
        }
        if !applies("Allow") {
            return Outcome::NotAllowed;
        }
    }
    Outcome::Allowed
}

fn list(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(values) => values.iter().collect(),
        Value::Null => vec![],
        one => vec![one],
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn matches(statement: &Value, facts: &Facts) -> bool {
    let action = format!("dynamodb:{}", facts.action).to_lowercase();
    let is_action = |wanted: &&Value| glob(&text(wanted).to_lowercase(), &action);
    let is_resource =
        |wanted: &&Value| is_arn_like(&substitute(&text(wanted), facts), &facts.resource);
    let of = |member: &str, negated: &str, is: &dyn Fn(&&Value) -> bool| {
        if statement[negated].is_null() {
            list(&statement[member]).iter().any(is)
        } else {
            !list(&statement[negated]).iter().any(is)
        }
    };
    if !of("Action", "NotAction", &is_action) || !of("Resource", "NotResource", &is_resource) {
        return false;
    }
    let no_conditions = serde_json::Map::new();
    let operators = statement["Condition"].as_object().unwrap_or(&no_conditions);
    operators.iter().all(|(operator, keys)| {
        let mut keys = keys.as_object().unwrap().iter();
        keys.all(|(key, values)| holds(operator, key, &list(values), facts))
    })
}

fn values_of(key: &str, facts: &Facts) -> Vec<String> {
    let key = key.to_lowercase();
    if let Some(values) = facts.keys.get(&key) {
        return values.clone();
    }
    let own = CONTEXT.iter().find(|(name, _)| name.to_lowercase() == key);
    if let Some((_, value)) = own {
        return vec![(*value).to_owned()];
    }
    let fixed = match key.as_str() {
        "aws:username" | "aws:userid" => "ada",
        "aws:principalarn" => "arn:aws:iam::000000000000:user/ada",
        "aws:principalaccount" => "000000000000",
        "aws:sourceip" => SOURCE,
        "aws:currenttime" => "2026-11-17T12:00:00Z",
        "aws:epochtime" => return vec![NOW.to_string()],
        "aws:securetransport" => "false",
        "aws:requestedregion" => return vec![facts.resource.split(':').nth(3).unwrap().to_owned()],
        _ => return vec![],
    };
    vec![fixed.to_owned()]
}

fn holds(operator: &str, key: &str, wanted: &[&Value], facts: &Facts) -> bool {
    let given = values_of(key, facts);
    let (set, operator) = operator.split_once(':').unwrap_or(("", operator));
    if operator == "Null" {
        return wanted
            .iter()
            .any(|wanted| (text(wanted) == "true") == given.is_empty());
    }
    let (operator, if_exists) = match operator.strip_suffix("IfExists") {
        Some(operator) => (operator, true),
        None => (operator, false),
    };
    let plain = operator.replace("Not", "");
    let is_negated = plain != operator;
    if given.is_empty() {
        return if_exists || set == "ForAllValues" || (set.is_empty() && is_negated);
    }
    let one = |value: &String| {
        let found = wanted
            .iter()
            .any(|wanted| compare(&plain, &text(wanted), value, facts));
        found != is_negated
    };
    if set == "ForAnyValue" {
        given.iter().any(one)
    } else {
        given.iter().all(one)
    }
}

fn compare(operator: &str, wanted: &str, given: &str, facts: &Facts) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let seconds = |text: &str| match text {
        "2026-11-17" | "2026-11-17T00:00:00Z" => Some(NOW as f64 - 12.0 * 3600.0),
        "2026-11-17T12:00:00Z" => Some(NOW as f64),
        other => number(other),
    };
    let order = |left: Option<f64>, right: Option<f64>, operator: &str| {
        let (Some(left), Some(right)) = (left, right) else {
            return false;
        };
        match operator {
            "Equals" => left == right,
            "LessThan" => left < right,
            "LessThanEquals" => left <= right,
            "GreaterThan" => left > right,
            "GreaterThanEquals" => left >= right,
            other => panic!("{other}"),
        }
    };
    match operator {
        "StringEquals" => literally(&substitute(wanted, facts)) == given,
        "StringEqualsIgnoreCase" => {
            literally(&substitute(wanted, facts)).to_lowercase() == given.to_lowercase()
        }
        "StringLike" => glob(&substitute(wanted, facts), given),
        "ArnLike" | "ArnEquals" => is_arn_like(&substitute(wanted, facts), given),
        "Bool" => wanted.to_lowercase() == given.to_lowercase(),
        "IpAddress" => in_network(wanted, given),
        other => match (other.strip_prefix("Numeric"), other.strip_prefix("Date")) {
            (Some(rest), _) => order(number(given), number(wanted), rest),
            (_, Some(rest)) => order(seconds(given), seconds(wanted), rest),
            _ => panic!("{other}"),
        },
    }
}

/// Variables of this test have one value each, without wildcards. Escaped characters become others that stand for them.
fn substitute(pattern: &str, facts: &Facts) -> String {
    let mut done = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after.split_once('}').unwrap();
        let (name, default) = match name.split_once(", ") {
            Some((name, default)) => (name, Some(default.trim_matches('\'').to_owned())),
            None => (name, None),
        };
        let value = match name {
            "*" => "\u{1}".to_owned(),
            "?" => "\u{2}".to_owned(),
            "$" => "$".to_owned(),
            name => values_of(name, facts).pop().or(default).unwrap(),
        };
        done.push_str(before);
        done.push_str(&value);
        rest = after;
    }
    done + rest
}

fn literally(text: &str) -> String {
    text.replace('\u{1}', "*").replace('\u{2}', "?")
}

/// By its definition: a `*` is nothing, or one character and a `*`.
fn glob(pattern: &str, text: &str) -> bool {
    let (mut patterns, mut texts) = (pattern.chars(), text.chars());
    match (patterns.next(), texts.next()) {
        (None, None) => true,
        (Some('*'), None) => glob(patterns.as_str(), ""),
        (Some('*'), Some(_)) => glob(patterns.as_str(), text) || glob(pattern, texts.as_str()),
        (Some('?'), Some(_)) => glob(patterns.as_str(), texts.as_str()),
        (Some(wanted), Some(given)) => {
            literally(&wanted.to_string()) == given.to_string()
                && glob(patterns.as_str(), texts.as_str())
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn is_arn_like(pattern: &str, arn: &str) -> bool {
    let (patterns, parts) = (pattern.splitn(6, ':'), arn.splitn(6, ':'));
    pattern == "*"
        || patterns.count() == 6
            && pattern
                .splitn(6, ':')
                .zip(parts)
                .all(|(one, other)| glob(one, other))
}

fn in_network(network: &str, address: &str) -> bool {
    let bits = |text: &str| -> Option<String> {
        let parts: Option<Vec<u8>> = text.split('.').map(|part| part.parse().ok()).collect();
        Some(parts?.iter().map(|part| format!("{part:08b}")).collect())
    };
    let (network, length) = network.split_once('/').unwrap_or((network, "32"));
    match (bits(network), bits(address)) {
        (Some(network), Some(address)) => {
            let length: usize = length.parse().unwrap();
            network[..length] == address[..length]
        }
        _ => false,
    }
}
