//! An update that has read a document before its soft delete marks it, and writes after the soft delete has read it.

use crate::document;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Change, Store};
use std::sync::{Arc, Mutex};

/// Both in one second: the time of the last change is the same.
fn store(dynamo: impl Dynamo + 'static, micros: i64) -> Store {
    crate::store(dynamo).with_clock(move || 1_763_467_200_000_000 + micros)
}

type Answer = Result<Response, Error>;

/// What the update sends, until the soft delete is about to write.
#[derive(Default)]
struct Held {
    request: Mutex<Option<Request>>,
    answer: Mutex<Option<Answer>>,
}

/// The update's way to the engine: its write waits for the soft delete.
struct Updating {
    inside: Arc<Engine>,
    held: Arc<Held>,
    mover: Store,
}

impl Dynamo for Updating {
    fn call(&self, request: Request) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            if !matches!(request, Request::TransactWriteItems(_)) {
                return self.inside.call(request).await;
            }
            *self.held.request.lock().unwrap() = Some(request);
            let moved = self.mover.move_row("soft_delete", document(), Item::new());
            moved.await.unwrap();
            self.held.answer.lock().unwrap().take().unwrap()
        })
    }
}

/// The soft delete's way: the update writes just before it.
struct Moving {
    inside: Arc<Engine>,
    held: Arc<Held>,
}

impl Dynamo for Moving {
    fn call(&self, request: Request) -> BoxFuture<'_, Answer> {
        Box::pin(async move {
            let writes = matches!(request, Request::TransactWriteItems(_));
            let held = self.held.request.lock().unwrap().take_if(|_| writes);
            if let Some(held) = held {
                let answer = self.inside.call(held).await;
                *self.held.answer.lock().unwrap() = Some(answer);
            }
            self.inside.call(request).await
        })
    }
}

#[tokio::test]
async fn an_acknowledged_update_moves_with_its_document() {
    let inside = Arc::new(Engine::in_memory().unwrap());
    let held = Arc::new(Held::default());
    let calm = store(Arc::clone(&inside), 0);
    calm.setup().await.unwrap();
    calm.create("Document", document()).await.unwrap();
    let mover = store(
        Moving {
            inside: Arc::clone(&inside),
            held: Arc::clone(&held),
        },
        1_000,
    );
    let updater = store(
        Updating {
            inside: Arc::clone(&inside),
            held,
            mover,
        },
        2_000,
    );
    let change = Change {
        set: Item::new().with("contentType", "text/plain"),
        ..Change::default()
    };
    let updated = updater.update("Document", document(), change).await;
    let deleted = calm.query("deleted_document", document()).await.unwrap();
    if updated.is_ok() {
        assert_eq!(deleted.rows[0].text("contentType"), "text/plain");
    }
}
