//! What is noted, of whom, and when.

use crate::world::{World, changes, check, document, ends, set, store, user};
use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{
    AnyOperation, Change, Clash, Create, ErrorKind, Failure, Options, RequestFacts, Store,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn writes_are_noted_in_their_transaction() {
    let world = World::new().await;
    let ann = world.ann();
    let values = document("d1")
        .with("path", "a.txt")
        .with("apiKey", "0123456789");
    ann.create("Document", values.with("pin", "1234"))
        .from_ip("10.0.0.1")
        .from_source("web")
        .await
        .unwrap();
    ann.update("Document", document("d1"), set("path", "b.txt"))
        .await
        .unwrap();
    ann.update("Document", document("d1"), set("pin", "4321"))
        .await
        .unwrap();
    ann.delete("Document", document("d1")).await.unwrap();
    let noted = [
        "ann add COMPLETE",
        "ann change COMPLETE",
        "ann change COMPLETE",
        "ann delete COMPLETE",
    ];
    assert_eq!(world.notes().await, noted);
    let rows = world.of("activities").await;
    assert_eq!(rows[0].text("sourceIpAddress"), "10.0.0.1");
    assert_eq!(rows[0].text("source"), "web");
    assert_eq!(rows[0].text("resource"), "Document");
    assert_eq!(rows[1].get("source"), None);
    let created = changes(&rows[0]);
    assert_eq!(ends(created, "path"), (None, Some(&"a.txt".into())));
    assert_eq!(
        ends(created, "apiKey"),
        (None, Some(&"01****************89".into()))
    );
    assert_eq!(created.get("pin"), None);
    let (old, new) = ("a.txt".into(), "b.txt".into());
    assert_eq!(ends(changes(&rows[1]), "path"), (Some(&old), Some(&new)));
    assert_eq!(changes(&rows[1]).get("userId"), None);
    // A hash is never shown: neither what it was nor what it is.
    assert!(rows[2].get("changeSet").is_none(), "{:?}", rows[2]);
    assert_eq!(ends(changes(&rows[3]), "path"), (Some(&new), None));
    check(&world).await;
}

#[tokio::test]
async fn all_or_nothing() {
    let world = World::new().await;
    let ann = world.ann();
    let create = |id: &str| {
        AnyOperation::Create(Create {
            entity: "Document".to_owned(),
            values: document(id),
        })
    };
    ann.transact(vec![create("d1"), create("d2")])
        .await
        .unwrap();
    let both = ann
        .transact(vec![create("d3"), create("d1")])
        .await
        .unwrap_err();
    assert_eq!(both.kind(), ErrorKind::Conflict);
    assert_eq!(world.notes().await, ["ann add COMPLETE", "ann add FAILED"]);
    let third = world.page("activities", document("d3")).await;
    assert_eq!(third[0].text("status"), "FAILED");
    assert_eq!(third.len(), 1);
    check(&world).await;
}

#[tokio::test]
async fn views_and_refusals_are_noted() {
    let world = World::new().await;
    let ann = world.ann();
    let bob = world.store.as_principal(user("bob"));
    let reader = user("eve").with("roles", AttributeValue::L(vec!["reader".into()]));
    let eve = world.store.as_principal(reader);
    ann.create("Document", document("d1")).await.unwrap();
    ann.get("Document", document("d1")).await.unwrap();
    eve.query("document", document("d1")).await.unwrap();
    // Not even there, for bob.
    let hidden = bob.get("Document", document("d1")).await.unwrap_err();
    assert_eq!(hidden.kind(), ErrorKind::NotFound);
    assert!(hidden.unaudited().is_none());
    assert!(
        bob.query("document", document("d1"))
            .await
            .unwrap()
            .rows
            .is_empty()
    );
    let hidden = bob.delete("Document", document("d1")).await.unwrap_err();
    assert_eq!(hidden.kind(), ErrorKind::NotFound);
    // Eve may see it, and no more.
    let denied = eve
        .update("Document", document("d1"), set("path", "x"))
        .await
        .unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::Forbidden);
    let wrong = ann
        .update("Document", document("d1"), set("path", ""))
        .await
        .unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Validation);
    let again = ann.create("Document", document("d1")).await.unwrap_err();
    assert_eq!(again.kind(), ErrorKind::Conflict);
    // A list is no view.
    world.of("rows").await;
    let noted = [
        "ann add COMPLETE",
        "ann view COMPLETE",
        "eve view COMPLETE",
        "bob view UNAUTHORIZED",
        "bob view UNAUTHORIZED",
        "bob delete UNAUTHORIZED",
        "eve change UNAUTHORIZED",
        "ann change FAILED",
        "ann add FAILED",
    ];
    assert_eq!(world.notes().await, noted);
    // Only what was done has a history.
    assert_eq!(world.of("history").await.len(), 1);
    let missing = bob.get("Document", document("d9")).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let missing = world.page("activities", document("d9")).await;
    assert_eq!(missing[0].text("status"), "FAILED");
    check(&world).await;
}

