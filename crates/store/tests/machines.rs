//! Operations stepped by hand, with made-up answers, and the executor on targets that do things by halves.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BatchGetItemInput, BoxFuture, CancellationCode, CancellationReason, Dynamo, DynamoExt,
    Error as ServiceError, Request, Response,
};
use monotable_engine::Engine;
use monotable_item::{Item, Number};
use monotable_store::{
    Answer, AnyOperation, Change, Clash, Create, Delete, ErrorKind, Failure, Options, Retry, Step,
    Store,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn model(name: &str) -> monotable_model::model::Model {
    let path = format!(
        "{}/../../models/{name}/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    monotable_check::check(&std::fs::read_to_string(path).unwrap())
        .model
        .unwrap()
}

fn store(name: &str, dynamo: impl Dynamo + 'static) -> Store {
    Store::new(model(name), dynamo).with_retry(Retry {
        attempts: 4,
        base: Duration::from_micros(10),
        cap: Duration::from_micros(100),
    })
}

fn tenant() -> AnyOperation {
    AnyOperation::Create(Create {
        entity: "Tenant".to_owned(),
        values: Item::new().with("name", "acme"),
    })
}

/// What an operation makes of the answer to its first request.
fn ends_with(operation: AnyOperation, answer: Answer) -> monotable_store::Error {
    let store = store("authorization", Engine::in_memory().unwrap());
    // The store knows that nobody else has written rows, and need not ask first.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(store.setup()).unwrap();
    let mut machine = store.machine(operation, Options::default());
    let Step::Send(requests) = machine.step(Vec::new()) else {
        panic!("it begins with a request");
    };
    assert_eq!(requests.len(), 1);
    match machine.step(vec![answer]) {
        Step::Done(Err(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn cancelled(codes: &[CancellationCode]) -> Answer {
    let reasons = codes.iter().map(|code| match code {
        CancellationCode::None => CancellationReason::none(),
        code => CancellationReason::of(*code, "because"),
    });
    let reasons = reasons.collect();
    Answer::first(Err(ServiceError::TransactionCanceledException { reasons }))
}

#[test]
fn a_cancelled_transaction_names_the_declaration() {
    use CancellationCode::{ConditionalCheckFailed, None, TransactionConflict, ValidationError};
    let key = ends_with(tenant(), cancelled(&[ConditionalCheckFailed, None]));
    let Failure::Conflict { clash, .. } = key.failure() else {
        panic!("{key}");
    };
    assert!(matches!(clash, Clash::Key { .. }), "{clash}");
    // One that failed for good counts, whatever else might be tried again.
    let name = ends_with(
        tenant(),
        cancelled(&[TransactionConflict, ConditionalCheckFailed]),
    );
    let Failure::Conflict { clash, .. } = name.failure() else {
        panic!("{name}");
    };
    let claim = "name".to_owned();
    assert_eq!(*clash, Clash::Unique { claim });
    assert_eq!(
        ends_with(tenant(), cancelled(&[None, ValidationError])).kind(),
        ErrorKind::Fatal
    );
    let conflict = ends_with(tenant(), cancelled(&[None, TransactionConflict]));
    assert_eq!(
        conflict.kind(),
        ErrorKind::Retryable,
        "what the executor gave up on"
    );
}

#[test]
fn errors_of_the_service_come_with_help() {
    let message = "Requested resource not found".to_owned();
    let missing = Answer::first(Err(ServiceError::ResourceNotFoundException { message }));
    let error = ends_with(tenant(), missing);
    assert_eq!(error.kind(), ErrorKind::Fatal);
    let text = error.to_string();
    assert!(
        text.contains("setup") && text.contains("Authorization"),
        "{text}"
    );
    let message = "The security token included in the request is invalid.".to_owned();
    let foreign = Answer::first(Err(ServiceError::UnrecognizedClientException { message }));
    let text = ends_with(tenant(), foreign).to_string();
    assert!(text.contains("endpoint"), "{text}");
}

/// A target that does one item of each batch, loses the answers it is told to, and counts.
struct Halves {
    engine: Engine,
    lost: AtomicUsize,
    calls: AtomicUsize,
}

impl Halves {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            engine: Engine::in_memory().unwrap(),
            lost: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
        })
    }

    async fn answer(&self, request: Request) -> Result<Response, ServiceError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let writes = matches!(
            request,
            Request::PutItem(_) | Request::UpdateItem(_) | Request::DeleteItem(_)
        );
        let answer = match request {
            Request::BatchGetItem(input) => self.one_of(input).await,
            other => Dynamo::call(&self.engine, other).await,
        };
        let less = |left: usize| left.checked_sub(1);
        let lost = writes
            && self
                .lost
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less)
                .is_ok();
        match lost {
            true => Err(ServiceError::internal("the answer was lost")),
            false => answer,
        }
    }

    async fn one_of(&self, mut input: BatchGetItemInput) -> Result<Response, ServiceError> {
        let tables = input.request_items.as_mut().unwrap();
        let (table, keys) = tables.iter_mut().next().unwrap();
        let rest = keys.keys.as_mut().unwrap().split_off(1);
        let (table, mut left) = (table.clone(), keys.clone());
        let mut output = DynamoExt::batch_get_item(&self.engine, input).await?;
        if !rest.is_empty() {
            left.keys = Some(rest);
            output.unprocessed_keys.insert(table, left);
        }
        Ok(Response::BatchGetItem(output))
    }
}

impl Dynamo for Halves {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        Box::pin(self.answer(request))
    }
}

