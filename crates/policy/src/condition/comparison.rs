//! Comparing a value of a request with one of a policy.

use super::network::Network;
use super::operator::{OperatorKind, OperatorName, Order};
use crate::error::PolicyError;
use crate::json::Place;
use crate::key::{ConditionKey, Context};
use crate::pattern::{self, Case, Pattern};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use monotable_item::Number;
use std::net::IpAddr;

/// A value of a policy, read as its operator compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Comparand {
    Text(Pattern, Case),
    Arn(Pattern),
    Number(Number, Order),
    /// Seconds since 1970.
    Time(i64, Order),
    Bool(bool),
    Network(Network),
}

impl Comparand {
    pub(super) fn parse(operator: OperatorName, place: &Place<'_>) -> Result<Self, PolicyError> {
        let text = place.scalar()?;
        let wrong = |wanted: &str| place.refuse(format!("{text:?} is no {wanted}"));
        Ok(match operator.kind {
            OperatorKind::Text => Self::Text(Pattern::parse_literal(place, &text)?, Case::Matters),
            OperatorKind::TextIgnoringCase => {
                Self::Text(Pattern::parse_literal(place, &text)?, Case::Ignored)
            }
            OperatorKind::TextLike => Self::Text(Pattern::parse(place, &text)?, Case::Matters),
            OperatorKind::Arn => Self::Arn(pattern::parse_arn(place, &text)?),
            OperatorKind::Numeric(order) => {
                Self::Number(text.parse().map_err(|_| wrong("number"))?, order)
            }
            OperatorKind::Date(order) => Self::Time(
                parse_time(&text).ok_or_else(|| wrong("time like 2026-12-31T23:59:59Z"))?,
                order,
            ),
            OperatorKind::Bool | OperatorKind::Null => {
                Self::Bool(parse_bool(&text).ok_or_else(|| wrong("boolean"))?)
            }
            OperatorKind::Address => Self::Network(
                Network::parse(&text).ok_or_else(|| wrong("address or network like 10.0.0.0/8"))?,
            ),
        })
    }

    pub(super) fn variables(&self) -> Box<dyn Iterator<Item = &ConditionKey> + '_> {
        match self {
            Self::Text(pattern, _) | Self::Arn(pattern) => Box::new(pattern.variables()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Whether a value of a request matches. One of another type does not.
    pub(super) fn matches(&self, given: &str, context: &Context<'_>) -> bool {
        match self {
            Self::Text(pattern, case) => pattern.matches(given, *case, context),
            Self::Arn(pattern) => pattern::matches_arn(pattern, given, context),
            Self::Number(wanted, order) => given
                .parse::<Number>()
                .is_ok_and(|given| order.includes(given.cmp(wanted))),
            Self::Time(wanted, order) => {
                parse_time(given).is_some_and(|given| order.includes(given.cmp(wanted)))
            }
            Self::Bool(wanted) => parse_bool(given) == Some(*wanted),
            Self::Network(network) => given
                .parse::<IpAddr>()
                .is_ok_and(|given| network.contains(given)),
        }
    }
}

fn parse_bool(text: &str) -> Option<bool> {
    if text.eq_ignore_ascii_case("true") {
        Some(true)
    } else {
        text.eq_ignore_ascii_case("false").then_some(false)
    }
}

/// A time as IAM takes it: with date and zone, as a date, or in seconds since 1970.
fn parse_time(text: &str) -> Option<i64> {
    if let Ok(seconds) = text.parse() {
        return Some(seconds);
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_second());
    }
    let midnight = text.parse::<Date>().ok().map(|date| date.at(0, 0, 0, 0));
    let time = midnight.or_else(|| text.parse::<DateTime>().ok())?;
    let time = time.to_zoned(TimeZone::UTC).ok()?;
    Some(time.timestamp().as_second())
}