#[tokio::test]
async fn a_create_that_fails_has_the_ids_that_were_given() {
    let world = World::new().await;
    let ann = world.ann();
    let long = "x".repeat(51);
    let values = document("d1")
        .with("path", long.as_str())
        .with("pin", "1234");
    let wrong = ann.create("Document", values).await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Validation);
    assert!(wrong.unaudited().is_none(), "{wrong}");
    assert_eq!(world.notes().await, ["ann add FAILED"]);
    // Without an id it has one of its own, and is found by who tried.
    let values = Item::new().with("path", long.as_str());
    ann.create("Document", values).await.unwrap_err();
    // An id that cannot be one does not come into a key.
    let forged = ann
        .create("Document", document("d1#activity"))
        .await
        .unwrap_err();
    assert!(forged.unaudited().is_some(), "{forged}");
    let by_user = Item::new().with("userId", "ann");
    assert_eq!(world.page("activities_of_user", by_user).await.len(), 2);
    check(&world).await;
}

#[tokio::test]
async fn the_program_has_a_name() {
    let world = World::new().await;
    let values = document("d1").with("userId", "ann");
    world
        .store
        .create("Document", values.clone())
        .await
        .unwrap();
    let importer = world
        .store
        .as_program(user("importer"))
        .with_request(RequestFacts {
            ip: None,
            source: Some("nightly".to_owned()),
        });
    importer
        .update("Document", document("d1"), set("path", "a"))
        .await
        .unwrap();
    let nobody = world.store.as_principal(Item::new());
    nobody.get("Document", document("d1")).await.unwrap_err();
    let noted = [
        "program add COMPLETE",
        "importer change COMPLETE",
        "anonymous view UNAUTHORIZED",
    ];
    assert_eq!(world.notes().await, noted);
    assert_eq!(world.of("activities").await[1].text("source"), "nightly");
    check(&world).await;
}

#[tokio::test]
async fn nobody_writes_audits() {
    let world = World::new().await;
    let given = document("d1").with("resource", "x");
    let refused = world
        .store
        .create("DocumentActivity", given)
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    let version = document("d1");
    let refused = world
        .store
        .put("DocumentVersion", version)
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
}

#[tokio::test]
async fn explained_with_what_is_noted() {
    let world = World::new().await;
    let ann = world.ann();
    let create = AnyOperation::Create(Create {
        entity: "Document".to_owned(),
        values: document("d1"),
    });
    let explained = ann.explain(create, Options::default()).await;
    assert_eq!(explained.requests.len(), 1);
    let body = &explained.requests[0].body;
    assert!(body.contains("activity#"), "{body}");
    ann.create("Document", document("d2"))
        .dry_run()
        .await
        .unwrap();
    assert!(world.page("activities", document("d2")).await.is_empty());
}

/// A target whose audit table is gone.
struct WithoutAudits {
    engine: Arc<Engine>,
    refused: AtomicUsize,
}

impl Dynamo for WithoutAudits {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        let audits =
            matches!(&request, Request::PutItem(put) if put.table_name.as_deref() == Some("audit"));
        if audits {
            self.refused.fetch_add(1, Ordering::Relaxed);
            let error = ServiceError::internal("no audits today");
            return Box::pin(std::future::ready(Err(error)));
        }
        self.engine.call(request)
    }
}

#[tokio::test]
async fn what_cannot_be_noted_is_said() {
    let world = World::new().await;
    world
        .ann()
        .create("Document", document("d1"))
        .await
        .unwrap();
    let broken = WithoutAudits {
        engine: Arc::clone(&world.engine),
        refused: AtomicUsize::new(0),
    };
    let broken = store(broken, &world.clock);
    // What was denied stays denied, and says that nobody will know.
    let bob = broken.as_principal(user("bob"));
    let denied = bob.get("Document", document("d1")).await.unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::NotFound);
    assert_eq!(denied.unaudited().unwrap().kind(), ErrorKind::Retryable);
    assert!(denied.to_string().contains("not audited"), "{denied}");
    // Nothing is shown that leaves no trace.
    let ann = broken.as_principal(user("ann"));
    let unseen = ann.get("Document", document("d1")).await.unwrap_err();
    assert_eq!(unseen.kind(), ErrorKind::Retryable);
    let taken = ann.create("Document", document("d1")).await.unwrap_err();
    let Failure::Conflict { clash, .. } = taken.failure() else {
        panic!("{taken}");
    };
    assert!(matches!(clash, Clash::Key { .. }));
    assert!(taken.unaudited().is_some());
}

