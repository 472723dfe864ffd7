//! The names of operators: `ForAllValues:StringNotEqualsIfExists`.

use std::cmp::Ordering;
use std::fmt;

/// An operator with all that its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OperatorName {
    pub(crate) qualifier: Option<Qualifier>,
    pub(crate) kind: OperatorKind,
    pub(crate) sense: Sense,
    pub(crate) absence: Absence,
    name: &'static str,
}

/// How the values of a request are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Qualifier {
    ForAllValues,
    ForAnyValue,
}

/// Whether a value is to match one of the policy's, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Equal,
    Different,
}

/// What is to be made of a request that does not have the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    Judged,
    /// `...IfExists`
    Accepted,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatorKind {
    Text,
    TextIgnoringCase,
    TextLike,
    Numeric(Order),
    Date(Order),
    Bool,
    Address,
    Arn,
    Null,
}

/// How a value stands to the policy's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    pub(crate) const fn includes(self, ordering: Ordering) -> bool {
        match self {
            Self::Equal => ordering.is_eq(),
            Self::Less => ordering.is_lt(),
            Self::LessOrEqual => ordering.is_le(),
            Self::Greater => ordering.is_gt(),
            Self::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

use OperatorKind::{Address, Arn, Bool, Date, Null, Numeric, Text, TextIgnoringCase, TextLike};
use Sense::{Different, Equal};

const OPERATORS: &[(&str, OperatorKind, Sense)] = &[
    ("StringEquals", Text, Equal),
    ("StringNotEquals", Text, Different),
    ("StringEqualsIgnoreCase", TextIgnoringCase, Equal),
    ("StringNotEqualsIgnoreCase", TextIgnoringCase, Different),
    ("StringLike", TextLike, Equal),
    ("StringNotLike", TextLike, Different),
    ("NumericEquals", Numeric(Order::Equal), Equal),
    ("NumericNotEquals", Numeric(Order::Equal), Different),
    ("NumericLessThan", Numeric(Order::Less), Equal),
    ("NumericLessThanEquals", Numeric(Order::LessOrEqual), Equal),
    ("NumericGreaterThan", Numeric(Order::Greater), Equal),
    (
        "NumericGreaterThanEquals",
        Numeric(Order::GreaterOrEqual),
        Equal,
    ),
    ("DateEquals", Date(Order::Equal), Equal),
    ("DateNotEquals", Date(Order::Equal), Different),
    ("DateLessThan", Date(Order::Less), Equal),
    ("DateLessThanEquals", Date(Order::LessOrEqual), Equal),
    ("DateGreaterThan", Date(Order::Greater), Equal),
    ("DateGreaterThanEquals", Date(Order::GreaterOrEqual), Equal),
    ("Bool", Bool, Equal),
    ("IpAddress", Address, Equal),
    ("NotIpAddress", Address, Different),
    ("ArnEquals", Arn, Equal),
    ("ArnLike", Arn, Equal),
    ("ArnNotEquals", Arn, Different),
    ("ArnNotLike", Arn, Different),
    ("Null", Null, Equal),
];

impl OperatorName {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let (qualifier, name) = match name.split_once(':') {
            Some(("ForAllValues", name)) => (Some(Qualifier::ForAllValues), name),
            Some(("ForAnyValue", name)) => (Some(Qualifier::ForAnyValue), name),
            Some(_) => return None,
            None => (None, name),
        };
        let (absence, name) = match name.strip_suffix("IfExists") {
            Some(name) => (Absence::Accepted, name),
            None => (Absence::Judged, name),
        };
        let (name, kind, sense) = *OPERATORS.iter().find(|(known, ..)| *known == name)?;
        if kind == Null && (qualifier.is_some() || absence == Absence::Accepted) {
            return None;
        }
        Some(Self {
            qualifier,
            kind,
            sense,
            absence,
            name,
        })
    }

    pub(crate) fn is_null(&self) -> bool {
        self.kind == Null
    }

    /// Whether it holds of a request that does not have the key.
    pub(crate) const fn holds_of_nothing(&self) -> bool {
        match (self.absence, self.qualifier, self.sense) {
            (Absence::Accepted, ..) | (_, Some(Qualifier::ForAllValues), _) => true,
            (_, Some(Qualifier::ForAnyValue), _) => false,
            (_, None, Different) => true,
            (_, None, Equal) => false,
        }
    }
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.qualifier {
            Some(Qualifier::ForAllValues) => f.write_str("ForAllValues:")?,
            Some(Qualifier::ForAnyValue) => f.write_str("ForAnyValue:")?,
            None => {}
        }
        f.write_str(self.name)?;
        match self.absence {
            Absence::Accepted => f.write_str("IfExists"),
            Absence::Judged => Ok(()),
        }
    }
}
