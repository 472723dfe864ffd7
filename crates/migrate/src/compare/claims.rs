//! Unique values and their guards.

use super::{Found, PairComparison, is_same};
use crate::difference::{DifferenceKind, Finding, RowExample, Work};
use crate::example::{clashes, constant, example_value, fails, two_values};
use monotable_model::model::{Attribute, Claim, Guard};
use serde_json::Value;

/// Adds what differs between the unique values of two entities.
pub(super) fn compare(pair: &PairComparison<'_, '_>, found: &mut Found) {
    let (old, new) = (pair.pair.old, pair.pair.new);
    for claim in &new.claims {
        match old.claim(&claim.name.value) {
            Some(known) => compare_claim(pair, known, claim, found),
            None => compare_added(pair, claim, found),
        }
        compare_defaults(pair, claim, found);
    }
    for claim in &old.claims {
        if new.claim(&claim.name.value).is_none() {
            compare_removed(pair, claim, found);
        }
    }
}

fn subject(pair: &PairComparison<'_, '_>, claim: &Claim) -> String {
    format!("{}.unique.{}", pair.name(), claim.name.value)
}

/// The attributes that a claim shows, as both versions have them: old names and new ones. None if the old version lacks one.
fn claimed<'p>(
    pair: &'p PairComparison<'_, '_>,
    claim: &Claim,
    side: Side,
) -> Option<Vec<&'p Attribute>> {
    let model = match side {
        Side::Old => pair.whole.old,
        Side::New => pair.whole.new,
    };
    let names = claim.guard.claimed(model);
    let found = names.into_iter().map(|name| {
        let mut pairs = pair.attributes.pairs.iter();
        let known = pairs.find(|known| match side {
            Side::Old => known.old.name.value == name,
            Side::New => known.new.name.value == name,
        });
        known.map(|known| known.new)
    });
    found.collect()
}

/// The version that declares a claim.
#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

/// A row of the new version that has the values of a claim.
fn row_with_values(pair: &PairComparison<'_, '_>, attributes: &[&Attribute]) -> RowExample {
    let values: Vec<_> = attributes
        .iter()
        .map(|attribute| {
            (
                attribute.name.value.as_str(),
                example_value(&attribute.kind),
            )
        })
        .collect();
    pair.new_rows.row_with(pair.pair.new_id, &values)
}

fn compare_added(pair: &PairComparison<'_, '_>, claim: &Claim, found: &mut Found) {
    let what = format!(
        "a create of the old version with the same `{}` claims nothing, and is not refused",
        claim.name.value
    );
    let old_programs = match claimed(pair, claim, Side::New) {
        Some(attributes) => Finding::breaks(
            fails(
                row_with_values(pair, &attributes),
                "a create of the old version",
                what,
            ),
            "end programs of the old version before the switch: until every row has its guard, the new version cannot keep the value unique",
        ),
        None => Finding::works("programs of the old version do not write the value"),
    };
    found.add(
        DifferenceKind::Claim,
        subject(pair, claim),
        "a value is unique from now on",
        Finding::backfill(
            Work::Guards,
            pair.name(),
            "each row gets its guard; two rows with the same value are named, and end the run",
        ),
        old_programs,
    );
}

/// Adds a unique value that rows get by a default: any two of them get the same one.
fn compare_defaults(pair: &PairComparison<'_, '_>, claim: &Claim, found: &mut Found) {
    let names = claim.guard.claimed(pair.whole.new);
    let claimed: Vec<_> = names
        .iter()
        .filter_map(|name| pair.pair.new.attribute(name))
        .collect();
    let is_filled = |new: &&Attribute| {
        let mut known = pair.attributes.pairs.iter();
        let old = known.find(|known| known.new.name.value == new.name.value);
        new.is_always_present()
            && constant(new).is_some()
            && old.is_none_or(|known| !known.old.is_always_present())
    };
    let Some(filled) = claimed.iter().copied().find(is_filled) else {
        return;
    };
    let Some(rows) = find_two_rows(pair, &claimed, filled) else {
        return;
    };
    let name = &filled.name.value;
    let what = format!("both get the default of `{name}`, and only one of them can have it");
    let remedy = format!(
        "let `{name}` be optional, so that only rows that have it claim it, or `generated`, so that each gets its own"
    );
    let stored = if claim.when.is_some() {
        Finding::unproven(
            format!("two rows that get the default of `{name}` may both have to claim it"),
            remedy,
        )
    } else {
        Finding::breaks_rows(clashes(rows, "the backfill", what), remedy)
    };
    found.add(
        DifferenceKind::Claim,
        subject(pair, claim),
        format!("rows get the default of `{name}`, which is unique"),
        stored,
        Finding::works("programs of the old version do not write the default"),
    );
}

