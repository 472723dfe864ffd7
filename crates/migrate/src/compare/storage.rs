//! The names that attributes are stored under.

use super::{Found, PairComparison};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::{example_value, fails};
use crate::renames::AttributePair;

/// Adds a rename, in the model or in the table.
pub(super) fn compare(
    pair: &PairComparison<'_, '_>,
    attributes: &AttributePair<'_>,
    found: &mut Found,
) {
    let AttributePair { old, new } = attributes;
    let subject = format!("{}.{}", pair.name(), new.name.value);
    if old.key_only || new.key_only {
        return;
    }
    if old.stored == new.stored {
        if old.name.value != new.name.value {
            let proof = format!("both store it as `{}`", new.stored);
            let what = format!(
                "`{}` is called `{}` in programs",
                old.name.value, new.name.value
            );
            found.add(
                DifferenceKind::Attribute,
                subject,
                what,
                Finding::works(&proof),
                Finding::works(&proof),
            );
        }
        return;
    }
    let what = format!(
        "it was stored as `{}` and is stored as `{}`",
        old.stored, new.stored
    );
    let stored = if new.aliases.contains(&old.stored) {
        Finding::backfill(
            Work::Rows,
            pair.name(),
            format!(
                "`{}` becomes `{}`; until then the alias reads it",
                old.stored, new.stored
            ),
        )
    } else {
        let row = pair.old_rows.row_with(
            pair.pair.old_id,
            &[(&old.name.value, example_value(&old.kind))],
        );
        let missed = format!("its `{}` is not read", old.stored);
        Finding::breaks(
            fails(row, "any read of the new version", missed),
            format!(
                "say `alias = {0}` to have it read and renamed, or `stored = {0}` to rename it in programs only",
                old.stored
            ),
        )
    };
    let old_programs = if old.aliases.contains(&new.stored) {
        Finding::unproven(
            "the old version reads the new name as an alias, and writes the old one beside it",
            format!(
                "say `stored = {}` as long as programs of the old version run",
                old.stored
            ),
        )
    } else {
        let row = pair.new_rows.row_with(
            pair.pair.new_id,
            &[(&new.name.value, example_value(&new.kind))],
        );
        let missed = format!(
            "its `{}` is stored as `{}`, where the old version does not look",
            old.name.value, new.stored
        );
        Finding::breaks(
            fails(row, "any read of the old version", missed),
            format!(
                "say `stored = {}` as long as programs of the old version run: then nothing changes in the table",
                old.stored
            ),
        )
    };
    found.add(
        DifferenceKind::Attribute,
        subject,
        what,
        stored,
        old_programs,
    );
}
