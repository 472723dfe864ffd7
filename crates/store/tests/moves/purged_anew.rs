//! A document that somebody wants to make anew while an old one of the same id is purged: its id is free when the purge is
//! over, and not before, so the purge never takes rows of the new one along.

use crate::{document, store};
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Tries to make the document anew when the purge begins to read.
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
                let early = self.other.create("Document", document()).await;
                assert!(
                    early.is_err(),
                    "the id was taken from a document in the bin"
                );
            }
            self.inside.call(request).await
        })
    }
}

#[tokio::test]
async fn an_id_in_the_bin_is_free_when_its_purge_is_over() {
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
    other.create("Document", document()).await.unwrap();
    let tag = document().with("tagKey", "color").with("tagValue", "red");
    other.create("DocumentTag", tag).await.unwrap();
    let tags = other.query("tags_of_document", document()).await.unwrap();
    assert_eq!(tags.rows.len(), 1, "an acknowledged tag is gone");
}
