//! Items and keys held against a table's schema.

use crate::catalog::{AddedIndex, Index, Table};
use crate::keys::{self, ItemKey};
use crate::{vector, wording};
use monotable_api::{Error, KeyAttribute};
use monotable_expr::Update;
use monotable_expr::tree::{Action, DocumentPath, NewValue};
use monotable_item::limits::{
    MAX_ITEM_BYTES, MAX_NESTING, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES,
};
use monotable_item::{AttributeType, EncodedItem, ItemView, ValueProblem, ValueView};

/// Checks an item that is to be put, and gives its key.
pub(crate) fn check_item(table: &Table, encoded: &EncodedItem) -> Result<ItemKey, Error> {
    let item = encoded.view();
    for key in table.key.attributes() {
        let value = item
            .get(&key.name)
            .ok_or_else(|| wording::missing_key(&key.name))?;
        if !has_type(key, value) {
            let (expected, actual) = (key.kind.attribute_type(), value.attribute_type());
            return Err(wording::wrong_key_type(&key.name, expected, actual));
        }
        check_not_empty(value, |kind| wording::empty_key(&key.name, kind))?;
    }
    check_key_size(table, item)?;
    check_index_keys(table, item, None, Origin::Put)?;
    if encoded.size() > MAX_ITEM_BYTES {
        return Err(wording::item_too_large());
    }
    keys::item_key(table, item).ok_or_else(wording::key_mismatch)
}

/// Checks a key that a request names an item by, and gives its bytes.
pub(crate) fn check_key(table: &Table, key: ItemView<'_>) -> Result<ItemKey, Error> {
    if key.len() != table.key.attributes().count() {
        return Err(wording::key_mismatch());
    }
    check_key_values(table.key.attributes(), key)?;
    check_key_size(table, key)?;
    keys::item_key(table, key).ok_or_else(wording::key_mismatch)
}

/// Checks that key attributes are there, of their types and not empty.
pub(crate) fn check_key_values<'a>(
    attributes: impl Iterator<Item = &'a KeyAttribute>,
    item: ItemView<'_>,
) -> Result<(), Error> {
    for key in attributes {
        let value = item.get(&key.name).ok_or_else(wording::key_mismatch)?;
        if !has_type(key, value) {
            return Err(wording::key_mismatch());
        }
        check_not_empty(value, |kind| wording::empty_key(&key.name, kind))?;
    }
    Ok(())
}

fn check_key_size(table: &Table, item: ItemView<'_>) -> Result<(), Error> {
    check_sizes(&table.key.hash, &table.key.range, item)
}

/// How an item came to have its attributes: AWS words the same mistake differently.
#[derive(Clone, Copy)]
enum Origin {
    Put,
    Update,
}

impl Origin {
    fn wrong_type(self, key: &KeyAttribute, value: ValueView<'_>, index: &Index) -> Error {
        match self {
            Self::Put => wording::wrong_index_key_type(
                &key.name,
                key.kind.attribute_type(),
                value.attribute_type(),
                &index.name,
            ),
            Self::Update => wording::updates_index_key_to_wrong_type(),
        }
    }

    fn empty(self, key: &KeyAttribute, kind: &str, index: &Index) -> Error {
        match self {
            Self::Put => wording::empty_index_key(&key.name, kind, &index.name),
            Self::Update => wording::updates_index_key_to_empty(kind),
        }
    }
}

