//! What tells the rows of an entity from others.

use super::{Found, PairComparison};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::fails;
use crate::recognition::list_texts;
use monotable_model::model::{Discriminator, Entity};

/// Adds what differs in `is`.
pub(super) fn compare(pair: &PairComparison<'_, '_>, found: &mut Found) {
    let (old, new) = (pair.pair.old, pair.pair.new);
    // Of an entity that is split or merged, each row is looked for among all of them.
    let is_split = pair.whole.pairs.of_old(pair.pair.old_id).len() > 1;
    let is_merged = pair.whole.pairs.of_new(pair.pair.new_id).len() > 1;
    for known in &new.is {
        let texts = texts_of(old, known);
        let stored = match &texts {
            Texts::Are(texts) => {
                let unread = texts.iter().find(|text| !known.read.contains(text));
                match unread {
                    // The other words are told by the other parts.
                    Some(_) if is_split => continue,
                    Some(text) => Finding::breaks_rows(
                        fails(
                            pair.old_rows.row(pair.pair.old_id),
                            "any read of the new version",
                            format!(
                                "its `{}` is {text}, which {} does not read",
                                known.attribute.value, new.name.value
                            ),
                        ),
                        format!(
                            "read it, too: `is = {{ {} = \"{}/{text}\" }}`",
                            known.attribute.value, known.written
                        ),
                    ),
                    None if texts.contains(&known.written) => continue,
                    None => Finding::backfill(
                        Work::Rows,
                        pair.name(),
                        format!("`{}` becomes {}", known.attribute.value, known.written),
                    ),
                }
            }
            Texts::Unknown if is_split => continue,
            Texts::Absent => Finding::backfill(
                Work::Rows,
                pair.name(),
                format!(
                    "rows get `{}` = {}; until then they are told by their keys",
                    known.attribute.value, known.written
                ),
            ),
            Texts::Unknown => Finding::unproven(
                format!(
                    "`{}` may hold anything in rows of the old version",
                    known.attribute.value
                ),
                format!(
                    "let the old version declare `{}` as an enum first",
                    known.attribute.value
                ),
            ),
        };
        let old_programs = match texts_of(new, known) {
            _ if !old
                .is
                .iter()
                .any(|other| other.attribute.value == known.attribute.value) =>
            {
                Finding::works(
                    "programs of the old version do not look at it, and leave it where it is",
                )
            }
            _ => judge_written(pair, known),
        };
        found.add(
            DifferenceKind::Entity,
            format!("{}.is", pair.name()),
            format!(
                "rows are told by `{}` = {}",
                known.attribute.value, known.written
            ),
            stored,
            old_programs,
        );
    }
    for known in &old.is {
        let is_written =
            matches!(texts_of(new, known), Texts::Are(texts) if texts.contains(&known.written));
        if is_merged && is_written {
            continue;
        }
        if !new
            .is
            .iter()
            .any(|other| other.attribute.value == known.attribute.value)
        {
            let row = pair.new_rows.row(pair.pair.new_id);
            let what = format!(
                "it lacks `{}` = {}, by which the old version tells its rows",
                known.attribute.value, known.written
            );
            found.add(
                DifferenceKind::Entity,
                format!("{}.is", pair.name()),
                format!("rows are not told by `{}` any more", known.attribute.value),
                Finding::works("the new version does not look at it, and leaves it where it is"),
                Finding::breaks(
                    fails(row, "any read of the old version", what),
                    "keep it, or end programs of the old version first",
                ),
            );
        }
    }
}

/// Whether the old version reads what the new one writes.
fn judge_written(pair: &PairComparison<'_, '_>, new: &Discriminator) -> Finding {
    let mut known = pair.pair.old.is.iter();
    let reads = known
        .any(|old| old.attribute.value == new.attribute.value && old.read.contains(&new.written));
    if reads {
        return Finding::works("the old version reads the word that the new one writes");
    }
    let row = pair.new_rows.row(pair.pair.new_id);
    let what = format!(
        "its `{}` is {}, which the old version does not know",
        new.attribute.value, new.written
    );
    Finding::breaks(
        fails(row, "any read of the old version", what),
        "keep the word that is written, or end programs of the old version first",
    )
}

/// What rows of an entity have in the attribute of a discriminator.
enum Texts {
    Are(Vec<String>),
    Absent,
    Unknown,
}

fn texts_of(entity: &Entity, wanted: &Discriminator) -> Texts {
    match list_texts(entity, &wanted.attribute.value) {
        None => Texts::Unknown,
        Some(texts) if texts.iter().all(Option::is_none) => Texts::Absent,
        Some(texts) => match texts.into_iter().collect() {
            Some(texts) => Texts::Are(texts),
            None => Texts::Unknown,
        },
    }
}
