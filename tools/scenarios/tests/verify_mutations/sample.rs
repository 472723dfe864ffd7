//! A store as a script leaves it, with its items.

use crate::damage::{Damage, Write};
use monotable_api::{DeleteItemInput, Dynamo, DynamoExt, PutItemInput, ScanInput};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{EntityId, Model, TableId};
use monotable_scenarios::{Played, Target, play_file};
use monotable_store::Store;
use monotable_store::record::{self, Decoded};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// An item of the store, and what it is a row of.
pub(crate) struct SampleItem {
    pub(crate) table: TableId,
    pub(crate) item: Item,
    pub(crate) entity: Option<EntityId>,
    /// What the row says, by the model's names.
    pub(crate) values: Item,
}

pub(crate) struct Sample {
    pub(crate) store: Store,
    pub(crate) items: Vec<SampleItem>,
    /// Where items are in the list, by their table and key.
    places: BTreeMap<(usize, String), usize>,
    dynamo: Arc<dyn Dynamo>,
    _played: Played,
}

impl Sample {
    pub(crate) async fn play(script: &str) -> Self {
        let path = Path::new(ROOT).join(format!("scenarios/{script}.txt"));
        let models = Path::new(ROOT).join("models");
        let played = match play_file(&path, &models, Target::Memory).await {
            Ok(played) => played,
            Err(failure) => panic!("{script}: {failure}"),
        };
        let store = played.store.clone().unwrap();
        let dynamo = Arc::clone(&played.dynamo);
        let compiled = CompiledModel::new(store.model().clone());
        let mut items = Vec::new();
        for table in store.model().stored_tables() {
            for item in scan(&*dynamo, &store.model().table(table).physical).await {
                let hash = &store.model().table(table).hash.value;
                let key = text(&item, hash);
                if key.contains("monotable#") {
                    continue;
                }
                items.push(decoded(&compiled, table, item));
            }
        }
        let mut sample = Self {
            store,
            items,
            places: BTreeMap::new(),
            dynamo,
            _played: played,
        };
        let places = sample.items.iter().enumerate();
        sample.places = places
            .map(|(index, item)| (sample.place(item.table, &item.item), index))
            .collect();
        sample
    }

    pub(crate) fn model(&self) -> &Model {
        self.store.model()
    }

    fn physical(&self, table: TableId) -> String {
        self.model().table(table).physical.clone()
    }

    /// The key of an item.
    pub(crate) fn key(&self, table: TableId, item: &Item) -> Item {
        let declared = self.model().table(table);
        let names = std::iter::once(&declared.hash).chain(&declared.range);
        names
            .map(|name| (name.value.clone(), item.get(&name.value).unwrap().clone()))
            .collect()
    }

    fn place(&self, table: TableId, item: &Item) -> (usize, String) {
        (table.index(), format!("{:?}", self.key(table, item)))
    }

    /// What stands before the keys of the tenant that an item is of; none if the model has no tenants.
    pub(crate) fn tenant_prefix<'i>(&self, item: &'i SampleItem) -> Option<&'i str> {
        self.model().tenant.as_ref()?;
        let key = text(&item.item, &self.model().table(item.table).hash.value);
        Some(match key.find('/') {
            Some(end) if !key[..end].contains('#') => &key[..=end],
            _ => "",
        })
    }

    pub(crate) async fn apply(&self, damage: &Damage) {
        let table = self.items[damage.index].table;
        for write in &damage.writes {
            match write {
                Write::Put(item) => self.put(table, item).await,
                Write::Delete(item) => self.delete(table, item).await,
            }
        }
    }

    pub(crate) async fn undo(&self, damage: &Damage) {
        let table = self.items[damage.index].table;
        for write in &damage.writes {
            let (Write::Put(item) | Write::Delete(item)) = write;
            match self.places.get(&self.place(table, item)) {
                Some(index) => self.put(table, &self.items[*index].item).await,
                None => self.delete(table, item).await,
            }
        }
    }

    async fn put(&self, table: TableId, item: &Item) {
        let input = PutItemInput::new(self.physical(table), item.clone());
        self.dynamo.put_item(input).await.unwrap();
    }

    async fn delete(&self, table: TableId, item: &Item) {
        let input = DeleteItemInput::new(self.physical(table), self.key(table, item));
        self.dynamo.delete_item(input).await.unwrap();
    }
}

/// The item as a row, in whichever tenant: a prefix ends at the first `/`.
fn decoded(compiled: &CompiledModel, table: TableId, item: Item) -> SampleItem {
    let hash = &compiled.model().table(table).hash.value;
    let key = text(&item, hash).to_owned();
    let prefix = match (&compiled.model().tenant, key.split_once('/')) {
        (Some(_), Some((tenant, _))) if !tenant.contains('#') => format!("{tenant}/"),
        _ => String::new(),
    };
    let (entity, values) = match record::decode(compiled, table, &prefix, &item) {
        Decoded::Row { record, .. } => (Some(record.entity), record.values),
        Decoded::Unknown(_) => (None, Item::new()),
    };
    SampleItem {
        table,
        item,
        entity,
        values,
    }
}

pub(crate) fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text,
        _ => "",
    }
}

async fn scan(dynamo: &dyn Dynamo, table: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut input = ScanInput::new(table).consistent();
    loop {
        let output = dynamo.scan(input.clone()).await.unwrap();
        items.extend(
            output
                .items
                .unwrap_or_default()
                .iter()
                .map(EncodedItem::to_item),
        );
        match output.last_evaluated_key {
            Some(last) => input.exclusive_start_key = Some(last.into()),
            None => return items,
        }
    }
}
