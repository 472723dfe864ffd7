//! A token is one caller's, of one tenant, for one call; nothing else follows from it.

use crate::world::{World, create, is_mismatch, key, named, one_more, partition, set, with_token};
use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, ErrorKind, Get, Store};
use std::sync::Arc;

#[tokio::test]
async fn a_token_gives_different_keys_in_two_stores() {
    let (one, other) = (World::new().await, World::new().await);
    let make = |world: &World| {
        let store = world.store.clone();
        async move { store.create("Key", key("k")).token("key-1").await.unwrap() }
    };
    let (one, other) = (make(&one).await, make(&other).await);
    for name in ["id", "secret"] {
        assert!(!one.text(name).is_empty());
        assert_ne!(one.text(name), other.text(name), "{name}");
    }
}

#[tokio::test]
async fn a_token_gives_different_keys_and_salts_in_two_tenants() {
    let world = World::new().await;
    let mut secrets = Vec::new();
    for tenant in ["blue", "red", "default"] {
        let store = world.store.tenant(tenant);
        let values = key("k").with("pin", "1234");
        let row = store.create("Key", values).token("key-1").await.unwrap();
        secrets.push(row.text("secret").to_owned());
    }
    let rows = world.rows().await;
    assert_eq!(rows.len(), 3);
    let pin = |row: &Item| row.get("pin").cloned().unwrap();
    for (position, secret) in secrets.iter().enumerate() {
        assert!(!secrets[..position].contains(secret), "{secret}");
        let mut earlier = rows[..position].iter();
        assert!(earlier.all(|row| pin(row) != pin(&rows[position])));
    }
}

#[tokio::test]
async fn another_tenant_with_the_same_token_makes_its_own_row() {
    let world = World::new().await;
    let (blue, red) = (world.store.tenant("blue"), world.store.tenant("red"));
    let values = || Item::new().with("what", "begin");
    let first = blue.create("Event", values()).token("t").await.unwrap();
    let second = red.create("Event", values()).token("t").await.unwrap();
    assert_ne!(first, second, "a row of another tenant is nobody's answer");
    // Each finds its own again.
    let again = red.create("Event", values()).token("t").await.unwrap();
    assert_eq!(again, second);
    let again = blue.create("Event", values()).token("t").await.unwrap();
    assert_eq!(again, first);
    let tokens = world.tokens().await;
    let names = ["blue/monotable#token#", "red/monotable#token#"].map(|start| {
        tokens
            .iter()
            .find_map(|row| partition(row).strip_prefix(start))
            .unwrap()
    });
    assert_ne!(
        names[0], names[1],
        "the name of a token is its tenant's too"
    );
    for store in [blue, red] {
        let page = store.query("events", Item::new()).await.unwrap();
        assert_eq!(page.rows.len(), 1);
    }
}

#[tokio::test]
async fn another_caller_with_the_same_token_makes_its_own_row() {
    let world = World::new().await;
    let (ann, bob) = (world.user("ann"), world.user("bob"));
    let first = ann.create("Key", named("a")).token("t").await.unwrap();
    let second = bob.create("Key", named("b")).token("t").await.unwrap();
    assert_eq!((first.text("owner"), second.text("owner")), ("ann", "bob"));
    assert_ne!(first.text("secret"), second.text("secret"));
    // The program is somebody else again.
    let third = world.store.create("Key", key("c")).token("t").await;
    assert_eq!(third.unwrap().text("name"), "c");
    assert_eq!(world.tokens().await.len(), 3);
    let again = bob.create("Key", named("b")).token("t").await.unwrap();
    assert_eq!(again.text("owner"), "bob");
}

#[tokio::test]
async fn an_update_with_the_token_of_another_call_changes_nothing() {
    let world = World::new().await;
    let store = &world.store;
    store.create("Key", key("k")).token("t").await.unwrap();
    let before = world.items().await;
    let update = store.update("Key", named("k"), one_more()).token("t").await;
    let error = update.unwrap_err();
    assert!(is_mismatch(&error), "{error}");
    assert_eq!(error.kind(), ErrorKind::Conflict);
    let text = error.to_string();
    assert!(
        text.contains("`create`") && text.contains("`update`"),
        "{text}"
    );
    let delete = store.delete("Key", named("k")).token("t").await;
    assert!(is_mismatch(&delete.unwrap_err()));
    assert_eq!(world.items().await, before);
}

