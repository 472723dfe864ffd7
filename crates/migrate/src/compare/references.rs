//! References, and the counters of the rows that refer.

use super::{Found, PairComparison};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::fails;
use monotable_model::model::{Attribute, Model, Reference};

/// Adds what differs between the references of two entities.
pub(super) fn compare(pair: &PairComparison<'_, '_>, found: &mut Found) {
    for attributes in &pair.attributes.pairs {
        let was = attributes.old.reference.as_ref();
        let is = attributes.new.reference.as_ref();
        compare_targets(pair, attributes.new, was, is, found);
        compare_counters(pair, attributes.new, was, is, found);
    }
    for new in &pair.attributes.added {
        compare_counters(pair, new, None, new.reference.as_ref(), found);
    }
}

fn compare_targets(
    pair: &PairComparison<'_, '_>,
    new: &Attribute,
    was: Option<&Reference>,
    is: Option<&Reference>,
    found: &mut Found,
) {
    let name =
        |model: &Model, reference: &Reference| model.entity(reference.target).name.value.clone();
    let (old_model, new_model) = (pair.whole.old, pair.whole.new);
    let subject = format!("{}.{}", pair.name(), new.name.value);
    match (was, is) {
        (None, Some(is)) => {
            let target = name(new_model, is);
            found.add(
                DifferenceKind::Reference,
                subject,
                format!("it refers to {target} from now on"),
                Finding::unproven(
                    format!("a row may name a {target} that is not there"),
                    "a run verifies the rows, and names those that lead nowhere",
                ),
                Finding::unproven(
                    format!(
                        "a program of the old version may delete a {target} that is referred to"
                    ),
                    "end programs of the old version first",
                ),
            );
        }
        (Some(was), None) => {
            let target = name(old_model, was);
            found.add(
                DifferenceKind::Reference,
                subject,
                format!("it does not refer to {target} any more"),
                Finding::works("the values stay what they are"),
                Finding::unproven(
                    format!(
                        "a program of the new version may delete a {target} that is referred to"
                    ),
                    "end programs of the old version first",
                ),
            );
        }
        (Some(was), Some(is)) => {
            let is_renamed = pair
                .whole
                .pairs
                .of_old(was.target)
                .iter()
                .any(|pair| pair.new_id == is.target);
            if name(old_model, was) != name(new_model, is) && !is_renamed {
                let row = pair.old_rows.row(pair.pair.old_id);
                let what = format!(
                    "it names a {}, and the new version looks for a {}",
                    name(old_model, was),
                    name(new_model, is)
                );
                found.add(
                    DifferenceKind::Reference,
                    subject,
                    "it refers to another entity",
                    Finding::breaks(
                        fails(row.clone(), "any write of the new version", &what),
                        "declare another attribute for it",
                    ),
                    Finding::breaks(
                        fails(row, "any write of the old version", &what),
                        "declare another attribute for it",
                    ),
                );
            } else if pair.whole.pairs.of_old(was.target).len() > 1 {
                let target = name(new_model, is);
                let why = format!(
                    "a row may name one of the others that {} is split into",
                    name(old_model, was)
                );
                found.add(
                    DifferenceKind::Reference,
                    subject,
                    format!("it refers to {target} alone from now on"),
                    Finding::unproven(
                        why,
                        "a run verifies the rows, and names those that lead nowhere",
                    ),
                    Finding::works(format!(
                        "every {target} is a {} of the old version",
                        name(old_model, was)
                    )),
                );
            } else if pair.whole.pairs.of_new(is.target).len() > 1 {
                let target = name(old_model, was);
                found.add(
                    DifferenceKind::Reference,
                    subject,
                    format!("it refers to any {} from now on", name(new_model, is)),
                    Finding::works("what it names is there, under its new name"),
                    Finding::unproven(
                        format!("a program of the new version may name one that is no {target}"),
                        "end programs of the old version first",
                    ),
                );
            } else if was.on_delete != is.on_delete {
                let proof = "it says what a program does at a delete; what is stored is the same";
                found.add(
                    DifferenceKind::Reference,
                    subject,
                    "a delete of what it refers to does something else",
                    Finding::works(proof),
                    Finding::works(proof),
                );
            }
        }
        (None, None) => {}
    }
}

fn compare_counters(
    pair: &PairComparison<'_, '_>,
    new: &Attribute,
    was: Option<&Reference>,
    is: Option<&Reference>,
    found: &mut Found,
) {
    let counter = |reference: Option<&Reference>| {
        reference
            .and_then(|known| known.counted.as_ref())
            .map(|name| name.value.clone())
    };
    let (was_counted, is_counted) = (counter(was), counter(is));
    if was_counted == is_counted {
        return;
    }
    let row = pair.old_rows.row(pair.pair.old_id);
    let subject = format!("{}.{}", pair.name(), new.name.value);
    let stored = match (&is_counted, is) {
        (Some(counter), Some(is)) => {
            let target = &pair.whole.new.entity(is.target).name.value;
            Finding::backfill(
                Work::Counters,
                target,
                format!("`{counter}` of each {target} is set to the count"),
            )
            .while_old_runs(fails(
                row.clone(),
                "a create or a delete of the old version",
                format!("it is not counted in `{counter}`"),
            ))
        }
        _ => Finding::works("nothing counts the rows any more; the last count stays"),
    };
    let counter = was_counted.as_ref().or(is_counted.as_ref());
    let counter = counter.map(String::as_str).unwrap_or_default();
    let what = format!("a program of the other version does not count it in `{counter}`");
    let row = pair.new_rows.row(pair.pair.new_id);
    let old_programs = Finding::breaks(
        fails(row, "programs of both versions", what),
        "end programs of the old version before the switch",
    );
    found.add(
        DifferenceKind::Reference,
        subject,
        "another attribute counts the rows that refer",
        stored,
        old_programs,
    );
}
