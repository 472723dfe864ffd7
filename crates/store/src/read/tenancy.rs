//! Whose a row is. Requests ask for the tenant's own partitions; this is held against what came back, so that neither a
//! value that looks like a prefix nor a row under a foreign key is ever shown.

pub(super) mod belonging;
pub(super) mod row_tenant;

use super::StoredRow;
use crate::scope::Scope;
use crate::template;
use monotable_item::ValueView;
use monotable_model::model::{Entity, Field, Key, KeyPlace, Part, Root, Source, TableId, Template};

/// Whether a row is the tenant's, or of an entity that belongs to nobody.
pub(super) fn owns(scope: &Scope, found: &StoredRow) -> bool {
    if scope.model().tenant.is_none() {
        return true;
    }
    let entity = scope.entity(found.record.entity);
    addresses(entity).any(|(table, key)| {
        let hash = &scope.model().table(table).hash.value;
        match (found.item.view().get(hash), key.global) {
            (Some(ValueView::S(hash)), false) => scope.addressing().is_own(hash),
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
    let beginning = template::render(
        model,
        &found.record.values,
        &beginning,
        &scope.circumstances,
    );
    let rest = beginning.and_then(|beginning| hash.strip_prefix(beginning.as_str()));
    // The tenant without a prefix is there if no other one is.
    let bare = tenant.is_some() && scope.addressing().prefix().is_empty();
    rest.is_some_and(|rest| !bare || scope.addressing().is_own(rest))
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