#[tokio::test]
async fn other_parameters_are_another_call() {
    let world = World::new().await;
    let store = &world.store;
    for name in ["k", "l"] {
        store.create("Key", key(name)).await.unwrap();
    }
    let update = |name, change| store.update("Key", named(name), change).token("t");
    update("k", one_more()).await.unwrap();
    let before = world.items().await;
    let twice = {
        let mut change = one_more();
        change.add = Item::new().with("uses", 2);
        change
    };
    let others = [
        update("l", one_more()),
        update("k", twice),
        update("k", set("uses", 1)),
        update("k", one_more()).expecting("uses", 1),
    ];
    for other in others {
        let error = other.await.unwrap_err();
        assert!(is_mismatch(&error), "{error}");
        assert!(error.to_string().contains("other parameters"), "{error}");
    }
    assert_eq!(world.items().await, before);
    update("k", one_more()).await.unwrap();
    assert_eq!(world.items().await, before, "the same call is none");
}

#[tokio::test]
async fn secrets_are_not_in_the_fingerprint() {
    let world = World::new().await;
    let create = |pin: &str| {
        let values = key("k").with("pin", pin);
        world.store.create("Key", values).token("t")
    };
    create("1234").await.unwrap();
    // What cannot be told apart is the same call; a hash that could tell would also tell which pin it was.
    create("9999").await.unwrap();
    let check = world.store.check_secret("Key", named("k"), "pin", "1234");
    assert!(check.await.unwrap(), "the first call counts");
}

#[tokio::test]
async fn a_transaction_is_one_call() {
    let world = World::new().await;
    let event = |what: &str| create("Event", Item::new().with("what", what));
    let both = || vec![event("one"), event("two")];
    let first = world.store.transact(both()).token("t").await.unwrap();
    let again = world.store.transact(both()).token("t").await.unwrap();
    assert_eq!(first, again);
    let turned = vec![event("two"), event("one")];
    let error = world.store.transact(turned).token("t").await.unwrap_err();
    assert!(is_mismatch(&error), "{error}");
    assert_eq!(world.rows().await.len(), 2);
}

#[tokio::test]
async fn reads_and_empty_tokens_are_refused() {
    let world = World::new().await;
    let get = AnyOperation::Get(Get {
        entity: "Key".to_owned(),
        key: named("k"),
    });
    let error = world.store.run(get, with_token("t")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    let error = world.store.create("Key", key("k")).token("").await;
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Usage);
}

/// A target that says of every transaction that its token belongs to another one.
struct Mismatched(Arc<Engine>);

impl Dynamo for Mismatched {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        Box::pin(async move {
            match request {
                Request::TransactWriteItems(_) => {
                    let message = "another request has this token".to_owned();
                    Err(ServiceError::IdempotentParameterMismatchException { message })
                }
                other => self.0.call(other).await,
            }
        })
    }
}

#[tokio::test]
async fn a_parameter_mismatch_of_the_service_is_an_error() {
    let world = World::new().await;
    world.store.create("Key", key("k")).await.unwrap();
    let before = world.items().await;
    let store: Store = crate::world::vault(Mismatched(Arc::clone(&world.engine)), &world.clock);
    let update = store.update("Key", named("k"), one_more()).token("t");
    assert_eq!(update.await.unwrap_err().kind(), ErrorKind::Fatal);
    let delete = store.delete("Key", named("k")).token("t");
    assert_eq!(delete.await.unwrap_err().kind(), ErrorKind::Fatal);
    assert_eq!(world.items().await, before);
}

#[tokio::test]
async fn the_name_of_a_token_tells_nothing_of_it() {
    let world = World::new().await;
    let create = world.store.create("Key", key("k").with("pin", "hunter2"));
    create.token("my-token").await.unwrap();
    let [token] = <[Item; 1]>::try_from(world.tokens().await).unwrap();
    let text = format!("{token:?}");
    assert!(
        !text.contains("my-token") && !text.contains("hunter2"),
        "{text}"
    );
    // The table removes it by itself, where it can.
    let expires = token.get("goneAt").cloned();
    assert_eq!(expires, token.get("monotable#expires").cloned());
    assert!(matches!(expires, Some(AttributeValue::N(_))));
}
