//! Attributes that rows must have, and attributes that are new or gone.

use super::moves::shows_same_texts;
use super::{Found, PairComparison};
use crate::difference::{Difference, DifferenceKind, Finding, Work};
use crate::example::fails;
use crate::renames::AttributePair;
use monotable_model::model::{Attribute, Entity, Key, Kind, Mode, Presence, Role, Template};
use serde_json::Value;

/// Adds a change of when an attribute must be there.
pub(super) fn compare(
    pair: &PairComparison<'_, '_>,
    attributes: &AttributePair<'_>,
    found: &mut Found,
) {
    let AttributePair { old, new } = attributes;
    let subject = format!("{}.{}", pair.name(), new.name.value);
    let conditions = |presence: &Presence| {
        (
            presence.required_if.as_ref().map(ToString::to_string),
            presence.only_if.as_ref().map(ToString::to_string),
        )
    };
    if conditions(&old.presence) != conditions(&new.presence) {
        let remedy = "a run looks at the rows, and names those that the new version refuses";
        found.add(
            DifferenceKind::Attribute,
            subject,
            "it is required or allowed under another condition",
            Finding::unproven("rows of the old version may lack it, or have it where it is not allowed", remedy),
            Finding::unproven("rows of the new version may lack it, or have it where the old one does not allow it", "end programs of the old version first"),
        );
        return;
    }
    match (old.presence.optional, new.presence.optional) {
        (true, false) => found.add(
            DifferenceKind::Attribute,
            subject,
            "it is required now",
            judge_missing(pair, new, Absence::Some),
            Finding::works("rows of the new version have it, which the old one allows"),
        ),
        (false, true) => {
            let row = pair
                .new_rows
                .row_with(pair.pair.new_id, &[(&new.name.value, Value::Null)]);
            let what = format!(
                "it has no `{}`, which the old version requires",
                old.name.value
            );
            found.add(
                DifferenceKind::Attribute,
                subject,
                "it is optional now",
                Finding::works("rows of the old version have it"),
                Finding::breaks(
                    fails(row, "a read or an update of the old version", what),
                    "end programs of the old version before the switch",
                ),
            );
        }
        _ => {}
    }
}

/// Which rows of the old version lack an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absence {
    All,
    Some,
}

/// What becomes of rows that lack an attribute which the new version requires.
fn judge_missing(pair: &PairComparison<'_, '_>, new: &Attribute, missing: Absence) -> Finding {
    let name = &new.name.value;
    let old_name = pair
        .attributes
        .pairs
        .iter()
        .find(|known| known.new.name.value == *name);
    let old_name = old_name.map_or(name, |known| &known.old.name.value);
    let row = pair
        .old_rows
        .row_with(pair.pair.old_id, &[(old_name, Value::Null)]);
    let meanwhile = fails(
        row.clone(),
        "a create of the old version",
        format!("it has no `{name}` until the next backfill"),
    );
    let filled = |with: &str| {
        let why = format!("rows that lack `{name}` get {with}");
        Finding::backfill(Work::Rows, pair.name(), why).while_old_runs(meanwhile.clone())
    };
    if is_in_key(pair.pair.new, new) && pair.pair.old.attribute(name).is_none() && keeps_key(pair) {
        let why = format!("`{name}` is read from the key, and written into the rows");
        return Finding::backfill(Work::Rows, pair.name(), why);
    }
    if new.numbered.is_some() || new.top.is_some() || new.position.is_some() {
        let what =
            format!("it has no `{name}`, which is worked out from other rows when a row is made");
        return Finding::breaks(
            fails(row, "any read of the new version", what),
            format!("declare `{name}` as optional"),
        );
    }
    if new.computed.is_some() {
        return filled("what the template shows");
    }
    if new.default.is_some() || new.version.is_some() {
        return filled("its default");
    }
    if new.generated.is_some() {
        return filled("a value that is made for each");
    }
    if matches!(new.role, Some(Role::Created | Role::Updated)) {
        return filled("the time of the backfill");
    }
    let what = format!("it has no `{name}`, so an update is refused, and `verify` tells it");
    let remedy = format!("give `{name}` a default, or declare it as optional");
    let counterexample = fails(row, "an update of the new version", what);
    match missing {
        Absence::All => Finding::breaks(counterexample, remedy),
        Absence::Some => Finding::breaks_rows(counterexample, remedy),
    }
}

