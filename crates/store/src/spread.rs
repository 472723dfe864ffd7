//! Items that are stored as several rows, one for each element of a list.

use crate::address::Address;
use crate::error::Error;
use crate::record::{self, Record};
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{Each, Entity, EntityId};

/// Whether rows of an entity stand for elements.
pub(crate) fn is_spread(scope: &Scope, entity: EntityId) -> bool {
    !scope.entity(entity).each.is_empty()
}

/// The rows of an item, which differ in their element and its place.
pub(crate) fn spread(scope: &Scope, item: &Record) -> Vec<Record> {
    let entity = scope.entity(item.entity);
    let mut rows = vec![item.clone()];
    for each in &entity.each {
        let mut next = Vec::new();
        for row in rows {
            for (address, element) in elements(&row.values, each).into_iter().enumerate() {
                let mut row = row.clone();
                row.values.insert(each.variable.value.clone(), element);
                for name in positions(entity, each) {
                    row.values.insert(name, Number::from(address as u64));
                }
                next.push(row);
            }
        }
        rows = next;
    }
    for row in &mut rows {
        record::compute(scope.model(), row, &scope.circumstances);
    }
    rows
}

fn elements(values: &Item, each: &Each) -> Vec<AttributeValue> {
    let mut elements = Vec::new();
    for list in &each.lists {
        let name = list.first().map(|name| name.value.as_str());
        if let Some(AttributeValue::L(values)) = name.and_then(|name| values.get(name)) {
            elements.extend(values.iter().cloned());
        }
    }
    elements
}

/// The attributes that hold the place in the list.
pub(crate) fn positions(entity: &Entity, each: &Each) -> Vec<String> {
    let lists: Vec<&str> = each
        .lists
        .iter()
        .filter_map(|list| list.first())
        .map(|name| name.value.as_str())
        .collect();
    let attributes = entity.attributes.iter().filter(|attribute| {
        let list = attribute.position.as_ref();
        list.is_some_and(|list| lists.contains(&list.value.as_str()))
    });
    attributes
        .map(|attribute| attribute.name.value.clone())
        .collect()
}

/// Where a row stands; of an item that is stored as several rows, where the first of them stands.
pub(crate) fn locate_first(scope: &Scope, row: &Record) -> Result<Option<Address>, Error> {
    if !is_spread(scope, row.entity) {
        return scope.row_address(row).map(Some);
    }
    let rows = spread(scope, row);
    rows.first().map(|row| scope.row_address(row)).transpose()
}

/// The item that a row is one of the rows of.
pub(crate) fn join(scope: &Scope, mut row: Record) -> Record {
    let entity = scope.entity(row.entity);
    for each in &entity.each {
        row.values.remove(&each.variable.value);
        for name in positions(entity, each) {
            row.values.remove(&name);
        }
    }
    row
}
