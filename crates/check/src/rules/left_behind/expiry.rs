//! Rows that expire: DynamoDB deletes them, and knows nothing of what the model keeps beside them.

use super::super::Report;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Attribute, Entity, EntityId, Guard, Model, OnDelete};
use monotable_model::span::Span;

/// Finds what the expiry of a row leaves behind.
pub(super) fn check(model: &Model, id: EntityId, entity: &Entity, report: &mut Report) {
    let Some(ttl) = &model.table(entity.table).ttl else {
        return;
    };
    let mut attributes = entity.attributes.iter();
    let Some(expires) = attributes.find(|attribute| attribute.stored == ttl.value) else {
        return;
    };
    let Some((what, span)) = find_left(model, id, entity) else {
        return;
    };
    let message = format!(
        "rows of `{}` go by themselves at `{}`, and {what}",
        entity.name.value, expires.name.value
    );
    let diagnostic = Diagnostic::new(Code::LeftBehind, expires.span, message)
        .label(span, "stays behind")
        .help("delete such rows through the model, by a time of another name, and keep `ttl` for rows that stand alone");
    report.entity(id, diagnostic);
}

/// The first thing that is kept for a row and does not go with it.
fn find_left(model: &Model, id: EntityId, entity: &Entity) -> Option<(String, Span)> {
    let mut claims = entity.claims.iter();
    if let Some(claim) = claims.find(|claim| !matches!(claim.guard, Guard::Snapshot)) {
        let what = format!(
            "the guard of `{}` stays: nobody else can take the value",
            claim.name.value
        );
        return Some((what, claim.span));
    }
    if let Some((counter, span)) = entity.attributes.iter().find_map(counted) {
        return Some((format!("`{counter}` goes on counting them"), span));
    }
    for (_, other) in model.stored() {
        let mut references = other.attributes.iter().filter_map(|attribute| {
            let reference = attribute.reference.as_ref()?;
            let is_left = reference.target == id && reference.on_delete != OnDelete::Keep;
            is_left.then_some((attribute, reference))
        });
        if let Some((attribute, reference)) = references.next() {
            let (name, attribute) = (&other.name.value, &attribute.name.value);
            let what = format!("`{attribute}` of `{name}` goes on naming them");
            return Some((what, reference.span));
        }
    }
    if let Some(derive) = model.derives.iter().find(|derive| derive.of == id) {
        let name = &model.entity(derive.entity).name.value;
        return Some((
            format!("what is derived from them stays: `{name}`"),
            derive.span,
        ));
    }
    if let Some(path) = model.paths.iter().find(|path| path.of == id) {
        let name = &model.entity(path.leaf).name.value;
        return Some((format!("the leaf of their path stays: `{name}`"), path.span));
    }
    None
}

fn counted(attribute: &Attribute) -> Option<(&str, Span)> {
    let reference = attribute.reference.as_ref()?;
    let counter = reference.counted.as_ref()?;
    Some((counter.value.as_str(), counter.span))
}
