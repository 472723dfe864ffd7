//! The probes of a request.

use crate::complaint::{Complaint, ENUM_RULE, NULL_RULE, about, is_named, rules_at};
use crate::description::{Kind, Shape};
use crate::difference::Difference;
use crate::place::Place;
use crate::sample;
use monotable_api::{OperationName, Request};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Everything that differs at a place of a request, and below it.
pub(crate) fn differences(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let mut found = BTreeSet::new();
    for below in place.below() {
        found.extend(at(operation, &below));
    }
    found
}

fn at(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    match presence(operation, place) {
        Presence::Missing => report(place, "is missing and ignored"),
        Presence::Refused => report(place, "is refused"),
        Presence::Lost => report(place, "does not come back as it was given"),
        Presence::There if place.is_attribute_value() => attribute_values(operation, place),
        Presence::There => {
            let mut found = differences(operation, place);
            found.extend(types(operation, place));
            found.extend(required(operation, place));
            if let Some(shape) = place.shape() {
                found.extend(words(operation, place, shape));
                found.extend(limits(operation, place, shape));
                found.extend(pattern(operation, place, shape));
            }
            found
        }
    }
}

fn report(place: &Place<'_>, what: impl Into<String>) -> BTreeSet<Difference> {
    BTreeSet::from([Difference::new(place.name(), what)])
}

/// What becomes of a member that is given.
enum Presence {
    There,
    /// As if it had not been given.
    Missing,
    /// Its content is not kept, and the request is refused with a message that names it.
    Refused,
    /// Something else came back.
    Lost,
}

fn presence(operation: OperationName, place: &Place<'_>) -> Presence {
    let value = sample::minimal(place.description(), place.shape_name());
    let given = place.with(value.clone());
    let back = round_trip(operation, &given);
    match back.as_ref().and_then(|back| place.find(back)) {
        Some(back) if *back == value && !is_refused(operation, place, &given) => Presence::There,
        Some(_) if is_refused(operation, place, &given) => Presence::Refused,
        Some(_) => Presence::Lost,
        None if back.is_some() => Presence::Missing,
        None => Presence::Lost,
    }
}

/// Whether the request is refused for the member, with a message that names it.
fn is_refused(operation: OperationName, place: &Place<'_>, given: &Value) -> bool {
    // What a refused parameter said is not kept: whatever it is given, an object comes out.
    let odd = round_trip(operation, &place.with(json!([17])));
    let dropped = odd.is_some_and(|odd| place.find(&odd) == Some(&json!({})));
    let complaints = about(operation, given);
    dropped
        && place
            .member()
            .is_some_and(|member| is_named(&complaints, member))
}

fn round_trip(operation: OperationName, given: &Value) -> Option<Value> {
    let request = Request::decode(operation, given.to_string().as_bytes()).ok()?;
    serde_json::from_slice(&request.encode().ok()?).ok()
}

fn attribute_values(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let values = sample::attribute_values();
    let lost = values.into_iter().filter(|value| {
        let back = round_trip(operation, &place.with(value.clone()));
        back.as_ref().and_then(|back| place.find(back)) != Some(value)
    });
    lost.map(|value| Difference::new(place.name(), format!("does not carry {value}")))
        .collect()
}

fn types(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let kinds = place.kind().into_iter();
    let accepted = kinds.flat_map(sample::of_other_types).filter(|value| {
        let request = place.with(value.clone()).to_string();
        Request::decode(operation, request.as_bytes()).is_ok()
    });
    accepted
        .map(|value| {
            Difference::new(
                place.name(),
                format!("accepts {value}, which is of another type"),
            )
        })
        .collect()
}

fn required(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let Some(member) = place.member().filter(|_| place.is_member()) else {
        return BTreeSet::new();
    };
    let without = about(operation, &place.without());
    let missed = rules_at(&without, &place.path()).any(|rule| rule == NULL_RULE)
        || is_named(&without, &format!("The parameter '{member}' is required"));
    match (is_required(place, member), missed) {
        (true, false) if is_missed_in_other_words(operation, place, &without) => BTreeSet::new(),
        (true, false) => report(place, "is required, and not missed when absent"),
        (false, true) => report(place, "is not required, and missed when absent"),
        (true, true) | (false, false) => BTreeSet::new(),
    }
}

