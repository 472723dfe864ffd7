//! A store in memory with the rows of a fixture, and its raw items before and after a call.

use super::fixture::{Fixture, Step, Variant};
use super::plain::{self, Values};
use super::state::{Place, Row, State};
use monotable_api::{
    BoxFuture, DeleteItemInput, Dynamo, Error as ServiceError, GetItemInput, PutItemInput, Request,
    Response, ScanInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{EncodedItem, GivenItem, Item, ValueView};
use monotable_model::model::Model;
use monotable_store::{AnyOperation, AnyOutput, Error, Options, Store};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The raw items of all tables.
pub(crate) type Items = BTreeMap<Place, EncodedItem>;

/// An item that a call has changed.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) place: Place,
    pub(crate) old: Option<Item>,
    pub(crate) new: Option<Item>,
}

/// An engine that remembers which items writes have named: no other can have changed.
struct Watching {
    engine: Engine,
    tables: Tables,
    touched: Arc<Mutex<BTreeSet<Place>>>,
}

impl Dynamo for Watching {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        let places = places_of(&self.tables, &request);
        self.touched.lock().unwrap().extend(places);
        Box::pin(async move { Dynamo::call(&self.engine, request).await })
    }
}

/// The names of tables with those of their keys.
type Tables = Vec<(String, String, Option<String>)>;

