//! The attributes of an entity: their types and what the store does with them.

use super::kinds::{Inclusion, include};
use super::{Found, PairComparison, is_same, presence, storage};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::fails;
use crate::renames::AttributePair;
use monotable_model::model::{Attribute, Entity};

/// Adds what differs between the attributes of two entities.
pub(super) fn compare(pair: &PairComparison<'_, '_>, found: &mut Found) {
    for attributes in &pair.attributes.pairs {
        // What tells rows of merged entities apart is looked at for all of them at once.
        let is_merged = pair.whole.pairs.of_new(pair.pair.new_id).len() > 1;
        if is_discriminator(pair.pair.new, attributes.new)
            || is_merged && is_discriminator(pair.pair.old, attributes.old)
        {
            continue;
        }
        storage::compare(pair, attributes, found);
        compare_kinds(pair, attributes, found);
        presence::compare(pair, attributes, found);
        compare_making(pair, attributes, found);
    }
    for new in &pair.attributes.added {
        presence::compare_added(pair, new, found);
    }
    for old in &pair.attributes.removed {
        presence::compare_removed(pair, old, found);
    }
    if pair.pair.old.open && !pair.pair.new.open {
        let proof = "attributes that are not declared stay in the table; programs of the new version do not see them";
        found.add(
            DifferenceKind::Attribute,
            pair.name(),
            "attributes that are not declared are not shown any more",
            Finding::works(proof),
            Finding::works(proof),
        );
    }
}

/// Whether rows of the new entity are told from others by this attribute. Which rows have which words is a question about the entities,
/// not about the type of the attribute.
fn is_discriminator(entity: &Entity, attribute: &Attribute) -> bool {
    let mut discriminators = entity.is.iter();
    discriminators.any(|discriminator| discriminator.attribute.value == attribute.stored)
}

fn compare_kinds(pair: &PairComparison<'_, '_>, attributes: &AttributePair<'_>, found: &mut Found) {
    let AttributePair { old, new } = attributes;
    // What is hashed is stored as its hash, whatever it was.
    let is_hashed = old.hashed.is_some() && new.hashed.is_some();
    if is_hashed || is_same(&old.kind, &new.kind) {
        return;
    }
    let name = &new.name.value;
    let is_split = pair.whole.pairs.of_old(pair.pair.old_id).len() > 1;
    let is_merged = pair.whole.pairs.of_new(pair.pair.new_id).len() > 1;
    let stored = match include(&old.kind, &new.kind) {
        Inclusion::Refuted(_) if is_split && presence::is_in_key(pair.pair.new, new) => {
            Finding::works("rows with other values have keys of the other entities")
        }
        Inclusion::Proven => Finding::works(format!("every {} is a {}", old.kind, new.kind)),
        Inclusion::Refuted(value) => {
            let row = pair
                .old_rows
                .row_with(pair.pair.old_id, &[(&old.name.value, value)]);
            let what = format!("its `{name}` is no {}", new.kind);
            Finding::breaks_rows(
                fails(row, "an update or `verify` of the new version", what),
                "let the new type have every value of the old one, or change the rows first",
            )
        }
        Inclusion::NotProven => Finding::unproven(
            format!("a value of {} may be none of {}", old.kind, new.kind),
            "a run looks at the rows, and names those that the new version refuses",
        ),
    };
    let old_programs = match include(&new.kind, &old.kind) {
        Inclusion::Refuted(_) if is_merged && presence::is_in_key(pair.pair.old, old) => {
            Finding::works("rows with other values have keys of the other entities")
        }
        Inclusion::Proven => Finding::works(format!("every {} is a {}", new.kind, old.kind)),
        Inclusion::Refuted(value) => {
            let row = pair.new_rows.row_with(pair.pair.new_id, &[(name, value)]);
            let what = format!("its `{}` is no {}", old.name.value, old.kind);
            Finding::breaks(
                fails(row, "a read of the old version", what),
                "end programs of the old version before programs write such values",
            )
        }
        Inclusion::NotProven => Finding::unproven(
            format!("a value of {} may be none of {}", new.kind, old.kind),
            "end programs of the old version first",
        ),
    };
    let what = format!("its type was {} and is {}", old.kind, new.kind);
    found.add(
        DifferenceKind::Attribute,
        format!("{}.{name}", pair.name()),
        what,
        stored,
        old_programs,
    );
}

