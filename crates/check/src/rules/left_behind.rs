//! M011: what a move, a delete or an expiry leaves behind.

mod expiry;

use super::subject::{RowKind, shown_key};
use super::{Report, Subject, witness};
use monotable_language::{Verdict, meet};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Entity, EntityId, Key, KeyPlace, Model, Move, MoveKind, OnDelete};
use monotable_model::shape::carried;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for movement in &subject.model.moves {
        if let MoveKind::To {
            to, rest, removes, ..
        } = &movement.kind
        {
            still_among_the_living(subject, movement, movement.of, *to, report);
            if let Some(rest) = rest {
                for id in carried(subject.model, movement.of) {
                    still_among_the_living(subject, movement, id, *rest, report);
                }
            }
            not_carried(subject.model, movement, removes, report);
        }
    }
    for (id, entity) in subject.model.stored() {
        orphans(subject.model, id, entity, report);
        expiry::check(subject.model, id, entity, report);
    }
}

/// Moved rows in an index partition in which rows that were not moved are looked for.
fn still_among_the_living(
    subject: &Subject<'_>,
    movement: &Move,
    of: EntityId,
    to: EntityId,
    report: &mut Report,
) {
    let rows = |id: EntityId| {
        subject
            .rows
            .iter()
            .filter(move |row| row.entity == id && row.kind == RowKind::Main)
    };
    for living in rows(of).filter(|row| row.place != KeyPlace::Primary) {
        for moved in rows(to).filter(|row| row.place == living.place && row.table == living.table) {
            let (of, to) = (subject.model.entity(of), subject.model.entity(to));
            let clash = match meet(living.partition(), moved.partition()) {
                Verdict::Proven => continue,
                Verdict::Refuted(clash) => {
                    let stands = |row, assignment| {
                        witness::partition(row, assignment, &subject.vocabulary).is_some()
                    };
                    let real = stands(living, &clash.left) && stands(moved, &clash.right);
                    real.then_some(clash)
                }
                Verdict::NotProven(_) => None,
            };
            let what = format!(
                "a row of `{}` stands in an index partition of `{}`",
                to.name.value, of.name.value
            );
            let message = match &clash {
                Some(_) => format!("after `{}` it can be that {what}", movement.name.value),
                None => format!(
                    "it is not proven that after `{}` never {what}",
                    movement.name.value
                ),
            };
            let mut diagnostic = Diagnostic::new(Code::LeftBehind, moved.key.span, message)
                .label(
                    living.key.span,
                    format!("rows of {} stand there", of.name.value),
                )
                .help("give the moved rows a partition of their own");
            if let Some(clash) = clash {
                diagnostic = diagnostic.example("partition key", shown_key(&clash.texts));
            }
            report.entity(moved.entity, diagnostic);
        }
    }
}

/// Rows that would be deleted with a row, but do not move with it.
fn not_carried(model: &Model, movement: &Move, removes: &[EntityId], report: &mut Report) {
    let carried = carried(model, movement.of);
    for (id, entity) in model.stored() {
        let same_table = entity.table == model.entity(movement.of).table;
        if id == movement.of || carried.contains(&id) || removes.contains(&id) || !same_table {
            continue;
        }
        let cascading = entity.attributes.iter().find(|attribute| {
            attribute.reference.as_ref().is_some_and(|reference| {
                reference.target == movement.of && reference.on_delete == OnDelete::Cascade
            })
        });
        let Some(attribute) = cascading else { continue };
        let message = format!(
            "`{}` moves a `{}`, but not the rows of `{}` that refer to it",
            movement.name.value,
            model.entity(movement.of).name.value,
            entity.name.value
        );
        let diagnostic = Diagnostic::new(Code::LeftBehind, movement.span, message)
            .label(attribute.span, "deleted with it, but not moved with it")
            .help("own a pattern that finds them (`owns`), and say in `rest` what they become");
        report.entity(id, diagnostic);
    }
}

/// Rows in the partition of a row that can be deleted, with nothing that says what becomes of them.
fn orphans(model: &Model, id: EntityId, root: &Entity, report: &mut Report) {
    let Some(key) = root
        .primary()
        .filter(|_| root.writes.delete && is_root(root))
    else {
        return;
    };
    let owned = carried(model, id);
    for (other_id, other) in model.stored() {
        let Some(other_key) = other.primary() else {
            continue;
        };
        let together =
            other_id != id && other.table == root.table && same_partition(key, other_key);
        if !together || owned.contains(&other_id) || refers_to(model, other, id) {
            continue;
        }
        let message = format!(
            "deleting a `{}` leaves the rows of `{}` in its partition behind",
            root.name.value, other.name.value
        );
        let diagnostic = Diagnostic::new(Code::LeftBehind, other.span, message)
            .label(root.span, "the row that the partition is named after")
            .help(format!("refer to it (`-> {}, on_delete = cascade`), or let it own a pattern that finds them", root.name.value));
        report.entity(other_id, diagnostic);
    }
}

/// A row whose key says no more than its partition, which is not named after another row.
fn is_root(entity: &Entity) -> bool {
    let Some(key) = entity.primary() else {
        return false;
    };
    let partition: Vec<_> = key
        .hash
        .fields()
        .flat_map(|field| field.attributes())
        .map(|name| &name.value)
        .collect();
    let rest = key
        .range
        .iter()
        .flat_map(|range| range.fields())
        .flat_map(|field| field.attributes());
    let named_after = |name: &&String| {
        entity
            .attribute(name)
            .is_some_and(|attribute| attribute.reference.is_some())
    };
    !partition.is_empty()
        && !partition.iter().any(named_after)
        && rest
            .into_iter()
            .all(|name| partition.contains(&&name.value))
}

fn same_partition(a: &Key, b: &Key) -> bool {
    a.hash.text == b.hash.text && a.global == b.global
}

/// Whether one of its references leads to that entity, or to one in whose partition that entity is the root.
fn refers_to(model: &Model, entity: &Entity, target: EntityId) -> bool {
    let references = entity
        .attributes
        .iter()
        .filter_map(|attribute| attribute.reference.as_ref());
    let mut targets = references.map(|reference| reference.target);
    targets.any(|found| found == target || model.entity(target).like == Some(found))
}
