//! The probes of an answer: nothing in it may be lost on its way through `api`.

use crate::difference::Difference;
use crate::input::word_differences;
use crate::place::Place;
use crate::sample;
use monotable_api::{OperationName, Response};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Everything that differs at a place of an answer, and below it.
pub(crate) fn differences(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let mut found = BTreeSet::new();
    for below in place.below() {
        found.extend(at(operation, &below));
    }
    found
}

fn at(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let values = if place.is_attribute_value() {
        sample::attribute_values()
    } else {
        vec![sample::minimal(place.description(), place.shape_name())]
    };
    for value in values {
        let back = round_trip(operation, &place.with(value.clone()));
        let what = match back.as_ref().map(|back| place.find(back)) {
            Ok(Some(back)) if same(back, &value) => continue,
            Ok(Some(back)) => format!("is {value} in an answer and becomes {back}"),
            Ok(None) => "is lost from an answer".to_owned(),
            Err(error) => format!("cannot be read in an answer: {error}"),
        };
        return BTreeSet::from([Difference::new(place.name(), what)]);
    }
    if place.is_attribute_value() {
        return BTreeSet::new();
    }
    let mut found = differences(operation, place);
    found.extend(types(operation, place));
    found.extend(words(operation, place));
    found
}

fn round_trip(operation: OperationName, given: &Value) -> Result<Value, String> {
    let answer = Response::decode(operation, given.to_string().as_bytes());
    let encoded = answer.and_then(|answer| answer.encode());
    let encoded = encoded.map_err(|error| error.message().into_owned())?;
    serde_json::from_slice(&encoded).map_err(|error| error.to_string())
}

/// `1` and `1.0` are one number.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

fn types(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let kinds = place.kind().into_iter();
    let accepted = kinds
        .flat_map(sample::of_other_types)
        .filter(|value| round_trip(operation, &place.with(value.clone())).is_ok());
    accepted
        .map(|value| {
            let what = format!("accepts {value} in an answer, which is of another type");
            Difference::new(place.name(), what)
        })
        .collect()
}

/// An answer's words are a closed list, which the error about an unknown one repeats. Where any word is
/// taken, none is lacking.
fn words(operation: OperationName, place: &Place<'_>) -> BTreeSet<Difference> {
    let words = place.shape().map_or(&[][..], |shape| &shape.words);
    if words.is_empty() {
        return BTreeSet::new();
    }
    match round_trip(operation, &place.with(json!(sample::UNKNOWN_WORD))) {
        Ok(_) => BTreeSet::new(),
        Err(message) => word_differences(place, words, quoted_after_expected(&message)),
    }
}

/// The words in "unknown variant `x`, expected one of `A`, `B`".
fn quoted_after_expected(message: &str) -> BTreeSet<String> {
    let list = message.split_once("expected").map_or("", |(_, list)| list);
    list.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}
