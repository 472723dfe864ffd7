//! Cursors of one process in another.

use crate::world::{Counted, NOTES, Rights, ada, notes, own_item, process};
use monotable_api::DeleteItemInput;
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Create, Error, ErrorKind, Options, Page, Query, Store};
use std::sync::Arc;

async fn first_page(store: &Store) -> String {
    let page = store.query("notes", ada()).limit(2).await.unwrap();
    page.cursor.unwrap()
}

async fn next_page(store: &Store, cursor: &str) -> Result<Page, Error> {
    store.query("notes", ada()).limit(2).after(cursor).await
}

fn forget(engine: &Engine) {
    let key = Item::new()
        .with("PK", "monotable#store")
        .with("SK", "monotable#store");
    let delete = DeleteItemInput::new("Notes", key);
    engine.delete_item(delete).unwrap();
}

#[tokio::test]
async fn a_cursor_of_one_process_serves_another() {
    let engine = notes().await;
    let (one, other) = (
        process(NOTES, Arc::clone(&engine)),
        process(NOTES, Arc::clone(&engine)),
    );
    let page = next_page(&other, &first_page(&one).await).await.unwrap();
    assert_eq!(page.rows[0].text("noteId"), "n2");
    let last = next_page(&one, &page.cursor.unwrap()).await.unwrap();
    assert_eq!(last.rows.len(), 1);
}

#[tokio::test]
async fn a_store_from_before_gets_its_item_with_the_first_need() {
    for writes_first in [true, false] {
        let engine = notes().await;
        forget(&engine);
        let store = process(NOTES, Arc::clone(&engine));
        if writes_first {
            let note = ada().with("noteId", "m");
            store.create("Note", note).await.unwrap();
        } else {
            first_page(&store).await;
        }
        let item = own_item(&engine, "Notes").unwrap();
        assert!(
            matches!(item.get("monotable#secret"), Some(AttributeValue::B(key)) if key.len() == 32)
        );
        let other = process(NOTES, Arc::clone(&engine));
        next_page(&other, &first_page(&store).await).await.unwrap();
    }
}

#[tokio::test]
async fn many_processes_that_begin_at_once_have_one_secret() {
    let engine = notes().await;
    forget(&engine);
    let mut processes = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let store = process(NOTES, Arc::clone(&engine));
        processes.spawn(async move { (first_page(&store).await, store) });
    }
    let all = processes.join_all().await;
    for (cursor, _) in &all {
        for (_, store) in &all {
            next_page(store, cursor).await.unwrap();
        }
    }
}

#[tokio::test]
async fn only_cursors_and_the_first_write_ask_for_the_item() {
    let engine = notes().await;
    let counted = Counted::new(&engine, Rights::All);
    let store = process(NOTES, Arc::clone(&counted));
    store.get("User", ada()).await.unwrap();
    assert_eq!(counted.count(), 1);
    store.query("notes", ada()).await.unwrap();
    assert_eq!(counted.count(), 1, "a page without a next one");
    let cursor = first_page(&store).await;
    assert_eq!(counted.count(), 2);
    next_page(&store, &cursor).await.unwrap();
    first_page(&store).await;
    assert_eq!(counted.count(), 2, "it is read once");
    // A process that only writes reads it before its first write.
    let store = process(NOTES, Arc::clone(&counted));
    let delete = |note: &str| store.delete("Note", ada().with("noteId", note));
    delete("n0").await.unwrap();
    let first = counted.count();
    delete("n1").await.unwrap();
    assert_eq!(first, counted.count() + 1);
}

#[tokio::test]
async fn an_explanation_shows_the_operation_alone() {
    let engine = notes().await;
    let cursor = first_page(&process(NOTES, Arc::clone(&engine))).await;
    let store = process(NOTES, Arc::clone(&engine));
    for cursor in [None, Some(cursor)] {
        let query = AnyOperation::Query(Query {
            pattern: "notes".to_owned(),
            parameters: ada(),
            limit: Some(2),
            after: cursor,
            descending: None,
        });
        let explained = store.explain(query, Options::default()).await;
        assert_eq!(explained.requests.len(), 1);
        explained.outcome.unwrap();
    }
    let create = AnyOperation::Create(Create {
        entity: "Note".to_owned(),
        values: ada().with("noteId", "m"),
    });
    let explained = store.explain(create, Options::default()).await;
    assert!(!explained.to_string().contains("monotable#"), "{explained}");
}

