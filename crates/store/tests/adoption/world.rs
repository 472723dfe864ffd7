//! A store whose tables have rows that are older than the store.

use monotable_api::{DeleteItemInput, GetItemInput, PutItemInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{RepairMode, Store, VerifyOptions};
use std::sync::Arc;

/// The tables of a model, and raw access to them.
pub(crate) struct World {
    engine: Arc<Engine>,
    text: String,
    table: String,
}

impl World {
    /// New tables of one of the five models.
    pub(crate) async fn of_model(name: &str, table: &str) -> Self {
        let folder = env!("CARGO_MANIFEST_DIR");
        let path = format!("{folder}/../../models/{name}/model.toml");
        Self::new(&std::fs::read_to_string(path).unwrap(), table).await
    }

    /// New tables of a model.
    pub(crate) async fn new(text: &str, table: &str) -> Self {
        let world = Self {
            engine: Arc::new(Engine::in_memory().unwrap()),
            text: text.to_owned(),
            table: table.to_owned(),
        };
        world.store().setup().await.unwrap();
        world
    }

    /// Another model on the tables that this one uses.
    pub(crate) fn with_model(&self, text: &str) -> Self {
        Self {
            engine: Arc::clone(&self.engine),
            text: text.to_owned(),
            table: self.table.clone(),
        }
    }

    /// Another process.
    pub(crate) fn store(&self) -> Store {
        let read = monotable_model::read(&self.text);
        let model = read
            .model
            .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
        Store::new(model, Arc::clone(&self.engine))
    }

    /// The process that comes first after other programs have written the rows: the store has no item of its own yet.
    pub(crate) fn unadopted(&self) -> Store {
        let own = Item::new()
            .with("PK", "monotable#store")
            .with("SK", "monotable#store");
        let delete = DeleteItemInput::new(&self.table, own);
        self.engine.delete_item(delete).unwrap();
        self.store()
    }

    /// Puts an item as another program does.
    pub(crate) fn load(&self, json: &str) {
        let item = item(json);
        self.engine
            .put_item(PutItemInput::new(&self.table, item))
            .unwrap();
    }

    /// A stored item.
    pub(crate) fn item(&self, partition: &str, sort: &str) -> Option<Item> {
        let get = GetItemInput::new(&self.table, key(partition, sort));
        let found = self.engine.get_item(get).unwrap().item;
        found.map(|item| item.to_item())
    }
}

fn key(partition: &str, sort: &str) -> Item {
    Item::new().with("PK", partition).with("SK", sort)
}

/// Plain JSON as an item.
pub(crate) fn item(json: &str) -> Item {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let serde_json::Value::Object(fields) = value else {
        panic!("an item is an object: {json}");
    };
    let mut item = Item::new();
    for (name, value) in fields {
        match value {
            serde_json::Value::String(text) => item.insert(name, text),
            serde_json::Value::Number(number) => item.insert(name, number.as_i64().unwrap()),
            serde_json::Value::Bool(flag) => item.insert(name, flag),
            other => panic!("{other} is not needed here"),
        };
    }
    item
}

/// Adopts the rows, which must succeed.
pub(crate) async fn adopt(store: &Store) {
    let adopted = store.adopt(&VerifyOptions::new(), RepairMode::Write).await;
    let adopted = adopted.unwrap();
    assert!(adopted.is_adopted, "{:?}", adopted.verification.violations);
}