/// Adds an attribute that is new.
pub(super) fn compare_added(pair: &PairComparison<'_, '_>, new: &Attribute, found: &mut Found) {
    let name = &new.name.value;
    let is_told = pair
        .pair
        .old
        .is
        .iter()
        .any(|known| known.attribute.value == new.stored);
    if new.key_only || is_told {
        return;
    }
    let is_open = pair.pair.old.open && !matches!(new.kind, Kind::Any);
    let stored = if is_open {
        Finding::unproven(
            format!(
                "the old version keeps attributes that it does not declare, so rows may have anything as `{name}`"
            ),
            "a run looks at the rows, and names those that the new version refuses",
        )
    } else if new.presence.required_if.is_some() {
        let remedy = "a run looks at the rows, and names those that the new version refuses";
        Finding::unproven(
            format!("rows of the old version lack `{name}`, which some of them need"),
            remedy,
        )
    } else if new.presence.optional
        || matches!(new.role, Some(Role::Deleting))
        || matches!(new.kind, Kind::Never)
    {
        Finding::works("rows of the old version lack it, which is allowed")
    } else {
        judge_missing(pair, new, Absence::All)
    };
    let old_programs = if pair.pair.old.open {
        Finding::unproven(
            format!(
                "a `put` of the old version replaces all attributes that it does not declare, also `{name}`"
            ),
            "end programs of the old version first, or let them only update",
        )
    } else {
        Finding::works(
            "programs of the old version do not see it, and their updates leave it where it is",
        )
    };
    found.differences.push(Difference {
        subject: format!("{}.{name}", pair.name()),
        kind: DifferenceKind::Attribute,
        what: "the attribute is new".to_owned(),
        stored_rows: stored,
        old_programs,
    });
}

/// Adds an attribute that is gone.
pub(super) fn compare_removed(pair: &PairComparison<'_, '_>, old: &Attribute, found: &mut Found) {
    let name = &old.name.value;
    let is_told = pair
        .pair
        .new
        .is
        .iter()
        .any(|known| known.attribute.value == old.stored);
    if old.key_only || is_told {
        return;
    }
    let is_needed = old.is_always_present()
        && !matches!(old.kind, Kind::Never)
        && old.role != Some(Role::Deleting);
    let old_programs = if is_needed && is_in_key(pair.pair.old, old) && keeps_key(pair) {
        Finding::works("the old version reads it from the key")
    } else if is_needed {
        let row = pair.new_rows.row(pair.pair.new_id);
        let what = format!("it has no `{name}`, which the old version requires");
        Finding::breaks(
            fails(row, "a read or an update of the old version", what),
            "end programs of the old version before the switch",
        )
    } else {
        Finding::works("the old version allows rows without it")
    };
    found.add(
        DifferenceKind::Attribute,
        format!("{}.{name}", pair.name()),
        "the attribute is gone",
        Finding::works("the new version does not look at it, and leaves it where it is"),
        old_programs,
    );
}

/// Whether the primary key shows the value as it is, so that it can be read back.
pub(super) fn is_in_key(entity: &Entity, attribute: &Attribute) -> bool {
    let fields = entity.primary().into_iter().flat_map(Key::templates);
    let mut fields = fields.flat_map(Template::fields);
    fields.any(|field| {
        let mut names = field.attributes();
        field.sources.len() == 1
            && field.formats.is_empty()
            && field.mode == Mode::Plain
            && names.any(|name| name.value == attribute.name.value)
    })
}

/// Whether rows stand under the same key in both versions.
fn keeps_key(pair: &PairComparison<'_, '_>) -> bool {
    match (pair.pair.old.primary(), pair.pair.new.primary()) {
        (Some(was), Some(is)) => shows_same_texts(pair, was, is),
        _ => false,
    }
}