#[tokio::test]
async fn a_renewed_secret_reaches_processes_that_have_read_the_old_one() {
    let engine = notes().await;
    let (one, other) = (
        process(NOTES, Arc::clone(&engine)),
        process(NOTES, Arc::clone(&engine)),
    );
    let old = first_page(&other).await;
    one.renew_secret().await.unwrap();
    let new = first_page(&one).await;
    next_page(&other, &new).await.unwrap();
    // What the secret before has sealed is good for one renewal.
    next_page(&one, &old).await.unwrap();
    one.renew_secret().await.unwrap();
    let error = next_page(&one, &old).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    next_page(&other, &new).await.unwrap();
}

#[tokio::test]
async fn a_given_secret_counts_more_than_the_stores() {
    let engine = notes().await;
    let counted = Counted::new(&engine, Rights::All);
    let store = process(NOTES, Arc::clone(&counted)).with_secret([7; 32]);
    let cursor = first_page(&store).await;
    assert_eq!(counted.count(), 1, "nothing is read for it");
    let same = process(NOTES, Arc::clone(&engine)).with_secret([7; 32]);
    next_page(&same, &cursor).await.unwrap();
    let others = [
        process(NOTES, Arc::clone(&engine)).with_secret([8; 32]),
        process(NOTES, Arc::clone(&engine)),
    ];
    for other in others {
        let error = next_page(&other, &cursor).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
    }
}

#[tokio::test]
async fn without_the_right_to_read_the_item_a_process_has_its_own_secret() {
    let engine = notes().await;
    let denied = || process(NOTES, Counted::new(&engine, Rights::Nothing));
    let (one, other) = (denied(), denied());
    let cursor = first_page(&one).await;
    next_page(&one, &cursor).await.unwrap();
    let error = next_page(&other, &cursor).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("monotable#store"), "{error}");
    // Everything else works.
    let note = ada().with("noteId", "m");
    one.create("Note", note).await.unwrap();
    one.setup().await.unwrap();
}

#[tokio::test]
async fn without_the_right_to_put_the_item_a_process_shares_what_is_there() {
    let engine = notes().await;
    let reader = || process(NOTES, Counted::new(&engine, Rights::Read));
    let cursor = first_page(&reader()).await;
    next_page(&reader(), &cursor).await.unwrap();
    // There is none, and it can put none.
    forget(&engine);
    let one = reader();
    let cursor = first_page(&one).await;
    next_page(&one, &cursor).await.unwrap();
    let note = ada().with("noteId", "m");
    one.create("Note", note).await.unwrap();
    assert!(own_item(&engine, "Notes").is_none());
}

#[tokio::test]
async fn callers_of_their_own_partitions_share_it_too() {
    let text = r#"
        monotable = 1
        model     = "diary"
        [principal]
        userId = "text, matches = /[a-z0-9]{1,64}/"
        [isolation]
        partitions = ["U#{principal.userId}", "U#{principal.userId}#*"]
        [table.Diary]
        key = ["PK", "SK"]
        [entity.Day]
        key = ["U#{userId}", "DAY#{date}"]
        [entity.Day.attributes]
        userId = "text, matches = /[a-z0-9]{1,64}/"
        date   = "date"
        [access.days]
        key     = ["U#{userId}", "DAY#*"]
        returns = ["Day"]
        "#;
    let engine = Arc::new(Engine::in_memory().unwrap());
    process(text, Arc::clone(&engine)).setup().await.unwrap();
    let caller = || process(text, Arc::clone(&engine)).as_principal(ada());
    for day in ["2026-01-23", "2026-01-24", "2026-01-25"] {
        let day = ada().with("date", day);
        caller().create("Day", day).await.unwrap();
    }
    let page = caller().query("days", ada()).limit(1).await.unwrap();
    let cursor = page.cursor.unwrap();
    let other = caller();
    let next = other.query("days", ada()).limit(1).after(cursor.as_str());
    assert_eq!(next.await.unwrap().rows[0].text("date"), "2026-01-24");
    // It is the caller's page, and nobody else's.
    let bob = process(text, Arc::clone(&engine)).as_principal(Item::new().with("userId", "bob"));
    let stolen = bob.query("days", ada()).limit(1).after(cursor).await;
    assert!(stolen.is_err());
}
