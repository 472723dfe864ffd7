//! Rows that follow from others.

use super::{Comparison, Found};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::{Examples, fails};
use monotable_model::model::{Derive, Model};

/// Adds what differs between derived rows.
pub(super) fn compare(comparison: &Comparison<'_>, found: &mut Found) {
    let (old, new) = (comparison.old, comparison.new);
    for derive in &new.derives {
        let known = old
            .derives
            .iter()
            .find(|known| known.name.value == derive.name.value);
        if known.is_some_and(|known| signature(old, known) == signature(new, derive)) {
            continue;
        }
        let row = Examples::new(new).row(derive.of);
        let entity = &new.entity(derive.entity).name.value;
        let what = match known {
            Some(_) => "other rows follow",
            None => "rows follow from now on",
        };
        let meanwhile = fails(
            row.clone(),
            "a write of the old version",
            format!("the rows of {entity} that follow from it are not written"),
        );
        let old_programs = match known {
            None => Finding::works(
                "programs of the old version do not write the rows; what they read of them is compared with the entity",
            ),
            Some(_) => Finding::breaks(
                fails(
                    row,
                    "a read of the old version",
                    "the rows that follow from it are not those that the old version writes",
                ),
                "end programs of the old version before the switch",
            ),
        };
        found.add(
            DifferenceKind::Derived,
            format!("[derive.{}]", derive.name.value),
            what,
            Finding::backfill(
                Work::Derived,
                entity,
                format!("rows of {entity} are written as they follow"),
            )
            .while_old_runs(meanwhile),
            old_programs,
        );
    }
    for derive in &old.derives {
        if new
            .derives
            .iter()
            .any(|other| other.name.value == derive.name.value)
        {
            continue;
        }
        let row = Examples::new(old).row(derive.of);
        found.add(
            DifferenceKind::Derived,
            format!("[derive.{}]", derive.name.value),
            "rows do not follow any more",
            Finding::works("those that are there stay, and are rows as any"),
            Finding::breaks(
                fails(
                    row,
                    "a read of the old version",
                    "a program of the new version does not write the rows that follow from it",
                ),
                "end programs of the old version before the switch",
            ),
        );
    }
}

/// What a derivation says, by names.
fn signature(model: &Model, derive: &Derive) -> String {
    let when = derive
        .when
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    let rest = serde_json::json!([derive.each, derive.set]);
    format!(
        "{} {} {when} {rest}",
        model.entity(derive.of).name.value,
        model.entity(derive.entity).name.value
    )
}
