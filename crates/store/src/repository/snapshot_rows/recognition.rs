//! Which entity an item of a snapshot is of.

use crate::record;
use crate::scope::Scope;
use monotable_item::{EncodedItem, ValueView};
use monotable_model::compiled::CompiledKey;
use monotable_model::model::{EntityId, KeyPlace, Repository};

/// The entity of an item, and whether it is in an old layout. By the literals of its sort key; where they do not tell, by
/// everything.
pub(super) fn recognise_entity(
    scope: &Scope,
    repository: &Repository,
    item: &EncodedItem,
) -> Option<(EntityId, bool)> {
    let table = scope.entity(*repository.entities.first()?).table;
    let name = &scope.model().table(table).range.as_ref()?.value;
    let Some(ValueView::S(sort)) = item.view().get(name) else {
        return None;
    };
    let compiled = scope.compiled();
    let mut found = None;
    for id in &repository.entities {
        let Some(entity) = compiled.entity(*id) else {
            continue;
        };
        let looks = |keys: &[CompiledKey]| {
            let range = primary(keys).and_then(|key| key.range.as_ref());
            range.is_some_and(|range| range.looks_like(sort))
        };
        let written = looks(&entity.keys);
        if !written && !entity.layouts.iter().any(|(_, _, keys)| looks(keys)) {
            continue;
        }
        let unpadded = || {
            let range = primary(&entity.keys).and_then(|key| key.range.as_ref());
            !entity.layouts.is_empty() && !range.is_some_and(|range| range.is_padded(sort))
        };
        if found.is_some() || !scope.entity(*id).is.is_empty() {
            return by_everything(scope, repository, item);
        }
        found = Some((*id, !written || unpadded()));
    }
    found
}

fn primary(keys: &[CompiledKey]) -> Option<&CompiledKey> {
    keys.iter().find(|key| key.place == KeyPlace::Primary)
}

fn by_everything(
    scope: &Scope,
    repository: &Repository,
    item: &EncodedItem,
) -> Option<(EntityId, bool)> {
    let table = scope.entity(*repository.entities.first()?).table;
    let found = record::decode_view(
        scope.compiled(),
        table,
        scope.addressing().prefix(),
        item.view(),
    );
    let (record, layout) = found?;
    let ours = repository.entities.contains(&record.entity);
    ours.then_some((record.entity, layout.is_some()))
}
