//! Rules of a model, read and decided anew: nothing of the store's or of `expr`'s evaluation is used.
//!
//! Three values, after Kleene: what a path leads to may be absent, which is known, or unknown, which never allows.

use super::rule_text;
use serde_json::Value;
use std::cmp::Ordering;

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    False,
    Unknown,
}

impl Truth {
    const fn from_bool(flag: bool) -> Self {
        if flag { Self::True } else { Self::False }
    }

    const fn negate(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }

    fn and(self, other: Self) -> Self {
        if self == Self::False || other == Self::False {
            return Self::False;
        }
        if self == Self::True && other == Self::True {
            return Self::True;
        }
        Self::Unknown
    }

    fn or(self, other: Self) -> Self {
        self.negate().and(other.negate()).negate()
    }
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Finding {
    Value(Value),
    Absent,
    Unknown,
}

impl From<Option<&Value>> for Finding {
    fn from(value: Option<&Value>) -> Self {
        value.map_or(Self::Absent, |value| Self::Value(value.clone()))
    }
}

/// One side of a comparison.
#[derive(Debug)]
pub(crate) enum Operand {
    Literal(Value),
    Path(Vec<String>),
    Size(Vec<String>),
}

/// A rule as a tree.
#[derive(Debug)]
pub(crate) enum Rule {
    All(Vec<Rule>),
    Any(Vec<Rule>),
    Not(Box<Rule>),
    Compare(String, Box<(Operand, Operand)>),
    Exists(Operand),
    BeginsWith(Box<(Operand, Operand)>),
    Contains(Box<(Operand, Operand)>),
}

impl Rule {
    /// Reads the text of a rule.
    pub(crate) fn parse(text: &str) -> Self {
        rule_text::read(text)
    }

    /// Decides it.
    pub(crate) fn decide(&self, find: &dyn Fn(&[String]) -> Finding) -> Truth {
        match self {
            Self::All(parts) => parts
                .iter()
                .fold(Truth::True, |truth, part| truth.and(part.decide(find))),
            Self::Any(parts) => parts
                .iter()
                .fold(Truth::False, |truth, part| truth.or(part.decide(find))),
            Self::Not(inner) => inner.decide(find).negate(),
            Self::Exists(operand) => match operand.find(find) {
                Finding::Unknown => Truth::Unknown,
                Finding::Absent => Truth::False,
                Finding::Value(_) => Truth::True,
            },
            Self::Compare(operator, sides) => {
                decide_pair(sides, find, |left, right| compare(operator, left, right))
            }
            Self::BeginsWith(sides) => {
                decide_pair(sides, find, |left, right| match (left, right) {
                    (Some(Value::String(text)), Some(Value::String(start))) => {
                        text.starts_with(start)
                    }
                    _ => false,
                })
            }
            Self::Contains(sides) => decide_pair(sides, find, |left, right| match (left, right) {
                (Some(Value::Array(values)), Some(value)) => values.contains(value),
                (Some(Value::String(text)), Some(Value::String(part))) => text.contains(part),
                _ => false,
            }),
        }
    }
}

fn decide_pair(
    sides: &(Operand, Operand),
    find: &dyn Fn(&[String]) -> Finding,
    holds: impl Fn(Option<&Value>, Option<&Value>) -> bool,
) -> Truth {
    let (left, right) = (sides.0.find(find), sides.1.find(find));
    if left == Finding::Unknown || right == Finding::Unknown {
        return Truth::Unknown;
    }
    let value = |finding| match finding {
        Finding::Value(value) => Some(value),
        Finding::Absent | Finding::Unknown => None,
    };
    let (left, right) = (value(left), value(right));
    Truth::from_bool(holds(left.as_ref(), right.as_ref()))
}

/// As DynamoDB compares: an absent value equals nothing, and differs from everything.
fn compare(operator: &str, left: Option<&Value>, right: Option<&Value>) -> bool {
    let equal = left.is_some() && left == right;
    let order = match (left, right) {
        (Some(Value::String(left)), Some(Value::String(right))) => Some(left.cmp(right)),
        (Some(Value::Number(left)), Some(Value::Number(right))) => {
            left.as_f64().partial_cmp(&right.as_f64())
        }
        _ => None,
    };
    match operator {
        "=" => equal,
        "<>" => !equal,
        "<" => order == Some(Ordering::Less),
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ">" => order == Some(Ordering::Greater),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        other => panic!("`{other}` is no comparison"),
    }
}

impl Operand {
    fn find(&self, find: &dyn Fn(&[String]) -> Finding) -> Finding {
        match self {
            Self::Literal(value) => Finding::Value(value.clone()),
            Self::Path(path) => find(path),
            Self::Size(path) => match find(path) {
                Finding::Value(Value::String(text)) => Finding::Value(text.len().into()),
                Finding::Value(Value::Array(values)) => Finding::Value(values.len().into()),
                Finding::Value(Value::Object(values)) => Finding::Value(values.len().into()),
                Finding::Unknown => Finding::Unknown,
                Finding::Value(_) | Finding::Absent => Finding::Absent,
            },
        }
    }
}

#[test]
fn unknown_never_becomes_true_below_not() {
    let find = |path: &[String]| match path[0].as_str() {
        "gone" => Finding::Absent,
        "far" => Finding::Unknown,
        _ => Finding::Value(3.into()),
    };
    for (text, wanted) in [
        ("a = 3 AND NOT gone = 1", Truth::True),
        ("NOT far = 1", Truth::Unknown),
        ("far = 1 OR a > 2", Truth::True),
        ("far = 1 AND a > 3", Truth::False),
        (
            "gone <> 1 AND a IN (1, 3) AND a BETWEEN 3 AND 4",
            Truth::True,
        ),
        (
            "attribute_not_exists(gone) AND size(gone) > 0",
            Truth::False,
        ),
    ] {
        assert_eq!(Rule::parse(text).decide(&find), wanted, "{text}");
    }
}
