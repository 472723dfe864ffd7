//! Entities that are split, and entities that are merged.
//!
//! Both are one question, asked in both directions: is each row of one version a row of exactly one entity of the other?

use super::{Comparison, Found, PairComparison, moves};
use crate::difference::{DifferenceKind, Finding};
use crate::example::fails;
use crate::pairs::Pair;
use crate::recognition::{RecognitionVerdict, recognise};
use monotable_model::model::{Entity, EntityId};

/// Adds an entity whose rows are those of several now.
pub(super) fn compare_split(
    comparison: &Comparison<'_>,
    (id, entity): (EntityId, &Entity),
    parts: &[Pair<'_>],
    found: &mut Found,
) {
    let names = list_names(parts.iter().map(|part| part.new));
    let stored = recognise(comparison.old, id, comparison.new).verdict;
    let written = parts
        .iter()
        .map(|part| recognise(comparison.new, part.new_id, comparison.old).verdict);
    let written = written.fold(RecognitionVerdict::ByOne, RecognitionVerdict::and);
    found.add(
        DifferenceKind::Entity,
        &entity.name.value,
        format!("{} is split into {names}", entity.name.value),
        judge_stored(stored, &names),
        judge_written(written, &entity.name.value),
    );
}

/// Adds an entity that has the rows of several.
pub(super) fn compare_merge(
    comparison: &Comparison<'_>,
    (id, entity): (EntityId, &Entity),
    merged: &[Pair<'_>],
    found: &mut Found,
) {
    let names = list_names(merged.iter().map(|pair| pair.old));
    let stored = merged
        .iter()
        .map(|pair| recognise(comparison.old, pair.old_id, comparison.new).verdict);
    let stored = stored.fold(RecognitionVerdict::ByOne, RecognitionVerdict::and);
    let written = recognise(comparison.new, id, comparison.old).verdict;
    let pairs: Vec<_> = merged
        .iter()
        .map(|pair| PairComparison::new(comparison, *pair))
        .collect();
    let stored = judge_stored(stored, &entity.name.value);
    let stored = match (moves::find_common_key(&pairs), stored) {
        (Some(clash), Finding::Works { .. }) => clash,
        (_, stored) => stored,
    };
    found.add(
        DifferenceKind::Entity,
        &entity.name.value,
        format!("{names} are merged into {}", entity.name.value),
        stored,
        judge_written(written, &names),
    );
}

fn list_names<'e>(entities: impl Iterator<Item = &'e Entity>) -> String {
    let mut names: Vec<_> = entities.map(|entity| entity.name.value.as_str()).collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        last.to_owned()
    } else {
        format!("{} and {last}", names.join(", "))
    }
}

/// What the new version makes of stored rows.
pub(super) fn judge_stored(verdict: RecognitionVerdict, names: &str) -> Finding {
    let remedy = "let exactly one entity have each row: by its key, by a layout for the old key, or by a word that `is` reads";
    match verdict {
        RecognitionVerdict::ByOne => Finding::works(format!(
            "by its key and by what `is` reads, each row is one of {names}, and of one alone"
        )),
        RecognitionVerdict::ByNone(row) => Finding::breaks_rows(
            fails(
                row,
                "any read of the new version",
                format!("it is no row of {names}, and the new version does not know it"),
            ),
            remedy,
        ),
        RecognitionVerdict::BySeveral(row, several) => Finding::breaks(
            fails(
                row,
                "any read of the new version",
                format!(
                    "nothing in it says whether it is one of {}",
                    several.join(" or of ")
                ),
            ),
            remedy,
        ),
        RecognitionVerdict::NotProven(why) => Finding::unproven(why, remedy),
    }
}

/// What programs of the old version make of rows that the new one writes.
pub(super) fn judge_written(verdict: RecognitionVerdict, names: &str) -> Finding {
    let remedy = "end programs of the old version first, or let the new version write what the old one tells its rows by";
    match verdict {
        RecognitionVerdict::ByOne => Finding::works(format!(
            "by its key and by what `is` reads, each row that the new version writes is one of {names} in the old one"
        )),
        RecognitionVerdict::ByNone(row) => Finding::breaks(
            fails(
                row,
                "any read of the old version",
                format!("it is no row of {names}, and the old version does not know it"),
            ),
            remedy,
        ),
        RecognitionVerdict::BySeveral(row, several) => Finding::breaks(
            fails(
                row,
                "any read of the old version",
                format!(
                    "the old version cannot say whether it is one of {}",
                    several.join(" or of ")
                ),
            ),
            remedy,
        ),
        RecognitionVerdict::NotProven(why) => Finding::unproven(why, remedy),
    }
}
