//! A part of a partition, read by one Query.

use super::Collection;
use crate::census::KEY_SEPARATOR;
use crate::context::{Context, OpenModel};
use crate::recognition::{Recogniser, Role, cover_secrets, find_text, list_key_names};
use crate::value::{parse_item, show_value, write_item};
use monotable_api::{Chosen, DynamoExt, GetItemInput, QueryInput, ReturnConsumedCapacity};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, KeyKind, Table};
use std::collections::BTreeMap;

/// So many items are read for a part that is scrolled to. The page holds a few such parts around what is seen, and at most 60
/// rows in all.
const ITEMS: i64 = 10;
/// So many items are read for a page as a whole: those that are seen at first.
const FIRST_ITEMS: i64 = 24;

/// An item as it is stored, and what it is.
pub(super) struct StoredItem {
    pub(super) item: Item,
    pub(super) role: Role,
    pub(super) size: usize,
}

impl StoredItem {
    fn new(
        open: &OpenModel,
        collection: &Collection<'_>,
        recogniser: &Recogniser<'_>,
        item: Item,
        size: usize,
    ) -> Self {
        let role = recogniser.recognise(collection.id, &item);
        let item = cover_secrets(open.model(), &role, item);
        Self { item, role, size }
    }

    /// How addresses call it: its key.
    pub(super) fn name(&self, table: &Table) -> String {
        let names = list_key_names(table);
        let key: Item = names
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), self.item.get(name)?.clone())))
            .collect();
        write_item(&key)
    }

    /// The entity whose keys it has.
    pub(super) fn entity(&self, open: &OpenModel) -> Option<EntityId> {
        let Role::Row(row) = &self.role else {
            return None;
        };
        open.model().entity_named(&row.entity).map(|(id, _)| id)
    }

    /// The text that it is sorted by.
    pub(super) fn sort_text(&self, collection: &Collection<'_>) -> String {
        let names = collection.table.sort_attributes(collection.place);
        let texts: Vec<String> = names
            .filter_map(|name| self.item.get(&name.value))
            .map(show_value)
            .collect();
        if texts.is_empty() {
            return find_text(&self.item, &collection.table.hash.value).to_owned();
        }
        texts.join(" / ")
    }

    /// Its attributes without those of keys and those that its key shows already.
    pub(super) fn own_values(
        &self,
        open: &OpenModel,
        collection: &Collection<'_>,
    ) -> Vec<(String, String)> {
        let table = collection.table;
        let declared = self.entity(open).map(|id| open.model().entity(id));
        let told: Vec<&str> = declared
            .map(|entity| {
                entity
                    .is
                    .iter()
                    .map(|is| is.attribute.value.as_str())
                    .collect()
            })
            .unwrap_or_default();
        let in_key = declared
            .map(|entity| entity.key_attributes())
            .unwrap_or_default();
        let is_key = |name: &str| {
            table.is_key(name) || table.index_attributes().any(|known| known.value == name)
        };
        let stored_as = |name: &str| {
            let attributes = declared
                .map(|entity| entity.attributes.iter())
                .into_iter()
                .flatten();
            attributes
                .clone()
                .find(|known| known.stored == name)
                .map_or(name.to_owned(), |known| known.name.value.clone())
        };
        let attributes = self
            .item
            .iter()
            .filter(|(name, _)| !is_key(name) && !told.contains(&name.as_str()));
        let named = attributes.map(|(name, value)| (stored_as(name), show_value(value)));
        let mut values: Vec<(String, String)> = named
            .filter(|(name, _)| !in_key.contains(&name.as_str()))
            .collect();
        // Times that the store writes itself tell least.
        let is_stamp = |name: &str| {
            declared
                .and_then(|entity| entity.attribute(name))
                .is_some_and(|known| known.role.is_some())
        };
        if values.iter().any(|(name, _)| !is_stamp(name)) {
            values.retain(|(name, _)| !is_stamp(name));
        }
        let position = |name: &str| {
            declared.and_then(|entity| {
                let place = entity
                    .attributes
                    .iter()
                    .position(|known| known.name.value == name)?;
                let is_stamp = entity
                    .attributes
                    .get(place)
                    .is_some_and(|known| known.role.is_some() || known.reference.is_some());
                Some((is_stamp, place))
            })
        };
        values.sort_by_key(|(name, _)| position(name).unwrap_or((true, usize::MAX)));
        values
    }
}

