//! M012 and M019: what must be certain is decided by the table, and can be decided at all.

use super::reach::{Reach, reach, target};
use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{
    Attribute, CheckRule, Entity, EntityId, KeyPlace, OnDelete, Reference, Way,
};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        for attribute in &entity.attributes {
            if let Some(reference) = &attribute.reference {
                existence(subject, id, entity, attribute, reference, report);
                deletes(subject, id, entity, attribute, reference, report);
            }
        }
    }
    checks(subject, report);
}

/// A write checks that the row exists that it refers to.
fn existence(
    subject: &Subject<'_>,
    id: EntityId,
    entity: &Entity,
    attribute: &Attribute,
    reference: &Reference,
    report: &mut Report,
) {
    // A repository finds the rows of its own heads and snapshots.
    if subject.model.repository_of(reference.target).is_some() {
        return;
    }
    let (name, of) = (
        &attribute.name.value,
        &subject.model.entity(reference.target).name.value,
    );
    match target(subject.model, entity, attribute, reference) {
        Some(Reach::Certain) => {}
        Some(Reach::Index(_)) => {
            let message = format!(
                "`{name}` refers to `{of}` by a value that only an index finds: an index lags behind"
            );
            let diagnostic = Diagnostic::new(Code::IndexDecides, attribute.span, message)
                .help("let keys of the table lead to it, claim the value, or accept that a fresh row may not be found");
            report.entity(id, diagnostic);
        }
        None => {
            let message = format!(
                "`{name}` refers to `{of}`, but nothing leads from `{}` to that row",
                entity.name.value
            );
            let diagnostic = Diagnostic::new(Code::NoPath, attribute.span, message)
                .label(subject.model.entity(reference.target).span, "its key needs more than the reference holds")
                .help("give the row attributes of the same names as the rest of that key, or claim the id there");
            report.entity(id, diagnostic);
        }
    }
}

fn deletes(
    subject: &Subject<'_>,
    id: EntityId,
    entity: &Entity,
    attribute: &Attribute,
    reference: &Reference,
    report: &mut Report,
) {
    let target = subject.model.entity(reference.target);
    // Nothing is ever deleted there, or the reference is to dangle.
    if reference.on_delete == OnDelete::Keep
        || !target.writes.delete
        || subject.model.repository_of(reference.target).is_some()
    {
        return;
    }
    let does = match reference.on_delete {
        OnDelete::Cascade => "deletes",
        OnDelete::Clear => "clears",
        OnDelete::Restrict => "looks for",
        OnDelete::Keep => return,
    };
    let (name, of) = (&entity.name.value, &target.name.value);
    match reach(subject.model, entity, attribute, reference) {
        Some(Reach::Certain) => {}
        Some(Reach::Index(index)) => {
            let index = subject.model.table(entity.table).indexes.get(index);
            let index = index.map_or("", |index| index.name.value.as_str());
            let message = format!(
                "deleting a `{of}` {does} rows of `{name}` that only `{index}` finds: an index lags behind"
            );
            let diagnostic = Diagnostic::new(Code::IndexDecides, attribute.span, message)
                .help("a row written a moment before can be missed: let keys of the table lead to it, or accept it with what makes up for it");
            report.entity(id, diagnostic);
        }
        None => {
            let message = format!(
                "deleting a `{of}` {does} rows of `{name}`, but no key or index leads to them"
            );
            let diagnostic = Diagnostic::new(Code::NoPath, attribute.span, message)
                .label(target.span, "deleted here")
                .help("name a pattern (`via = pattern`), add an index or a row that points to them, or say `on_delete = keep`");
            report.entity(id, diagnostic);
        }
    }
}

/// Checks that ask an index.
fn checks(subject: &Subject<'_>, report: &mut Report) {
    for check in &subject.model.checks {
        let pattern = match &check.demand {
            CheckRule::Among { pattern, .. } | CheckRule::Absent(pattern) => *pattern,
            CheckRule::Must(_) => continue,
        };
        let access = subject.model.pattern(pattern);
        if let Way::Query { key, .. } = &access.way
            && key.place != KeyPlace::Primary
        {
            let message = format!(
                "`{}` asks an index (`{}`), which lags behind",
                check.name.value, access.name.value
            );
            let diagnostic = Diagnostic::new(Code::IndexDecides, check.span, message)
                .help("ask a pattern on the table's key, or accept that a change of a moment ago may not count");
            report.entity(check.of, diagnostic);
        }
    }
}