/// How a value is made, kept and shown.
fn compare_making(
    pair: &PairComparison<'_, '_>,
    attributes: &AttributePair<'_>,
    found: &mut Found,
) {
    let AttributePair { old, new } = attributes;
    let subject = || format!("{}.{}", pair.name(), new.name.value);
    let row = || pair.old_rows.row(pair.pair.old_id);
    if let Some(what) = find_unsupported(pair, old, new) {
        let counterexample = fails(
            row(),
            "any program of the new version",
            format!("its `{}` {what}", old.name.value),
        );
        let remedy = "give the attribute another name, and move the values by a program";
        found.add(
            DifferenceKind::Attribute,
            subject(),
            "it is kept in another form",
            Finding::breaks(counterexample.clone(), remedy),
            Finding::breaks(counterexample, remedy),
        );
    }
    let template = |attribute: &Attribute| {
        attribute
            .computed
            .as_ref()
            .map(|template| template.text.clone())
    };
    if template(old) != template(new) {
        let what = "each version computes it otherwise, and does so at every write";
        found.add(
            DifferenceKind::Attribute,
            subject(),
            "it is computed otherwise",
            Finding::backfill(Work::Rows, pair.name(), "it is computed anew in every row")
                .while_old_runs(fails(row(), "an update of the old version", what)),
            Finding::breaks(
                fails(row(), "`verify` of the old version", what),
                "end programs of the old version before the switch",
            ),
        );
    }
    if old.version != new.version {
        let what = format!(
            "its version is {}, which the old version does not know",
            new.version.unwrap_or(1)
        );
        found.add(
            DifferenceKind::Attribute,
            subject(),
            "rows have another schema version",
            Finding::backfill(
                Work::Rows,
                pair.name(),
                "rows are read by `upgrade`, and written in the new form",
            ),
            Finding::breaks(
                fails(
                    pair.new_rows.row(pair.pair.new_id),
                    "any read of the old version",
                    what,
                ),
                "end programs of the old version before the switch",
            ),
        );
    }
    if new.distinct && !old.distinct {
        found.add(
            DifferenceKind::Attribute,
            subject(),
            "it has no repetitions from now on",
            Finding::unproven(
                "a list of the old version may repeat an element",
                "a run looks at the rows, and names those that the new version refuses",
            ),
            Finding::works("the old version allows lists without repetitions"),
        );
    }
    let program = |attribute: &Attribute| {
        serde_json::json!([
            attribute.generated,
            attribute.default,
            attribute.stamped,
            attribute.immutable,
            attribute.movable,
            attribute.internal,
            attribute.message,
            attribute.secret.map(|secret| secret.mask),
            attribute.secret.is_some(),
        ])
    };
    if program(old) != program(new) {
        let proof = "it says what programs do when they write, and each does it as its version says; what is stored may be the same";
        found.add(
            DifferenceKind::Attribute,
            subject(),
            "it is made, changed or shown otherwise",
            Finding::works(proof),
            Finding::works(proof),
        );
    }
}

/// What no backfill changes.
fn find_unsupported(
    pair: &PairComparison<'_, '_>,
    old: &Attribute,
    new: &Attribute,
) -> Option<&'static str> {
    let digest = |is_new: bool| {
        let (entity, attribute) = if is_new {
            (pair.pair.new, new)
        } else {
            (pair.pair.old, old)
        };
        entity.digest_of(attribute).is_some()
    };
    if old.hashed.is_some() != new.hashed.is_some() {
        return Some("is stored as a hash by one version, and as it was given by the other");
    }
    if digest(true) != digest(false) {
        return Some("is stored as its SHA-256 by one version, and as it was given by the other");
    }
    if old.key_only != new.key_only {
        return Some("stands in keys only in one version");
    }
    if !is_same(&old.numbered, &new.numbered)
        || !is_same(&old.position, &new.position)
        || old.top.is_some() != new.top.is_some()
    {
        return Some("is worked out from other rows, in another way by each version");
    }
    None
}