fn resource(id: &str) -> Item {
    Item::new()
        .with("_resourceType", "System.Thing")
        .with("_id", id)
}

fn urn(id: &str) -> String {
    format!("urn:pp:System.Thing::{id}")
}

#[tokio::test]
async fn keys_that_a_batch_left_are_never_lost() {
    let halves = Halves::new();
    // Three are left, one is done with each attempt.
    let store = store("processproof", Arc::clone(&halves));
    store.setup().await.unwrap();
    store.create("Resource", resource("parent")).await.unwrap();
    for id in ["a", "b", "c"] {
        store.create("Resource", resource(id)).await.unwrap();
        let link = Item::new()
            .with("parentUrn", urn("parent"))
            .with("childUrn", urn(id));
        store.attach("ParentChildRelationship", link).await.unwrap();
    }
    let given = Item::new().with("parentUrn", urn("parent"));
    let page = store.query("children", given).await.unwrap();
    let ids: Vec<_> = page.followed.iter().map(|row| row.text("_id")).collect();
    assert_eq!((ids, page.dangling.len()), (vec!["a", "b", "c"], 0));
}

#[tokio::test]
async fn a_write_whose_answer_was_lost_is_not_a_conflict() {
    let halves = Halves::new();
    let store = store("processproof", Arc::clone(&halves));
    store.setup().await.unwrap();
    halves.lost.store(2, Ordering::SeqCst);
    let row = store.create("Resource", resource("a")).await.unwrap();
    assert_eq!(row.text("urn"), urn("a"));
    // A row that somebody else has made is one.
    let error = store.create("Resource", resource("a")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    // A change and a delete are known by what they have done, too.
    halves.lost.store(1, Ordering::SeqCst);
    let change = Change {
        set: Item::new().with("size", Number::from(7)),
        ..Change::default()
    };
    let key = Item::new().with("urn", urn("a"));
    let row = store.update("Resource", key.clone(), change).await.unwrap();
    assert_eq!(row.get("size"), Some(&Number::from(7).into()));
    halves.lost.store(1, Ordering::SeqCst);
    store.delete("Resource", key.clone()).await.unwrap();
    let gone = store.get("Resource", key).consistent().await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn attempts_end() {
    let halves = Halves::new();
    let store = store("processproof", Arc::clone(&halves));
    store.setup().await.unwrap();
    halves.lost.store(usize::MAX, Ordering::SeqCst);
    halves.calls.store(0, Ordering::SeqCst);
    let error = store.create("Resource", resource("a")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Retryable);
    assert_eq!(halves.calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_token_names_one_call() {
    let store = store("authorization", Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let id = "01HZX9KQ7T0000000000000001";
    let values = || Item::new().with("name", "acme").with("tenantId", id);
    let first = store.create("Tenant", values()).token("t-1").await.unwrap();
    let again = store.create("Tenant", values()).token("t-1").await.unwrap();
    assert_eq!(first, again, "said again, it is the same row");
    // An id that the store makes is made once.
    let unnamed = || Item::new().with("name", "other");
    let create = || store.create("Tenant", unnamed()).token("t-2");
    let first = create().await.unwrap();
    assert_eq!(create().await.unwrap(), first);
    assert_eq!(store.verify().await.unwrap().rows, 2);
    let other = Item::new()
        .with("name", "other")
        .with("tenantId", "01HZX9KQ7T0000000000000002");
    let error = store
        .create("Tenant", other)
        .token("t-1")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
}

#[tokio::test]
async fn a_dry_run_meets_what_the_call_would_meet() {
    let store = store("authorization", Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let values = || Item::new().with("name", "acme");
    store.create("Tenant", values()).dry_run().await.unwrap();
    store.create("Tenant", values()).await.unwrap();
    let error = store
        .create("Tenant", values())
        .dry_run()
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict, "{error}");
    let found = store.verify().await.unwrap();
    assert_eq!((found.rows, found.violations.len()), (1, 0));
}

#[tokio::test]
async fn what_a_caller_expects_is_a_condition_of_the_write() {
    let store = store("authorization", Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    let id = "01HZX9KQ7T0000000000000001";
    let values = Item::new()
        .with("userId", id)
        .with("email", "a@x.org")
        .with("givenName", "Ann");
    store.create("User", values).await.unwrap();
    let key = Item::new().with("userId", id);
    let wrong = store
        .delete("User", key.clone())
        .expecting("givenName", "Bea")
        .await
        .unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Conflict);
    let delete = AnyOperation::Delete(Delete {
        entity: "User".to_owned(),
        key: key.clone(),
    });
    let options = Options {
        expected: Item::new().with("givenName", "Ann"),
        ..Options::default()
    };
    let explained = store.explain(delete, options).await;
    let write = explained.requests.last().unwrap();
    assert!(write.body.contains("givenName"), "{}", write.body);
    store
        .delete("User", key)
        .expecting("givenName", "Ann")
        .await
        .unwrap();
}

#[tokio::test]
async fn versioned_rows_are_written_by_commits_only() {
    let store = store("values", Engine::in_memory().unwrap());
    let error = store.create("ValuesHead", Item::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Immutable, "{error}");
    assert!(error.to_string().contains("commit to `values`"), "{error}");
}
