//! Tenants, told by how a partition key begins.

use crate::value;
use monotable_model::model::{Part, Tenant};

/// Whether a text begins with the prefix of some tenant.
pub(super) fn begins_with_prefix(tenant: &Tenant, text: &str) -> bool {
    parts_begin(tenant, &tenant.prefix.parts, text)
}

fn parts_begin(tenant: &Tenant, parts: &[Part], text: &str) -> bool {
    match parts.split_first() {
        None => true,
        Some((Part::Literal(literal), rest)) => text
            .strip_prefix(literal.value.as_str())
            .is_some_and(|text| parts_begin(tenant, rest, text)),
        Some((Part::Field(_), rest)) => ends(rest, text)
            .filter_map(|end| text.split_at_checked(end))
            .any(|(id, text)| is_id(tenant, id) && parts_begin(tenant, rest, text)),
    }
}

/// The tenants whose prefix a partition key begins with: one, unless ids may contain what ends them.
pub(crate) fn tenant_ids(tenant: &Tenant, hash: &str) -> Vec<String> {
    let mut ids = Vec::new();
    collect_ids(tenant, &tenant.prefix.parts, hash, None, &mut ids);
    ids
}

fn collect_ids(
    tenant: &Tenant,
    parts: &[Part],
    text: &str,
    id: Option<&str>,
    ids: &mut Vec<String>,
) {
    match parts.split_first() {
        None => ids.extend(id.map(str::to_owned)),
        Some((Part::Literal(literal), rest)) => {
            if let Some(text) = text.strip_prefix(literal.value.as_str()) {
                collect_ids(tenant, rest, text, id, ids);
            }
        }
        Some((Part::Field(_), rest)) => {
            let splits = ends(rest, text).filter_map(|end| text.split_at_checked(end));
            for (found, text) in splits.filter(|(found, _)| is_id(tenant, found)) {
                if id.is_none_or(|id| id == found) {
                    collect_ids(tenant, rest, text, Some(found), ids);
                }
            }
        }
    }
}

/// Where a value at the beginning of a text may end: before the literal that follows it, or anywhere.
fn ends(rest: &[Part], text: &str) -> impl Iterator<Item = usize> {
    let literal = match rest.first() {
        Some(Part::Literal(literal)) => literal.value.as_str(),
        Some(Part::Field(_)) | None => "",
    };
    let starts = text.char_indices().map(|(start, _)| start);
    let ends = starts.skip(1).chain([text.len()]);
    ends.filter(move |end| {
        text.get(*end..)
            .is_some_and(|text| text.starts_with(literal))
    })
}

fn is_id(tenant: &Tenant, text: &str) -> bool {
    value::accept(&tenant.attribute.kind, text.into()).is_ok()
}
