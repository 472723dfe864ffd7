//! A store in memory with the rows of a fixture, and its raw items before and after a call.

use super::fixture::{Fixture, Step, Variant};
use super::plain::{self, Values};
use super::state::{Place, Row, State};
use monotable_api::{
    BoxFuture, DeleteItemInput, Dynamo, Error as ServiceError, PutItemInput, Request, Response,
    ScanInput,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::Model;
use monotable_store::{AnyOperation, AnyOutput, Options, Store};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The raw items of all tables.
pub(crate) type Items = BTreeMap<Place, EncodedItem>;

/// An item that a call has changed.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) place: Place,
    pub(crate) old: Option<Item>,
    pub(crate) new: Option<Item>,
}

/// An engine that counts writes: where none was sent, nothing can have changed.
struct Counting {
    engine: Engine,
    writes: Arc<AtomicUsize>,
}

impl Dynamo for Counting {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        let reads = matches!(
            request,
            Request::GetItem(_) | Request::Query(_) | Request::BatchGetItem(_) | Request::Scan(_)
        );
        if !reads {
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
        Box::pin(async move { Dynamo::call(&self.engine, request).await })
    }
}

/// A filled store. Between calls its items are those of the beginning.
pub(crate) struct World {
    pub(crate) store: Store,
    engine: Engine,
    tables: Vec<(String, String, Option<String>)>,
    writes: Arc<AtomicUsize>,
    pub(crate) items: Items,
    /// What a fixture's steps have saved under a name.
    saved: HashMap<String, String>,
    pub(crate) settings: Values,
    pub(crate) tenants: Vec<String>,
}

impl World {
    pub(crate) async fn open(fixture: &Fixture, variant: &Variant) -> Self {
        let text = variant.apply(&fixture.model_text());
        let checked = monotable_model::check(&text);
        let said: Vec<_> = checked.diagnostics.iter().map(|found| format!("{found:?}")).collect();
        let model = checked.model.unwrap_or_else(|| panic!("{}: {said:#?}", variant.name));
        let tables = model.tables.iter().map(|table| {
            let range = table.range.as_ref().map(|range| range.value.clone());
            (table.physical.clone(), table.hash.value.clone(), range)
        });
        let tables = tables.collect();
        let engine = Engine::in_memory().unwrap();
        let writes = Arc::new(AtomicUsize::new(0));
        let counting = Counting {
            engine: engine.clone(),
            writes: Arc::clone(&writes),
        };
        let settings = read_settings(&model, &fixture.settings);
        let store = Store::new(model, counting)
            .with_clock(|| 1_763_467_200_000_000)
            .with_settings(plain::write_item(&fixture.settings));
        store.setup().await.unwrap();
        let mut world = Self {
            store,
            engine,
            tables,
            writes,
            items: Items::new(),
            saved: HashMap::new(),
            settings,
            tenants: fixture.tenants.clone(),
        };
        for (tenant, step) in fixture.steps() {
            world.take(tenant.as_deref(), step).await;
        }
        for (table, item) in &fixture.raw {
            let item = plain::write_item(item);
            world.engine.put_item(PutItemInput::new(table, item)).unwrap();
        }
        world.items = world.scan();
        world
    }

    async fn take(&mut self, tenant: Option<&str>, step: Step) {
        let text = self.fill_in(&step.operation);
        let operation = AnyOperation::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut store = self.store.as_program(plain::write_item(&step.program));
        if let Some(tenant) = tenant {
            store = store.tenant(tenant);
        }
        let answer = store.run(operation, Options::default()).await;
        let answer = answer.unwrap_or_else(|error| panic!("{text}: {error}"));
        if let (Some(name), AnyOutput::Committed(committed)) = (&step.save, &answer) {
            let revision = committed.revisions[0].text("revId").to_owned();
            self.saved.insert(name.clone(), revision);
        }
    }

    /// A text of the fixture with what was saved in place of `@name@`.
    pub(crate) fn fill_in(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.saved {
            text = text.replace(&format!("@{name}@"), value);
        }
        text
    }

    pub(crate) fn model(&self) -> &Model {
        self.store.model()
    }

    /// The rows of the beginning.
    pub(crate) fn state(&self) -> State<'_> {
        let items = self.items.iter().map(|(place, item)| (place, item.to_item()));
        State::new(self.model(), self.tenants.clone(), items)
    }

    pub(crate) fn scan(&self) -> Items {
        let mut items = Items::new();
        for (table, hash, range) in &self.tables {
            let output = self.engine.scan(ScanInput::new(table)).unwrap();
            assert!(output.last_evaluated_key.is_none(), "a world fits one page");
            for item in output.items.unwrap_or_default() {
                let text = |name: &String| match item.view().get(name).map(|value| value.to_value()) {
                    Some(AttributeValue::S(text)) => text,
                    _ => String::new(),
                };
                let range = range.as_ref().map(text).unwrap_or_default();
                items.insert((table.clone(), text(hash), range), item);
            }
        }
        items
    }

    /// What has changed since the beginning. The beginning is brought back.
    pub(crate) fn take_changes(&self) -> Vec<Change> {
        if self.writes.swap(0, Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let changes = self.changes();
        for change in &changes {
            let table = change.place.0.as_str();
            match &change.old {
                Some(old) => {
                    self.engine.put_item(PutItemInput::new(table, old.clone())).unwrap();
                }
                None => {
                    let key = self.key_of(&change.place);
                    self.engine.delete_item(DeleteItemInput::new(table, key)).unwrap();
                }
            }
        }
        changes
    }

    /// What has changed since the beginning.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let now = self.scan();
        let mut changes = Vec::new();
        for (place, item) in &now {
            let old = self.items.get(place);
            if old.is_none_or(|old| old.as_bytes() != item.as_bytes()) {
                changes.push(Change {
                    place: place.clone(),
                    old: old.map(EncodedItem::to_item),
                    new: Some(item.to_item()),
                });
            }
        }
        for (place, item) in &self.items {
            if !now.contains_key(place) {
                changes.push(Change {
                    place: place.clone(),
                    old: Some(item.to_item()),
                    new: None,
                });
            }
        }
        changes
    }

    /// Deletes rows until the next changes are taken.
    pub(crate) fn delete_rows<'r>(&self, rows: impl Iterator<Item = &'r Row>) {
        for row in rows {
            let key = self.key_of(&row.place);
            self.engine.delete_item(DeleteItemInput::new(&row.place.0, key)).unwrap();
            self.writes.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn key_of(&self, place: &Place) -> Item {
        let (table, hash, range) = place;
        let mut tables = self.tables.iter();
        let (_, hash_name, range_name) = tables.find(|(name, ..)| name == table).unwrap();
        let key = Item::new().with(hash_name.as_str(), hash.as_str());
        match range_name {
            Some(name) => key.with(name.as_str(), range.as_str()),
            None => key,
        }
    }
}

/// The settings of the fixture, and the model's defaults, which the five models write as words.
fn read_settings(model: &Model, given: &Values) -> Values {
    let mut settings = Values::new();
    for setting in &model.settings {
        let name = &setting.name.value;
        if let Some(value) = given.get(name) {
            settings.insert(name.clone(), value.clone());
        }
    }
    settings
}