/// Checks that an item fits every index that it is or may be in. An absent key leaves it out of the
/// index; a key that the index cannot take refuses the item, even if the write leaves that key as it is: once an index is
/// active, an item from before that does not fit can be mended and deleted, and nothing else (AWS's guide, "Detecting and
/// correcting index key violations"). While the index is being filled, such an item may be written as long as its keys stay.
fn check_index_keys(
    table: &Table,
    item: ItemView<'_>,
    old: Option<ItemView<'_>>,
    origin: Origin,
) -> Result<(), Error> {
    for index in table.indexes.iter().filter(|index| index.is_kept()) {
        if let Err(error) = check_index_key(index, item, origin) {
            let names = index.named_attributes().map(|key| &key.name);
            let mut names = names.chain(index.vector.iter().map(|vector| &vector.attribute));
            let is_old = old.is_some_and(|old| names.all(|name| old.get(name) == item.get(name)));
            if index.added != Some(AddedIndex::Creating) || !is_old {
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Whether an index can take the keys that an item has for it.
pub(crate) fn fits_index(index: &Index, item: ItemView<'_>) -> bool {
    check_index_key(index, item, Origin::Update).is_ok()
}

fn check_index_key(index: &Index, item: ItemView<'_>, origin: Origin) -> Result<(), Error> {
    for key in index.named_attributes() {
        let Some(value) = item.get(&key.name) else {
            continue;
        };
        if !has_type(key, value) {
            return Err(origin.wrong_type(key, value, index));
        }
        check_not_empty(value, |kind| origin.empty(key, kind, index))?;
    }
    if let Some(definition) = &index.vector {
        vector::read(definition, item)
            .map_err(|problem| wording::wrong_vector(&index.name, definition, problem))?;
    }
    check_sizes(&index.key.hash, &index.key.range, item)
}

fn check_sizes(
    hash: &[KeyAttribute],
    range: &[KeyAttribute],
    item: ItemView<'_>,
) -> Result<(), Error> {
    let size = |keys: &[KeyAttribute]| {
        let values = keys.iter().filter_map(|key| item.get(&key.name));
        values.map(|value| value.size()).sum::<usize>()
    };
    if size(hash) > MAX_PARTITION_KEY_BYTES {
        return Err(wording::long_hash_key());
    }
    if size(range) > MAX_SORT_KEY_BYTES {
        return Err(wording::long_range_key());
    }
    Ok(())
}

/// Checks that values which an update writes as they are have the types of the index keys that they are
/// written to. What depends on the item is checked when the item is known.
pub(crate) fn check_update_types(table: &Table, update: &Update) -> Result<(), Error> {
    for index in table.indexes.iter().filter(|index| index.is_kept()) {
        for key in index.named_attributes() {
            let written = update
                .actions()
                .iter()
                .find(|action| !action.path().is_nested() && action.path().attribute() == key.name);
            let expected = key.kind.attribute_type();
            match written.and_then(written_type) {
                Some(actual) if actual != expected => {
                    return Err(wording::wrong_index_key_type(
                        &key.name,
                        expected,
                        actual,
                        &index.name,
                    ));
                }
                Some(_) | None => {}
            }
        }
    }
    Ok(())
}

/// The type of what an action writes, where it does not depend on the item.
fn written_type(action: &Action) -> Option<AttributeType> {
    match action {
        Action::Set { value, .. } => match value {
            NewValue::Value(value) => Some(value.view().attribute_type()),
            NewValue::Sum(..) | NewValue::Difference(..) => Some(AttributeType::N),
            NewValue::ListAppend(..) => Some(AttributeType::L),
            NewValue::Path(_) | NewValue::IfNotExists(..) => None,
        },
        Action::Add { value, .. } | Action::Delete { value, .. } => {
            Some(value.view().attribute_type())
        }
        Action::Remove { .. } => None,
    }
}

/// Checks an item after an update of `old`.
pub(crate) fn check_updated(
    table: &Table,
    old: Option<ItemView<'_>>,
    encoded: &EncodedItem,
) -> Result<(), Error> {
    let item = encoded.view();
    check_index_keys(table, item, old, Origin::Update)?;
    if item.nesting() >= MAX_NESTING {
        return Err(Error::validation(ValueProblem::TooDeep));
    }
    if encoded.size() > MAX_ITEM_BYTES {
        Err(wording::updated_item_too_large())
    } else {
        Ok(())
    }
}

/// Checks that no expression looks into a key: keys have no insides.
pub(crate) fn check_paths<'a>(
    table: &Table,
    paths: impl IntoIterator<Item = &'a DocumentPath>,
) -> Result<(), Error> {
    for path in paths.into_iter().filter(|path| path.is_nested()) {
        let is_path = |key: &KeyAttribute| key.name == path.attribute();
        if table.key.attributes().any(is_path) {
            return Err(wording::key_is_scalar("Key", path.attribute()));
        }
        let mut indexes = table.indexes.iter();
        if indexes.any(|index| index.key.attributes().any(is_path)) {
            return Err(wording::key_is_scalar("IndexKey", path.attribute()));
        }
    }
    Ok(())
}

/// Whether a value has the type of a key attribute.
pub(crate) fn has_type(key: &KeyAttribute, value: ValueView<'_>) -> bool {
    value.attribute_type() == key.kind.attribute_type()
}

/// Refuses a key that is an empty string or binary.
pub(crate) fn check_not_empty(
    value: ValueView<'_>,
    refuse: impl FnOnce(&'static str) -> Error,
) -> Result<(), Error> {
    match value {
        ValueView::S("") => Err(refuse("string")),
        ValueView::B([]) => Err(refuse("binary")),
        _ => Ok(()),
    }
}
