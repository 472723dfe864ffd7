//! Notes of what becomes of rows, for whoever asked for a trace.

use crate::address::Address;
use crate::change::{Cause, CauseKind, ItemChange, RowChange};
use crate::change_log::{Fate, NotedChange};
use crate::record::Record;
use crate::row::mask_secrets;
use crate::scope::Scope;
use monotable_item::Item;

/// Notes the rows of a change, if somebody wants to know.
pub(super) fn note_change(scope: &Scope, change: &ItemChange) {
    let Some(log) = &scope.changes else { return };
    let cause = name_cause(change.kind());
    for row in &change.rows {
        let noted = |fate, record: &Record, before, after| NotedChange {
            entity: scope.name(record.entity).to_owned(),
            cause,
            declaration: find_declaration(scope, &change.cause, record),
            before,
            after,
            fate,
        };
        let (old, new) = find_places(scope, row);
        match (old, new) {
            (Some((place, old)), None) => {
                log.note(place, noted(Fate::Deleted, old, show(scope, old), None));
            }
            (None, Some((place, new))) => {
                log.note(place, noted(Fate::Created, new, None, show(scope, new)));
            }
            (Some((from, old)), Some((to, new))) if from == to => {
                let (before, after) = (show(scope, old), show(scope, new));
                log.note(to, noted(Fate::Changed, new, before, after));
            }
            (Some((from, old)), Some((to, new))) => {
                log.note(from, noted(Fate::Deleted, old, show(scope, old), None));
                log.note(to, noted(Fate::Created, new, None, show(scope, new)));
            }
            (None, None) => {}
        }
    }
}

type Place<'r> = Option<(Address, &'r Record)>;

fn find_places<'r>(scope: &Scope, row: &'r RowChange) -> (Place<'r>, Place<'r>) {
    let old = row.old.as_ref();
    let old = old.map(|old| (old.address.clone(), &old.record));
    let new = row.new.as_ref();
    let new = new.and_then(|new| Some((scope.row_address(new).ok()?, new)));
    (old, new)
}

fn show(scope: &Scope, record: &Record) -> Option<Item> {
    let entity = scope.entity(record.entity);
    Some(mask_secrets(entity, record.values.clone()))
}

const fn name_cause(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::Caller => "caller",
        CauseKind::Cascade => "cascade",
        CauseKind::Rekeyed | CauseKind::MovedAway | CauseKind::MovedBack | CauseKind::Purged => {
            "move"
        }
        CauseKind::Carried => "carried",
        CauseKind::Mirrored => "mirrored",
        CauseKind::Derived => "derived",
        CauseKind::Path => "path",
        CauseKind::Noted => "noted",
        CauseKind::Committed => "committed",
        CauseKind::Snapshot => "snapshot",
    }
}

/// The declaration that causes a change, where the cause says which.
fn find_declaration(scope: &Scope, cause: &Cause, record: &Record) -> Option<String> {
    match cause {
        Cause::Cascade(references) => {
            let (attribute, _) = references.first()?;
            let entity = scope.name(record.entity);
            Some(format!("entity.{entity}.attributes.{attribute}"))
        }
        Cause::Rekeyed(name) | Cause::Carried(name) => Some(format!("move.{name}")),
        _ => None,
    }
}
