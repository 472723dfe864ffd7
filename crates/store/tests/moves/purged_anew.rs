//! A document that is made anew while an old one of the same id is purged.

use crate::{document, store};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Makes the document anew when the purge begins to read.
struct Between {
    inside: Arc<Engine>,
    other: Store,
    done: AtomicBool,
}

impl Dynamo for Between {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let reads = matches!(request, Request::Query(_));
            if reads && !self.done.swap(true, Ordering::SeqCst) {
                self.other.create("Document", document()).await.unwrap();
                let tag = document().with("tagKey", "color").with("tagValue", "red");
                self.other.create("DocumentTag", tag).await.unwrap();
            }
            self.inside.call(request).await
        })
    }
}

#[tokio::test]
async fn a_purge_leaves_the_rows_of_a_new_document_alone() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let other = store(Arc::clone(&engine));
    other.setup().await.unwrap();
    other.create("Document", document()).await.unwrap();
    other
        .move_row("soft_delete", document(), Item::new())
        .await
        .unwrap();
    let purger = store(Between {
        inside: Arc::clone(&engine),
        other: other.clone(),
        done: AtomicBool::new(false),
    });
    purger
        .move_row("purge", document(), Item::new())
        .await
        .unwrap();
    let tags = other.query("tags_of_document", document()).await.unwrap();
    assert_eq!(tags.rows.len(), 1, "an acknowledged tag is gone");
}