/// Whether the request is refused for the lack of the member alone. AWS has words of its own for some members.
fn is_missed_in_other_words(
    operation: OperationName,
    place: &Place<'_>,
    without: &BTreeSet<Complaint>,
) -> bool {
    let value = sample::minimal(place.description(), place.shape_name());
    !without.is_subset(&about(operation, &place.with(value)))
}

fn is_required(place: &Place<'_>, member: &str) -> bool {
    let structure = place.structure();
    structure.is_some_and(|shape| shape.required.iter().any(|name| name == member))
}

/// The list of words is in the message that refuses another one. Where AWS has words of its own for
/// that, it is enough that the message is another than for a word on the list.
fn words(operation: OperationName, place: &Place<'_>, shape: &Shape) -> BTreeSet<Difference> {
    if shape.words.is_empty() {
        return BTreeSet::new();
    }
    let unknown = about(operation, &place.with(json!(sample::UNKNOWN_WORD)));
    let listed = rules_at(&unknown, &place.path()).find_map(|rule| rule.strip_prefix(ENUM_RULE));
    if let Some(listed) = listed {
        let ours = listed.trim_end_matches(']').split(", ");
        return word_differences(place, &shape.words, ours.map(str::to_owned).collect());
    }
    let told_apart = shape
        .words
        .iter()
        .all(|word| about(operation, &place.with(json!(word))) != unknown);
    if told_apart {
        BTreeSet::new()
    } else {
        report(place, "takes any word")
    }
}

pub(crate) fn word_differences(
    place: &Place<'_>,
    theirs: &[String],
    ours: BTreeSet<String>,
) -> BTreeSet<Difference> {
    let theirs: BTreeSet<String> = theirs.iter().cloned().collect();
    let lacking = theirs.difference(&ours);
    let lacking = lacking.map(|word| format!("lacks the word {word}"));
    let surplus = ours.difference(&theirs);
    let surplus = surplus.map(|word| format!("has the word {word}, which AWS lacks"));
    lacking
        .chain(surplus)
        .map(|what| Difference::new(place.name(), what))
        .collect()
}

/// A size just inside must pass where one just outside does not.
fn limits(operation: OperationName, place: &Place<'_>, shape: &Shape) -> BTreeSet<Difference> {
    let lower = shape.min.map(|min| ("min", min, min - 1));
    let upper = shape.max.map(|max| ("max", max, max + 1));
    let mut found = BTreeSet::new();
    for (which, inside, outside) in lower.into_iter().chain(upper) {
        let of_size = |size| place.with(sample::sized(place.description(), shape, size));
        // No text of this length fits the pattern: the limit cannot be told apart from it.
        if !sample::can_fit(shape, inside) {
            continue;
        }
        let inside_complaints = about(operation, &of_size(inside));
        if rules_at(&inside_complaints, &place.path()).any(|rule| rule != NULL_RULE) {
            let what = format!("has {which} {inside}, and refuses it");
            found.extend(report(place, what));
        }
        let is_enforced = !has_size(shape.kind, outside)
            || !about(operation, &of_size(outside)).is_subset(&inside_complaints);
        if !is_enforced {
            let what = format!("has {which} {inside}, and allows {outside}");
            found.extend(report(place, what));
        }
    }
    found
}

/// Numbers may be negative, lengths may not.
fn has_size(kind: Kind, size: i64) -> bool {
    matches!(kind, Kind::Integer | Kind::Long) || size >= 0
}

fn pattern(operation: OperationName, place: &Place<'_>, shape: &Shape) -> BTreeSet<Difference> {
    let Some(pattern) = &shape.pattern else {
        return BTreeSet::new();
    };
    let fitting = sample::minimal(place.description(), place.shape_name());
    let fitting = about(operation, &place.with(fitting));
    let text = sample::unfitting(shape);
    let unfitting = about(operation, &place.with(json!(text)));
    if unfitting.is_subset(&fitting) {
        report(place, format!("has pattern {pattern}, and allows '{text}'"))
    } else {
        BTreeSet::new()
    }
}
