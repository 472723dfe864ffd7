//! M018: a create that cannot fit one transaction.

use super::{Report, Subject};
use monotable_item::limits::MAX_TRANSACTION_ACTIONS;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{AuditEvent, Entity, EntityId, Kind, Model};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        if !entity.writes.create {
            continue;
        }
        let parts = actions(subject.model, id, entity);
        let total: usize = parts.iter().map(|(count, _)| count).sum();
        if total > MAX_TRANSACTION_ACTIONS {
            let mut diagnostic = Diagnostic::new(
                Code::LargeTransaction,
                entity.span,
                format!(
                    "creating a `{}` takes up to {total} actions; a transaction has at most {MAX_TRANSACTION_ACTIONS}",
                    entity.name.value
                ),
            );
            for (count, what) in parts.iter().filter(|(count, _)| *count > 0) {
                diagnostic = diagnostic.example(what.clone(), count.to_string());
            }
            report.entity(
                id,
                diagnostic.help(
                    "give lists a smaller length, relations a smaller depth, or a `serial` counter",
                ),
            );
        }
    }
}

/// The actions of one create, as far as they are bounded, and what each is for.
fn actions(model: &Model, id: EntityId, entity: &Entity) -> Vec<(usize, String)> {
    let mut parts = vec![(1, "the row".to_owned())];
    parts.push((entity.claims.len(), "guards".to_owned()));
    let references = entity
        .attributes
        .iter()
        .filter_map(|attribute| Some((attribute, attribute.reference.as_ref()?)));
    for (attribute, reference) in references.filter(|(_, reference)| !reference.missing_warns) {
        let count = if reference.many {
            most(&attribute.kind)
        } else {
            1
        };
        parts.push((
            count,
            format!("rows that `{}` refers to", attribute.name.value),
        ));
    }
    if let Some(relation) = entity.relation.as_ref().filter(|relation| relation.acyclic) {
        let count = if relation.serial.is_some() {
            1
        } else {
            relation.depth
        };
        parts.push((
            count,
            "links above, which must not change meanwhile".to_owned(),
        ));
    }
    for derive in model.derives.iter().filter(|derive| derive.of == id) {
        let lists = derive.each.iter().flat_map(|each| &each.lists);
        let lengths = lists.map(|list| {
            let attribute = list.first().and_then(|name| entity.attribute(&name.value));
            attribute
                .filter(|_| list.len() == 1)
                .map_or(0, |attribute| most(&attribute.kind))
        });
        let rows = if derive.each.is_empty() {
            1
        } else {
            lengths.sum()
        };
        parts.push((rows, format!("rows of `{}`", derive.name.value)));
    }
    for each in &entity.each {
        let lists = each
            .lists
            .iter()
            .filter_map(|list| entity.attribute(&list.first()?.value));
        let rows: usize = lists.map(|attribute| most(&attribute.kind)).sum();
        parts.push((
            rows.saturating_sub(1),
            "one row for each element".to_owned(),
        ));
    }
    let audits = model
        .audits
        .iter()
        .filter(|audit| audit.of.contains(&id) && audit.on.contains(&AuditEvent::Create));
    parts.push((audits.count(), "audit rows".to_owned()));
    parts
}

/// The most elements of a list; what has no bound is split when it is written.
fn most(kind: &Kind) -> usize {
    match kind {
        Kind::List { length, .. } => length
            .most
            .and_then(|most| usize::try_from(most).ok())
            .unwrap_or(0),
        _ => 0,
    }
}