#[tokio::test]
async fn a_large_delete_is_noted_once() {
    let world = World::new().await;
    let ann = world.ann();
    ann.create("Document", document("d1")).await.unwrap();
    for number in 0..130 {
        let value = document("d1")
            .with("key", format!("k{number}"))
            .with("value", "v");
        world
            .store
            .create("DocumentAttribute", value)
            .await
            .unwrap();
    }
    ann.delete("Document", document("d1")).await.unwrap();
    assert_eq!(
        world.notes().await,
        ["ann add COMPLETE", "ann delete COMPLETE"]
    );
    assert!(world.of("rows").await.is_empty());
    assert!(world.of("attribute_versions").await.is_empty());
    check(&world).await;
}

#[tokio::test]
async fn a_call_that_is_said_twice_is_noted_once() {
    let world = World::new().await;
    let ann = world.ann();
    ann.create("Document", document("d1").with("contentLength", 1))
        .await
        .unwrap();
    let more = || Change {
        add: Item::new().with("contentLength", 1),
        ..Change::default()
    };
    for _ in 0..2 {
        let call = ann.update("Document", document("d1"), more());
        let row = call.token("once").await.unwrap();
        assert_eq!(row.get("contentLength"), Some(&2.into()));
    }
    assert_eq!(
        world.notes().await,
        ["ann add COMPLETE", "ann change COMPLETE"]
    );
    assert_eq!(world.of("content_versions").await.len(), 1);
}

#[tokio::test]
async fn a_move_is_a_change() {
    let text = r#"
        monotable = 1
        model = "m"
        [type]
        word = "text, matches = /[a-z]+/"
        [table.Cards]
        key = ["PK", "SK"]
        [entity.Card]
        key = ["BOARD#{board}", "CARD#{card}"]
        [entity.Card.attributes]
        board = "word, movable"
        card = "word"
        [move.to_board]
        of = "Card"
        changes = ["board"]
        [entity.Was]
        key = ["WAS#{card}", "{at}#{id}"]
        writes = []
        [entity.Was.attributes]
        card = "word"
        board = "word"
        at = "timestamp, created"
        id = "ulid, generated"
        [archive.was]
        of = "Card"
        changed = ["board"]
        entity = "Was"
        [entity.Note]
        key = ["NOTES#{card}", "{at}#{id}"]
        writes = []
        [entity.Note.attributes]
        card = "word"
        at = "timestamp, created"
        id = "ulid, generated"
        what = "text"
        from = "text?"
        was = "text?"
        [audit.cards]
        of = ["Card"]
        on = ["update", "failed"]
        entity = "Note"
        set = { what = "{request.operation} {request.status}", from = "{old.board}", was = "{archive.was.PK}" }
        [access.notes]
        key = ["NOTES#{card}"]
        returns = ["Note"]
        [access.boards]
        key = ["WAS#{card}"]
        returns = ["Was"]
    "#;
    let checked = monotable_check::check(text);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let card = Item::new().with("card", "c");
    let on = |board: &str| card.clone().with("board", board);
    store.create("Card", on("a")).await.unwrap();
    let to = Item::new().with("board", "b");
    store
        .move_row("to_board", on("a"), to.clone())
        .await
        .unwrap();
    let again = store.move_row("to_board", on("a"), to).await.unwrap_err();
    assert_eq!(again.kind(), ErrorKind::NotFound);
    let notes = store.query("notes", card.clone()).await.unwrap().rows;
    assert_eq!(notes[0].text("what"), "update COMPLETE");
    assert_eq!(notes[0].text("from"), "a");
    assert_eq!(notes[0].text("was"), "WAS#c");
    assert_eq!(notes[1].text("what"), "update FAILED");
    let boards = store.query("boards", card).await.unwrap().rows;
    assert_eq!(boards.len(), 1);
    assert_eq!(boards[0].text("board"), "a");
}
