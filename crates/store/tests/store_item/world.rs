//! Tables that several processes use, one `Store` each, and a target that counts what they ask.

use monotable_api::{BoxFuture, Dynamo, Error, GetItemInput, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Retry, Store};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const NOTES: &str = r##"
monotable = 1
model     = "notes"

[table.Notes]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.User]
is   = { Type = "User" }
key  = ["USER#{userId}", "PROFILE"]
GSI1 = ["NAME#{name}", "USER#{userId}"]

[entity.User.attributes]
userId = "text, matches = /[a-z0-9]{1,20}/"
name   = "text, matches = /[a-z]{1,20}/"

[entity.Note]
is  = { Type = "Note" }
key = ["USER#{userId}", "NOTE#{noteId}"]

[entity.Note.attributes]
userId = "-> User, on_delete = cascade"
noteId = "text, matches = /[a-z0-9]{1,20}/"

[access.notes]
key     = ["USER#{userId}", "NOTE#*"]
returns = ["Note"]

[access.users_by_name]
GSI1    = ["NAME#{name}"]
returns = ["User"]
"##;

/// What a process may do with the store's own item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rights {
    All,
    Read,
    Nothing,
}

/// A target that counts requests and keeps some of them from the store's own item.
pub(crate) struct Counted {
    engine: Arc<Engine>,
    rights: Rights,
    count: AtomicUsize,
    /// The names of the requests.
    names: Mutex<Vec<String>>,
}

impl Counted {
    pub(crate) fn new(engine: &Arc<Engine>, rights: Rights) -> Arc<Self> {
        Arc::new(Self {
            engine: Arc::clone(engine),
            rights,
            count: AtomicUsize::new(0),
            names: Mutex::default(),
        })
    }

    /// How many requests came since this was last asked.
    pub(crate) fn count(&self) -> usize {
        self.names.lock().unwrap().clear();
        self.count.swap(0, Ordering::SeqCst)
    }

    fn is_refused(&self, request: &Request) -> bool {
        let mut body = Vec::new();
        request.write_json(&mut body).unwrap();
        let own = String::from_utf8(body).unwrap().contains("monotable#store");
        own && match self.rights {
            Rights::All => false,
            Rights::Read => !matches!(request, Request::GetItem(_)),
            Rights::Nothing => true,
        }
    }
}

impl Dynamo for Counted {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            self.count.fetch_add(1, Ordering::SeqCst);
            let name = request.operation().to_string();
            self.names.lock().unwrap().push(name);
            if self.is_refused(&request) {
                let message = "User is not authorized to perform this".to_owned();
                return Err(Error::AccessDeniedException { message });
            }
            self.engine.call(request).await
        })
    }
}

/// A process with a model of its own.
pub(crate) fn process(model: &str, dynamo: impl Dynamo + 'static) -> Store {
    let checked = monotable_check::check(model);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    Store::new(model, dynamo).with_retry(Retry {
        attempts: 3,
        base: Duration::from_micros(10),
        cap: Duration::from_micros(100),
    })
}

pub(crate) fn ada() -> Item {
    Item::new().with("userId", "ada")
}

/// Tables with a user and five notes.
pub(crate) async fn notes() -> Arc<Engine> {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = process(NOTES, Arc::clone(&engine));
    store.setup().await.unwrap();
    let user = ada().with("name", "lovelace");
    store.create("User", user).await.unwrap();
    for number in 0..5 {
        let note = ada().with("noteId", format!("n{number}"));
        store.create("Note", note).await.unwrap();
    }
    engine
}

/// The store's own item, as it is stored.
pub(crate) fn own_item(engine: &Engine, table: &str) -> Option<Item> {
    let key = Item::new()
        .with("PK", "monotable#store")
        .with("SK", "monotable#store");
    let output = engine.get_item(GetItemInput::new(table, key));
    output.unwrap().item.map(|item| item.to_item())
}
