//! What the data layer costs, as multiples of the same requests written by hand.
//!
//! `cargo bench -p monotable-store`. The embedded engine in memory, as a `Dynamo`; both sides send the same requests and look at what
//! comes back as items. Rounds of both alternate, and the median of their ratios is reported.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a report"
)]

mod rounds;

use monotable_api::{
    Dynamo, DynamoExt, GetItemInput, QueryInput, ReturnValue, TransactPut, TransactWriteItemsInput,
    UpdateItemInput,
};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Change, Store};
use rounds::ratio;
use std::hint::black_box;
use std::sync::Arc;
use tokio::runtime::Runtime;

const ROUNDS: usize = 41;
const CALLS: usize = 400;
const GRANTS: usize = 25;

fn ulid(number: usize) -> String {
    format!("01HZX9KQ7T00000000{number:08}")
}

fn report(name: &str, most: f64, (ratio, model, hand): (f64, f64, f64)) {
    let verdict = if ratio <= most { "met" } else { "MISSED" };
    println!("{name:8}{model:>10.1}{hand:>10.1}{ratio:>8.2}   at most {most}: {verdict}");
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let engine: Arc<dyn Dynamo> = Arc::new(Engine::in_memory().unwrap());
    let text = include_str!("../../../models/authorization/model.toml");
    let model = monotable_check::check(text).model.unwrap();
    let store = Store::new(model, Arc::clone(&engine));
    runtime.block_on(store.setup()).unwrap();
    println!("{:8}{:>10}{:>10}{:>8}", "", "model us", "hand us", "times");
    // `cargo bench ... -- get` measures reads by key alone, for a profile.
    let asked: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let measures = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    let (runtime, store, engine) = (&runtime, &store, &*engine);
    let user = ulid(7);
    fill(runtime, store, &user);
    if measures("create") {
        create(runtime, store, engine);
    }
    if measures("get") {
        get(runtime, store, engine, &user);
    }
    if measures("update") {
        update(runtime, store, engine, &user);
    }
    if measures("query") {
        query(runtime, store, engine, &user);
    }
}

fn create(runtime: &Runtime, store: &Store, engine: &dyn Dynamo) {
    report(
        "create",
        1.3,
        ratio(
            (ROUNDS, CALLS),
            |call| {
                let values = Item::new()
                    .with("tenantId", ulid(call))
                    .with("name", format!("model {call}"));
                black_box(
                    runtime
                        .block_on(store.create("Tenant", values).into_future())
                        .unwrap(),
                );
            },
            |call| runtime.block_on(create_by_hand(engine, call)),
        ),
    );
}

fn get(runtime: &Runtime, store: &Store, engine: &dyn Dynamo, user: &str) {
    report(
        "get",
        1.3,
        ratio(
            (ROUNDS, CALLS),
            |_| {
                let key = Item::new().with("userId", user);
                black_box(
                    runtime
                        .block_on(store.get("User", key).into_future())
                        .unwrap(),
                );
            },
            |_| {
                let place = format!("USER#{user}");
                let key = Item::new()
                    .with("PK", place.as_str())
                    .with("SK", place.as_str());
                let input = GetItemInput::new("Authorization", key);
                let output = runtime.block_on(engine.get_item(input)).unwrap();
                black_box(output.item.unwrap().to_item());
            },
        ),
    );
}

/// One attribute that nothing depends on.
fn update(runtime: &Runtime, store: &Store, engine: &dyn Dynamo, user: &str) {
    report(
        "update",
        1.4,
        ratio(
            (ROUNDS, CALLS),
            |call| {
                let key = Item::new().with("userId", user);
                let change = Change {
                    set: Item::new().with("givenName", format!("model {call}")),
                    ..Change::default()
                };
                black_box(
                    runtime
                        .block_on(store.update("User", key, change).into_future())
                        .unwrap(),
                );
            },
            |call| {
                let place = format!("USER#{user}");
                let key = Item::new()
                    .with("PK", place.as_str())
                    .with("SK", place.as_str());
                let input = UpdateItemInput::new("Authorization", key)
                    .update("SET #0 = :0")
                    .condition("attribute_exists(#1)")
                    .name("#0", "givenName")
                    .name("#1", "PK")
                    .value(":0", format!("hand {call}"))
                    .return_values(ReturnValue::AllNew);
                let output = runtime.block_on(engine.update_item(input)).unwrap();
                black_box(output.attributes.unwrap().to_item());
            },
        ),
    );
}

fn query(runtime: &Runtime, store: &Store, engine: &dyn Dynamo, user: &str) {
    report(
        "query",
        1.2,
        ratio(
            (ROUNDS, CALLS),
            |_| {
                let given = Item::new().with("userId", user);
                let page = runtime.block_on(store.query("grants_of_user", given).into_future());
                assert_eq!(black_box(page.unwrap()).rows.len(), GRANTS);
            },
            |_| {
                let input = QueryInput::new("Authorization", "#0 = :0")
                    .index("GSI1")
                    .name("#0", "GSI1PK")
                    .value(":0", format!("USER#{user}"));
                let output = runtime.block_on(engine.query(input)).unwrap();
                let items = output.items.unwrap();
                let items: Vec<_> = items.iter().map(|item| item.to_item()).collect();
                assert_eq!(black_box(items).len(), GRANTS);
            },
        ),
    );
}

async fn create_by_hand(dynamo: &dyn Dynamo, call: usize) {
    let id = format!("01HZX9KQ7Z00000000{call:08}");
    let name = format!("hand {call}");
    let place = format!("TENANT#{id}");
    let guard = format!("TENANT_NAME#{name}");
    let tenant = Item::new()
        .with("PK", place.as_str())
        .with("SK", place.as_str())
        .with("GSI1PK", guard.as_str())
        .with("GSI1SK", guard.as_str())
        .with("Type", "Tenant")
        .with("tenantId", id.as_str())
        .with("name", name.as_str());
    let unique = Item::new()
        .with("PK", guard.as_str())
        .with("SK", guard.as_str())
        .with("Type", "TenantName")
        .with("name", name)
        .with("tenantId", id);
    let put = |item: Item| {
        let put = TransactPut::new("Authorization", item)
            .condition("attribute_not_exists(#0) AND attribute_not_exists(#1)")
            .name("#0", "PK")
            .name("#1", "SK");
        put.return_old_on_failure().into()
    };
    let input = TransactWriteItemsInput {
        transact_items: Some(vec![put(tenant), put(unique)]),
        client_request_token: Some(format!("{:032x}", fastrand::u128(..))),
        ..TransactWriteItemsInput::default()
    };
    black_box(dynamo.transact_write_items(input).await.unwrap());
}

fn fill(runtime: &Runtime, store: &Store, user: &str) {
    runtime.block_on(async {
        let values = Item::new()
            .with("userId", user)
            .with("email", "alice@example.com")
            .with("phone", "+4312345678")
            .with("givenName", "Alice")
            .with("familyName", "Smith");
        store.create("User", values).await.unwrap();
        for number in 0..GRANTS {
            let id = ulid(90_000_000 + number);
            let tenant = Item::new()
                .with("tenantId", id.as_str())
                .with("name", format!("of grant {number}"));
            store.create("Tenant", tenant).await.unwrap();
            let grant = Item::new()
                .with("tenantId", id)
                .with("userId", user)
                .with("roles", Vec::new());
            store.create("TenantGrant", grant).await.unwrap();
        }
    });
}
