//! Whose a row is. Requests ask for the tenant's own partitions; this is held against what came back, so that neither a
//! value that looks like a prefix nor a row under a foreign key is ever shown.

pub(super) mod belonging;
pub(super) mod row_tenant;

use super::StoredRow;
use crate::record;
use crate::scope::Scope;
use crate::value;
use monotable_item::ValueView;
use monotable_model::model::{
    Entity, Field, Key, KeyPlace, Part, Root, Source, TableId, Template, Tenant,
};

/// Whether a row is the tenant's, or of an entity that belongs to nobody.
pub(super) fn owns(scope: &Scope, found: &StoredRow) -> bool {
    if scope.model().tenant.is_none() {
        return true;
    }
    let entity = scope.entity(found.record.entity);
    addresses(entity).any(|(table, key)| {
        let hash = &scope.model().table(table).hash.value;
        match (found.item.view().get(hash), key.global) {
            (Some(ValueView::S(hash)), false) => is_own(scope, hash),
            (Some(ValueView::S(hash)), true) => is_global(scope, found, key, hash),
            _ => false,
        }
    })
}

/// The primary keys that rows of an entity have, in any layout, and their tables.
fn addresses(entity: &Entity) -> impl Iterator<Item = (TableId, &Key)> {
    let written = entity.keys.iter().map(|key| (entity.table, key));
    let layouts = entity.layouts.iter();
    let others = layouts.flat_map(|layout| layout.keys.iter().map(|key| (layout.table, key)));
    let all = written.chain(others);
    all.filter(|(_, key)| key.place == KeyPlace::Primary)
}

/// Whether a partition key is the tenant's: it begins with its prefix, or, of the one without, with none.
pub(crate) fn is_own(scope: &Scope, hash: &str) -> bool {
    match &scope.model().tenant {
        None => true,
        Some(_) if !scope.prefix.is_empty() => hash.starts_with(&scope.prefix),
        Some(tenant) => !begins_with_prefix(tenant, &tenant.prefix.parts, hash),
    }
}

/// Whether a text begins with the prefix of some tenant.
fn begins_with_prefix(tenant: &Tenant, parts: &[Part], text: &str) -> bool {
    match parts.split_first() {
        None => true,
        Some((Part::Literal(literal), rest)) => text
            .strip_prefix(literal.value.as_str())
            .is_some_and(|text| begins_with_prefix(tenant, rest, text)),
        Some((Part::Field(_), rest)) => ends(rest, text)
            .filter_map(|end| text.split_at_checked(end))
            .any(|(id, text)| is_id(tenant, id) && begins_with_prefix(tenant, rest, text)),
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

/// Whether a key without a prefix is one of this entity; where the tenant stands inside the key, it is this one.
fn is_global(scope: &Scope, found: &StoredRow, key: &Key, hash: &str) -> bool {
    let tenant = key.hash.parts.iter().rposition(names_tenant);
    let parts = match tenant {
        Some(position) => key.hash.parts.get(..=position).unwrap_or_default(),
        None => leading_text(&key.hash),
    };
    let beginning = Template {
        parts: parts.to_vec(),
        ..key.hash.clone()
    };
    let model = scope.model();
    let beginning = record::render(
        model,
        &found.record.values,
        &beginning,
        &scope.circumstances,
    );
    let rest = beginning.and_then(|beginning| hash.strip_prefix(beginning.as_str()));
    // The tenant without a prefix is there if no other one is.
    let bare = tenant.is_some() && scope.prefix.is_empty();
    rest.is_some_and(|rest| !bare || is_own(scope, rest))
}

fn names_tenant(part: &Part) -> bool {
    let of_tenant = |source: &Source| {
        matches!(
            source,
            Source::Path {
                root: Some(Root::Tenant),
                ..
            }
        )
    };
    match part {
        Part::Literal(_) => false,
        Part::Field(Field { sources, .. }) => sources.iter().any(of_tenant),
    }
}

fn leading_text(template: &Template) -> &[Part] {
    match template.parts.split_first() {
        Some((first @ Part::Literal(_), _)) => std::slice::from_ref(first),
        _ => &[],
    }
}
