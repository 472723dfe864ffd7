//! Items that the model does not know, described for whoever looks for the reason.

use super::LocatedItem;
use crate::address::Address;
use crate::mechanism::Statements;
use crate::scope::Scope;
use crate::verify::UnknownItem;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledKey;
use monotable_model::model::{Entity, EntityId, KeyPlace};

/// How much of an entity's key an item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    None,
    Partition,
    Key,
}

/// Says which entity an item is most like, and what does not fit.
pub(super) fn describe_unknown(
    located: &LocatedItem,
    statements: &Statements,
    item: &Item,
) -> UnknownItem {
    let scope = &located.scope;
    let address = &located.address;
    let nearest = scope
        .model()
        .stored()
        .map(|(id, entity)| {
            (
                likeness(scope, id, entity, address),
                says_kind(entity, item),
                id,
            )
        })
        .filter(|(likeness, says, _)| *likeness != Likeness::None || *says)
        .max_by_key(|(likeness, says, id)| (*likeness, *says, std::cmp::Reverse(*id)));
    let misfit = match nearest {
        None => "no entity has such a key".to_owned(),
        Some((likeness, _, id)) => describe_misfit(scope, id, likeness, item),
    };
    let guard = statements.guards().looks_like(scope, address);
    let (nearest, misfit) = match guard {
        Some(id) => (
            Some(id),
            format!(
                "it stands where guards of {} do, and is none",
                scope.name(id)
            ),
        ),
        None => (nearest.map(|(_, _, id)| id), misfit),
    };
    UnknownItem {
        table: scope.model().table(address.table()).name.value.clone(),
        key: address.to_string(),
        nearest: nearest.map(|id| scope.name(id).to_owned()),
        misfit,
    }
}

fn likeness(scope: &Scope, id: EntityId, entity: &Entity, address: &Address) -> Likeness {
    let keys = scope
        .compiled()
        .entity(id)
        .map(|entity| entity.keys.as_slice());
    let mut keys = keys.unwrap_or_default().iter();
    let primary = keys.find(|key| key.place == KeyPlace::Primary);
    let Some(key) = primary.filter(|_| entity.table == address.table()) else {
        return Likeness::None;
    };
    let own = scope
        .addressing()
        .strip_prefix(address.partition_key(), key.global);
    if !own.is_some_and(|own| key.hash.looks_like(own)) {
        return Likeness::None;
    }
    if fits_sort(key, address) {
        Likeness::Key
    } else {
        Likeness::Partition
    }
}

fn fits_sort(key: &CompiledKey, address: &Address) -> bool {
    match (&key.range, address.sort_key()) {
        (Some(template), Some(text)) => template.looks_like(text),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether an item says that it is of an entity.
fn says_kind(entity: &Entity, item: &Item) -> bool {
    !entity.is.is_empty()
        && entity
            .is
            .iter()
            .all(|known| match item.get(&known.attribute.value) {
                Some(AttributeValue::S(word)) => known.read.contains(word),
                _ => false,
            })
}

fn describe_misfit(scope: &Scope, id: EntityId, likeness: Likeness, item: &Item) -> String {
    let entity = scope.entity(id);
    let name = &entity.name.value;
    let other = entity.is.iter().find_map(|known| {
        let attribute = &known.attribute.value;
        match item.get(attribute) {
            Some(AttributeValue::S(word)) if known.read.contains(word) => None,
            Some(AttributeValue::S(word)) => Some(format!(
                "its key is like that of {name}, and `{attribute}` is `{word}` instead of `{}`",
                known.written
            )),
            Some(_) | None => None,
        }
    });
    match (likeness, other) {
        (Likeness::Key, Some(other)) => other,
        (Likeness::Key, None) => {
            format!(
                "its key begins like that of {name}, and a value in it is none that {name} may have"
            )
        }
        (Likeness::Partition, _) => {
            format!("its partition key is like that of {name}, and its sort key is not")
        }
        (Likeness::None, _) => format!("it says that it is {name}, and its key is another"),
    }
}