/// Whether the address asks for the last items first.
pub(super) fn is_descending(context: &Context<'_>) -> bool {
    context.words.get("order") == Some(DESCENDING)
}

/// Whether the part is what a page as a whole shows, now or when it is read again.
pub(super) fn is_first(context: &Context<'_>) -> bool {
    !context.words.has("part") || context.words.has("first")
}

/// How addresses say that the last items come first.
pub(super) const DESCENDING: &str = "descending";

/// A part of a partition.
pub(super) struct Window {
    pub(super) items: Vec<StoredItem>,
    /// Where the next one begins; none if this is the last.
    pub(super) next: Option<String>,
    pub(super) units: f64,
}

impl Window {
    /// Reads the part that the address names.
    pub(super) async fn read(
        context: &Context<'_>,
        open: &OpenModel,
        collection: &Collection<'_>,
        partition: &str,
    ) -> Result<Self, String> {
        let table = collection.table;
        let index = table.index_at(collection.place);
        let names: Vec<&str> = table
            .partition_attributes(collection.place)
            .map(|name| name.value.as_str())
            .collect();
        let mut conditions = Vec::new();
        let mut placeholders = BTreeMap::new();
        let mut values = Item::new();
        for (position, (name, text)) in names.iter().zip(partition.split(KEY_SEPARATOR)).enumerate()
        {
            conditions.push(format!("#{position} = :{position}"));
            placeholders.insert(format!("#{position}"), (*name).to_owned());
            let kind = open.model().key_kind(collection.id, name);
            values.insert(format!(":{position}"), read_key(kind, text));
        }
        let after = context.words.filled("after").and_then(parse_item);
        let input = QueryInput {
            table_name: Some(table.physical.clone()),
            index_name: index.map(|index| index.physical.clone()),
            key_condition_expression: Some(conditions.join(" AND ")),
            expression_attribute_names: Some(placeholders),
            expression_attribute_values: Some(values.into()),
            exclusive_start_key: after.map(Into::into),
            scan_index_forward: is_descending(context).then_some(false),
            limit: Some(if is_first(context) {
                FIRST_ITEMS
            } else {
                ITEMS
            }),
            return_consumed_capacity: Some(Chosen::from(ReturnConsumedCapacity::Total)),
            ..QueryInput::default()
        };
        let page = context
            .bench
            .dynamo()
            .query(input)
            .await
            .map_err(|error| error.message().into_owned())?;
        let recogniser = Recogniser::new(&open.store);
        let items = page.items.unwrap_or_default().into_iter();
        let items = items.map(|stored| {
            let item = stored.to_item();
            StoredItem::new(open, collection, &recogniser, item, stored.size())
        });
        let units = page
            .consumed_capacity
            .and_then(|capacity| capacity.capacity_units)
            .unwrap_or_default();
        Ok(Self {
            items: items.collect(),
            next: page
                .last_evaluated_key
                .map(|key| write_item(&key.to_item())),
            units,
        })
    }
}

/// The value of a key. What is no number is left to the table, which says so.
fn read_key(kind: KeyKind, text: &str) -> AttributeValue {
    match (kind, text.parse()) {
        (KeyKind::Number, Ok(number)) => AttributeValue::N(number),
        _ => AttributeValue::S(text.to_owned()),
    }
}

/// Reads one item of the table by its key; none if it is not there.
pub(super) async fn read_item(
    context: &Context<'_>,
    open: &OpenModel,
    collection: &Collection<'_>,
    key: Item,
) -> Option<StoredItem> {
    let input = GetItemInput {
        table_name: Some(collection.table.physical.clone()),
        key: Some(key.into()),
        ..GetItemInput::default()
    };
    let found = context.bench.dynamo().get_item(input).await.ok()?.item?;
    let recogniser = Recogniser::new(&open.store);
    let item = found.to_item();
    let stored = StoredItem::new(open, collection, &recogniser, item, found.size());
    Some(stored)
}
