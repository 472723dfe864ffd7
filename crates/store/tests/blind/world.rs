//! A store whose requests are noted, and whose requests something can come before.

use monotable_api::{
    BoxFuture, Dynamo, DynamoExt, Error, GetItemInput, PutItemInput, Request, Response,
};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Change, Store};
use std::sync::{Arc, Mutex};

pub(crate) const MODEL: &str = r#"
monotable = 1
model     = "blind"

[principal]
userId = "text"

[table.Main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.User]
is  = { Type = "User" }
key = "USER#{userId}"
[entity.User.attributes]
userId    = "text, matches = /[a-z]+/"
email     = "text"
rank      = "integer(0..), default = 0"
name      = "text?"
tags      = "[text](0..5)?, distinct"
changedAt = "timestamp, updated"
goneAt    = "timestamp?, deleting, internal"
[entity.User.unique.email]
key = "EMAIL#{email:lower}"

[entity.Other]
is  = { Type = "Other" }
key = ["OTHER#{otherId}", "OTHER"]
[entity.Other.attributes]
otherId = "text"
name    = "text?"

[entity.Listed]
is   = { Type = "Listed" }
key  = ["LISTED#{listedId}", "LISTED"]
GSI1 = ["STATE#{state}", "{listedId}"]
[entity.Listed.attributes]
listedId = "text"
state    = "open | done"
name     = "text?"

[entity.Ruled]
is   = { Type = "Ruled" }
key  = ["RULED#{ruledId}", "RULED"]
[entity.Ruled.must]
ordered = "least <= most"
[entity.Ruled.attributes]
ruledId = "text"
least   = "integer"
most    = "integer"
name    = "text?"

[entity.Buried]
is        = { Type = "Buried" }
key       = ["BURIED#{buriedId}", "BURIED"]
tombstone = { gone = true }
[entity.Buried.attributes]
buriedId = "text"
gone     = "boolean?"
name     = "text?"

[entity.Owned]
is           = { Type = "Owned" }
key          = ["OWNED#{ownedId}", "OWNED"]
allow.update = "owner = principal.userId"
[entity.Owned.attributes]
ownedId = "text"
owner   = "text"
name    = "text?"

[entity.Grown]
is  = { Type = "Grown" }
key = ["GROWN#{grownId}", "GROWN"]
[entity.Grown.attributes]
grownId = "text"
form    = "integer(1..), version = 2"
title   = "text"
name    = "text?"
[entity.Grown.upgrade.2]
set = { title = "untitled" }

[entity.Laid]
is  = { Type = "Laid" }
key = ["LAID#{laidId}", "LAID"]
[entity.Laid.layout.old]
key = ["LAYING#{laidId}", "LAYING"]
[entity.Laid.attributes]
laidId = "text"
name   = "text?"
"#;

type Interference = Box<dyn FnOnce(&Engine) + Send>;

/// An engine that notes the operations that it is asked for.
#[derive(Clone)]
pub(crate) struct Recorder {
    engine: Arc<Engine>,
    sent: Arc<Mutex<Vec<&'static str>>>,
    /// What comes before the next write.
    before: Arc<Mutex<Option<Interference>>>,
    /// The answer to the next write is lost.
    loses: Arc<Mutex<bool>>,
}

impl Dynamo for Recorder {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let name = match &request {
            Request::GetItem(_) => "GetItem",
            Request::UpdateItem(_) => "UpdateItem",
            Request::TransactWriteItems(_) => "TransactWriteItems",
            Request::PutItem(_) => "PutItem",
            _ => "another",
        };
        self.sent.lock().unwrap().push(name);
        let writes = name != "GetItem";
        if let Some(before) = writes.then(|| self.before.lock().unwrap().take()).flatten() {
            before(&self.engine);
        }
        let loses = writes && std::mem::take(&mut *self.loses.lock().unwrap());
        let answer = self.engine.call(request);
        Box::pin(async move {
            let answer = answer.await;
            if !loses {
                return answer;
            }
            let message = "the answer was lost".to_owned();
            Err(Error::ServiceUnavailable { message })
        })
    }
}

pub(crate) struct World {
    pub(crate) recorder: Recorder,
    pub(crate) store: Store,
}

impl World {
    pub(crate) async fn new() -> Self {
        let recorder = Recorder {
            engine: Arc::new(Engine::in_memory().unwrap()),
            sent: Arc::default(),
            before: Arc::default(),
            loses: Arc::default(),
        };
        let store = open(&recorder).await;
        let user = Item::new().with("userId", "ann").with("email", "a@x");
        store.create("User", user).await.unwrap();
        let world = Self { recorder, store };
        world.sent();
        world
    }

    /// A store whose tables are older than itself: other programs may have written their rows.
    pub(crate) async fn of_foreign_rows() -> Self {
        let Self { recorder, .. } = Self::new().await;
        let own = key("monotable#store", "monotable#store");
        let input = monotable_api::DeleteItemInput::new("Main", own);
        recorder.engine.delete_item(input).await.unwrap();
        let store = open(&recorder).await;
        let world = Self { recorder, store };
        // The first write of a process looks at the store's own item.
        let row = world.store.update("User", ann(), set("name", "Ann"));
        row.await.unwrap();
        world.sent();
        world
    }

    /// The operations that were sent since this was asked last.
    pub(crate) fn sent(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.recorder.sent.lock().unwrap())
    }

    /// Something that happens before the next write.
    pub(crate) fn before_write(&self, what: impl FnOnce(&Engine) + Send + 'static) {
        *self.recorder.before.lock().unwrap() = Some(Box::new(what));
    }

    pub(crate) fn lose_next_answer(&self) {
        *self.recorder.loses.lock().unwrap() = true;
    }

    /// An item as it is stored.
    pub(crate) async fn stored(&self, place: &str, sort: &str) -> Option<Item> {
        let input = GetItemInput::new("Main", key(place, sort));
        let output = DynamoExt::get_item(&*self.recorder.engine, input).await;
        output.unwrap().item.map(|item| item.to_item())
    }

    /// An item as another program writes it.
    pub(crate) async fn put(&self, item: Item) {
        let input = PutItemInput::new("Main", item);
        let put = DynamoExt::put_item(&*self.recorder.engine, input);
        put.await.unwrap();
    }

    /// The user's item with something changed in it.
    pub(crate) async fn put_user(&self, change: impl FnOnce(&mut Item)) {
        let mut item = self.stored("USER#ann", "USER#ann").await.unwrap();
        change(&mut item);
        self.put(item).await;
    }
}

async fn open(recorder: &Recorder) -> Store {
    let reading = monotable_model::read(MODEL);
    let model = reading
        .model
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    let store = Store::new(model, recorder.clone()).with_clock(|| 1_763_467_200_000_000);
    store.setup().await.unwrap();
    store
}

pub(crate) fn key(place: &str, sort: &str) -> Item {
    Item::new().with("PK", place).with("SK", sort)
}

pub(crate) fn ann() -> Item {
    Item::new().with("userId", "ann")
}

pub(crate) fn set(name: &str, value: impl Into<monotable_item::AttributeValue>) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

pub(crate) fn unset(name: &str) -> Change {
    Change {
        unset: vec![name.to_owned()],
        ..Change::default()
    }
}
