//! What a stored item lacks to be what its row says, and what it has too much.

use super::Record;
use monotable_item::Item;
use monotable_model::compiled::CompiledModel;
use std::collections::BTreeSet;

/// The attributes that are set and removed to make `stored` equal to `wanted`. Attributes that the model does not know
/// stay, old spellings of those it knows go, and so do keys of indexes that the row is no longer in.
pub(crate) fn find_rewrites(
    model: &CompiledModel,
    row: &Record,
    stored: &Item,
    wanted: &Item,
) -> (Item, BTreeSet<String>) {
    let entity = model.model().entity(row.entity);
    let mut set = Item::new();
    for (name, value) in wanted.iter() {
        if stored.get(name) != Some(value) {
            set.insert(name.clone(), value.clone());
        }
    }
    let spellings = model.entity(row.entity).map(|entity| &entity.spellings);
    let extra = stored.iter().map(|(name, _)| name);
    let remove = extra.filter(|name| {
        let ours = model.is_key_attribute(entity.table, name)
            || spellings.is_some_and(|spellings| spellings.contains_key(*name))
            || entity.open
            || entity.family(name).is_some();
        ours && wanted.get(name).is_none()
    });
    (set, remove.cloned().collect())
}
