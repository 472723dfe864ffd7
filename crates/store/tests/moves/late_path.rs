//! A path that changes between a soft delete's first read and its mark.

use crate::{document, store};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Change, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Changes the path just before the mark is set.
struct Between {
    inside: Arc<Engine>,
    other: Store,
    done: AtomicBool,
}

impl Dynamo for Between {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let marks = matches!(request, Request::UpdateItem(_));
            if marks && !self.done.swap(true, Ordering::SeqCst) {
                let change = Change {
                    set: Item::new().with("path", "b.pdf"),
                    ..Change::default()
                };
                self.other
                    .update("Document", document(), change)
                    .await
                    .unwrap();
            }
            self.inside.call(request).await
        })
    }
}

#[tokio::test]
async fn the_file_of_a_path_that_has_just_changed_goes_too() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let other = store(Arc::clone(&engine));
    other.setup().await.unwrap();
    other
        .create("Document", document().with("path", "a.pdf"))
        .await
        .unwrap();
    let mover = store(Between {
        inside: Arc::clone(&engine),
        other: other.clone(),
        done: AtomicBool::new(false),
    });
    mover
        .move_row("soft_delete", document(), Item::new())
        .await
        .unwrap();
    let files = other.query("files_of_folder", Item::new()).await.unwrap();
    assert!(files.rows.is_empty(), "left behind: {:?}", files.rows);
}