/// The items that a request may change.
fn places_of(tables: &Tables, request: &Request) -> Vec<Place> {
    let place = |table: Option<&String>, item: Option<&GivenItem>| {
        let item: EncodedItem = item.unwrap().clone().into_checked().unwrap();
        place_of(tables, table.unwrap(), &item)
    };
    match request {
        Request::PutItem(input) => vec![place(input.table_name.as_ref(), input.item.as_ref())],
        Request::UpdateItem(input) => vec![place(input.table_name.as_ref(), input.key.as_ref())],
        Request::DeleteItem(input) => vec![place(input.table_name.as_ref(), input.key.as_ref())],
        Request::BatchWriteItem(input) => {
            let tables = input.request_items.iter().flatten();
            let writes =
                tables.flat_map(|(table, writes)| writes.iter().map(move |write| (table, write)));
            let writes = writes.map(|(table, write)| {
                let put = write.put_request.as_ref().and_then(|put| put.item.as_ref());
                let delete = write
                    .delete_request
                    .as_ref()
                    .and_then(|delete| delete.key.as_ref());
                place(Some(table), put.or(delete))
            });
            writes.collect()
        }
        Request::TransactWriteItems(input) => {
            let actions = input.transact_items.iter().flatten();
            let written = actions.filter_map(|action| {
                let put = action.put.as_ref().map(|put| (&put.table_name, &put.item));
                let update = action
                    .update
                    .as_ref()
                    .map(|update| (&update.table_name, &update.key));
                let delete = action
                    .delete
                    .as_ref()
                    .map(|delete| (&delete.table_name, &delete.key));
                put.or(update).or(delete)
            });
            written
                .map(|(table, item)| place(table.as_ref(), item.as_ref()))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn place_of(tables: &Tables, table: &str, item: &EncodedItem) -> Place {
    let (_, hash, range) = tables.iter().find(|(name, ..)| name == table).unwrap();
    let text = |name: &String| match item.view().get(name) {
        Some(ValueView::S(text)) => text.to_owned(),
        _ => String::new(),
    };
    (
        table.to_owned(),
        text(hash),
        range.as_ref().map(text).unwrap_or_default(),
    )
}

/// Answers by call and tenant.
type ReadAnswers = HashMap<(String, Option<String>), Result<AnyOutput, Error>>;

/// A filled store. Between calls its items are those of the beginning.
pub(crate) struct World {
    pub(crate) store: Store,
    engine: Engine,
    tables: Tables,
    touched: Arc<Mutex<BTreeSet<Place>>>,
    pub(crate) items: Items,
    /// What the program was answered to reads, by call and tenant.
    pub(crate) answers: RefCell<ReadAnswers>,
    /// What a fixture's steps have saved under a name.
    saved: HashMap<String, String>,
    pub(crate) settings: Values,
    pub(crate) tenants: Vec<String>,
}

impl World {
    pub(crate) async fn open(fixture: &Fixture, variant: &Variant) -> Self {
        let text = variant.apply(&fixture.model_text());
        let checked = monotable_check::check(&text);
        let said: Vec<_> = checked
            .diagnostics
            .iter()
            .map(|found| format!("{found:?}"))
            .collect();
        let model = checked
            .model
            .unwrap_or_else(|| panic!("{}: {said:#?}", variant.name));
        let tables = model.tables.iter().map(|table| {
            let range = table.range.as_ref().map(|range| range.value.clone());
            (table.physical.clone(), table.hash.value.clone(), range)
        });
        let tables: Tables = tables.collect();
        let engine = engine_at(1_763_467_200);
        let touched = Arc::default();
        let watching = Watching {
            engine: engine.clone(),
            tables: tables.clone(),
            touched: Arc::clone(&touched),
        };
        let settings = read_settings(&model, &fixture.settings);
        let store = Store::new(model, watching)
            .with_clock(|| 1_763_467_200_000_000)
            .with_settings(plain::write_item(&fixture.settings));
        store.setup().await.unwrap();
        let mut world = Self {
            store,
            engine,
            tables,
            touched,
            items: Items::new(),
            answers: RefCell::default(),
            saved: HashMap::new(),
            settings,
            tenants: fixture.tenants.clone(),
        };
        for (tenant, step) in fixture.steps() {
            world.take(tenant.as_deref(), step).await;
        }
        for (table, item) in &fixture.raw {
            let item = plain::write_item(item);
            world
                .engine
                .put_item(PutItemInput::new(table, item))
                .unwrap();
        }
        world.items = world.scan();
        world.touched.lock().unwrap().clear();
        world
    }

    async fn take(&mut self, tenant: Option<&str>, step: Step) {
        let text = self.fill_in(&step.operation);
        let operation =
            AnyOperation::from_json(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
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
        let items = self
            .items
            .iter()
            .map(|(place, item)| (place, item.to_item()));
        State::new(self.model(), self.tenants.clone(), items)
    }

    /// All items, as they are.
    pub(crate) fn scan(&self) -> Items {
        let mut items = Items::new();
        for (table, ..) in &self.tables {
            let output = self.engine.scan(ScanInput::new(table)).unwrap();
            assert!(output.last_evaluated_key.is_none(), "a world fits one page");
            for item in output.items.unwrap_or_default() {
                items.insert(place_of(&self.tables, table, &item), item);
            }
        }
        items
    }

    /// What has changed since the beginning.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for place in self.touched.lock().unwrap().iter() {
            let input = GetItemInput::new(&place.0, self.key_of(place));
            let now = self.engine.get_item(input).unwrap().item;
            let old = self.items.get(place);
            if old.map(EncodedItem::as_bytes) != now.as_ref().map(EncodedItem::as_bytes) {
                changes.push(Change {
                    place: place.clone(),
                    old: old.map(EncodedItem::to_item),
                    new: now.as_ref().map(EncodedItem::to_item),
                });
            }
        }
        changes
    }

    /// What has changed since the beginning. The beginning is brought back.
    pub(crate) fn take_changes(&self) -> Vec<Change> {
        let changes = self.changes();
        for change in &changes {
            let table = change.place.0.as_str();
            match &change.old {
                Some(old) => {
                    self.engine
                        .put_item(PutItemInput::new(table, old.clone()))
                        .unwrap();
                }
                None => {
                    let key = self.key_of(&change.place);
                    self.engine
                        .delete_item(DeleteItemInput::new(table, key))
                        .unwrap();
                }
            }
        }
        self.touched.lock().unwrap().clear();
        changes
    }

    /// Asserts that the world is as it was at the beginning, byte for byte.
    pub(crate) fn assert_restored(&self) {
        assert!(
            self.scan() == self.items,
            "an item has changed that no request has named"
        );
    }

    /// Deletes rows until the next changes are taken.
    pub(crate) fn delete_rows<'r>(&self, rows: impl Iterator<Item = &'r Row>) {
        for row in rows {
            let key = self.key_of(&row.place);
            self.engine
                .delete_item(DeleteItemInput::new(&row.place.0, key))
                .unwrap();
            self.touched.lock().unwrap().insert(row.place.clone());
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

/// An engine in memory whose clock stands at this second, so that no row of a store at that time has expired.
fn engine_at(seconds: u64) -> Engine {
    let clock = ManualClock::at(Duration::from_secs(seconds));
    let options = EngineOptions::new().clock(Arc::new(clock));
    options.in_memory().unwrap()
}