/// Two rows of the old version that lack an attribute and are alike in the others that are claimed; none if their keys would be the same.
fn find_two_rows(
    pair: &PairComparison<'_, '_>,
    claimed: &[&Attribute],
    filled: &Attribute,
) -> Option<(RowExample, RowExample)> {
    let mut known = pair.attributes.pairs.iter();
    let filled = known.find(|known| known.new.name.value == filled.name.value);
    let names = pair.pair.old.key_attributes();
    let free = pair.attributes.pairs.iter().filter(|known| {
        names.contains(&known.old.name.value.as_str())
            && !claimed
                .iter()
                .any(|new| new.name.value == known.new.name.value)
    });
    let mut free =
        free.filter_map(|known| Some((&known.old.name.value, two_values(&known.old.kind)?)));
    let (name, [one, two]) = free.next()?;
    let row = |value: Value| {
        let mut given = vec![(name.as_str(), value)];
        given.extend(filled.map(|known| (known.old.name.value.as_str(), Value::Null)));
        pair.old_rows.row_with(pair.pair.old_id, &given)
    };
    Some((row(one), row(two)))
}

fn compare_removed(pair: &PairComparison<'_, '_>, claim: &Claim, found: &mut Found) {
    let what = format!(
        "it has no guard of `{}`, so a create of the old version with the same value is not refused",
        claim.name.value
    );
    let old_programs = match claimed(pair, claim, Side::Old) {
        Some(attributes) => Finding::breaks(
            fails(
                row_with_values(pair, &attributes),
                "a create of the old version",
                what,
            ),
            "end programs of the old version before the switch",
        ),
        None => Finding::works("programs of the new version do not write the value"),
    };
    found.add(
        DifferenceKind::Claim,
        subject(pair, claim),
        "a value is not unique any more",
        Finding::backfill(
            Work::Deletion,
            pair.name(),
            "its guards are deleted at the end; the new version does not know them",
        ),
        old_programs,
    );
}

fn compare_claim(pair: &PairComparison<'_, '_>, was: &Claim, is: &Claim, found: &mut Found) {
    let conditions = |claim: &Claim| claim.when.as_ref().map(ToString::to_string);
    let (same_key, same_rest) = match (&was.guard, &is.guard) {
        (
            Guard::Row {
                key: a,
                keeps: kept,
                kind: was_kind,
                ..
            },
            Guard::Row {
                key: b,
                keeps,
                kind,
                ..
            },
        ) => {
            let texts = |key: &monotable_model::model::Key| {
                key.templates()
                    .map(|template| template.text.clone())
                    .collect::<Vec<_>>()
            };
            (
                texts(a) == texts(b) && a.global == b.global,
                is_same(kept, keeps) && was_kind == kind,
            )
        }
        (Guard::Snapshot, Guard::Snapshot) => (true, true),
        (Guard::Entity { set: a, .. }, Guard::Entity { set: b, .. }) => (is_same(a, b), true),
        _ => (false, false),
    };
    if same_key && same_rest && conditions(was) == conditions(is) {
        return;
    }
    let row = pair.old_rows.row(pair.pair.old_id);
    if !same_key {
        let what = "its guard stands under the old key, where the new version does not look: two rows could have the same value";
        let counterexample = fails(row, "any write of the new version", what);
        let remedy = "declare the new claim under another name beside the old one, migrate, and remove the old one in a later version";
        return found.add(
            DifferenceKind::Claim,
            subject(pair, is),
            "the guard has another key",
            Finding::breaks(counterexample.clone(), remedy),
            Finding::breaks(counterexample, remedy),
        );
    }
    let what = "each version writes guards for other rows, or with other attributes";
    found.add(
        DifferenceKind::Claim,
        subject(pair, is),
        "the guard has other attributes, or other rows have one",
        Finding::backfill(
            Work::Guards,
            pair.name(),
            "guards are written as the new version writes them",
        )
        .while_old_runs(fails(row.clone(), "a write of the old version", what)),
        Finding::breaks(
            fails(row, "a write of the old version", what),
            "end programs of the old version before the switch",
        ),
    );
}
