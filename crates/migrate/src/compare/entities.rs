//! Entities that are new, that are gone, that have another name, that were split or merged.

use super::{Comparison, Found, groups};
use crate::difference::{DifferenceKind, Finding, Work};
use crate::example::{Examples, fails};
use crate::pairs::Pair;
use crate::recognition::{RecognitionVerdict, recognise};
use monotable_model::model::{Entity, EntityId};

/// Adds what differs between the sets of entities.
pub(super) fn compare(comparison: &Comparison<'_>, found: &mut Found) {
    for (id, entity) in &comparison.pairs.added {
        compare_added(comparison, *id, entity, found);
    }
    for (id, entity) in &comparison.pairs.removed {
        compare_removed(comparison, *id, entity, found);
    }
    for (id, entity) in comparison.old.stored() {
        match comparison.pairs.of_old(id).as_slice() {
            [one] if comparison.pairs.of_new(one.new_id).len() == 1 => {
                compare_renamed(comparison, *one, found);
            }
            [] | [_] => {}
            several => groups::compare_split(comparison, (id, entity), several, found),
        }
    }
    for (id, entity) in comparison.new.stored() {
        let merged = comparison.pairs.of_new(id);
        if merged.len() > 1 {
            groups::compare_merge(comparison, (id, entity), &merged, found);
        }
    }
}

fn compare_added(comparison: &Comparison<'_>, id: EntityId, entity: &Entity, found: &mut Found) {
    let name = &entity.name.value;
    let met = super::patterns::find_meeting(comparison.old, (comparison.new, id));
    let old_programs = match met {
        super::patterns::Meeting::Never => {
            Finding::works("no pattern of the old version reads a key that its rows can have")
        }
        super::patterns::Meeting::Row { pattern, row } => Finding::breaks(
            fails(
                row,
                format!("the pattern `{pattern}` of the old version"),
                "it reads the row and does not know it",
            ),
            "give the rows keys that no pattern of the old version reads, or end its programs first",
        ),
        super::patterns::Meeting::Unknown { pattern } => Finding::unproven(
            format!(
                "the pattern `{pattern}` of the old version may read such rows, which it does not know"
            ),
            "end programs of the old version first",
        ),
    };
    found.add(
        DifferenceKind::Entity,
        name,
        "the entity is new",
        Finding::works("it has no rows yet"),
        old_programs,
    );
}

fn compare_removed(comparison: &Comparison<'_>, id: EntityId, entity: &Entity, found: &mut Found) {
    let name = &entity.name.value;
    let row = Examples::new(comparison.old).row(id);
    let is_referred = comparison.new.stored().any(|(_, other)| {
        let mut attributes = other.attributes.iter();
        attributes.any(|attribute| {
            let target = attribute.reference.as_ref().map(|known| known.target);
            target.is_some_and(|target| comparison.new.entity(target).name.value == *name)
        })
    });
    let stored = if is_referred {
        Finding::breaks(
            fails(
                row.clone(),
                "a reference of the new version",
                "its rows are gone",
            ),
            "remove the references, too",
        )
    } else {
        Finding::backfill(
            Work::Deletion,
            name,
            "the new version does not know its rows: they stay where they are until `migrate run --clean-up` deletes them",
        )
    };
    found.add(
        DifferenceKind::Entity,
        name,
        "the entity is gone",
        stored,
        Finding::breaks(
            fails(
                row,
                "programs of the old version",
                "programs of the new version keep neither its references nor its counters right",
            ),
            "end programs of the old version before the switch",
        ),
    );
}

fn compare_renamed(comparison: &Comparison<'_>, pair: Pair<'_>, found: &mut Found) {
    let (old, new) = (&pair.old.name.value, &pair.new.name.value);
    if old == new {
        return;
    }
    let stored = recognise(comparison.old, pair.old_id, comparison.new).verdict;
    let written = recognise(comparison.new, pair.new_id, comparison.old).verdict;
    let is_refuted = |verdict: &RecognitionVerdict| {
        matches!(
            verdict,
            RecognitionVerdict::ByNone(_) | RecognitionVerdict::BySeveral(..)
        )
    };
    if is_refuted(&stored) || is_refuted(&written) {
        return found.add(
            DifferenceKind::Entity,
            old,
            format!("rows of {old} are rows of {new} now"),
            groups::judge_stored(stored, new),
            groups::judge_written(written, old),
        );
    }
    let proof = "the name of an entity is not stored: its rows are told by their keys and by `is`, which are compared apart";
    found.add(
        DifferenceKind::Entity,
        new,
        format!("{old} is called {new}"),
        Finding::works(proof),
        Finding::works(proof),
    );
}
