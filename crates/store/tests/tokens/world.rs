//! A vault whose clock stands still, and its items as they are stored.

use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use monotable_store::{
    AnyOperation, Change, Clash, Create, Delete, Error, Failure, Options, Retry, Store, Update,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// 2025-11-18T12:00:00Z
pub(crate) const NOW: i64 = 1_763_467_200_000_000;
pub(crate) const DAY: i64 = 24 * 60 * 60 * 1_000_000;

pub(crate) struct World {
    pub(crate) clock: Arc<AtomicI64>,
    pub(crate) engine: Arc<Engine>,
    /// The program's own, of the tenant without a prefix.
    pub(crate) store: Store,
}

impl World {
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(NOW));
        // Expired tokens are still there when they are asked for: the engine's clock stands still.
        let stands = ManualClock::at(Duration::from_micros(NOW.unsigned_abs()));
        let options = EngineOptions::new().clock(Arc::new(stands));
        let engine = Arc::new(options.in_memory().unwrap());
        let store = vault(Arc::clone(&engine), &clock);
        store.setup().await.unwrap();
        Self {
            clock,
            engine,
            store,
        }
    }

    pub(crate) fn at(&self, after: i64) {
        self.clock.store(NOW + after, Ordering::Relaxed);
    }

    pub(crate) fn user(&self, name: &str) -> Store {
        self.store.as_principal(Item::new().with("user", name))
    }

    /// Every item of the table but the store's own.
    pub(crate) async fn items(&self) -> Vec<Item> {
        let output = self.engine.scan(ScanInput::new("Vault")).await.unwrap();
        let items = output.items.unwrap().into_iter();
        let items = items.map(|item| item.to_item());
        items
            .filter(|item| partition(item) != "monotable#store")
            .collect()
    }

    /// The items that are not the store's own.
    pub(crate) async fn rows(&self) -> Vec<Item> {
        let mut items = self.items().await;
        items.retain(|item| !partition(item).contains("monotable#"));
        items
    }

    /// The rows of tokens.
    pub(crate) async fn tokens(&self) -> Vec<Item> {
        let mut items = self.items().await;
        items.retain(|item| partition(item).contains("monotable#token#"));
        items
    }

    /// Nothing contradicts the model, and nothing is unknown to it.
    pub(crate) async fn check(&self) {
        let verified = self.store.verify().await.unwrap();
        assert!(verified.violations.is_empty(), "{:?}", verified.violations);
        assert_eq!(verified.unknown, 0);
    }
}

pub(crate) fn partition(item: &Item) -> &str {
    match item.get("PK") {
        Some(AttributeValue::S(hash)) => hash,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn model() -> Model {
    let checked = monotable_check::check(include_str!("vault.toml"));
    checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

pub(crate) fn vault(dynamo: impl Dynamo + 'static, clock: &Arc<AtomicI64>) -> Store {
    let clock = Arc::clone(clock);
    Store::new(model(), dynamo)
        .with_clock(move || clock.load(Ordering::Relaxed))
        .with_retry(Retry {
            attempts: 4,
            base: Duration::from_micros(10),
            cap: Duration::from_micros(100),
        })
        .tenant("default")
}

pub(crate) fn named(name: &str) -> Item {
    Item::new().with("name", name)
}

/// A key of ann's.
pub(crate) fn key(name: &str) -> Item {
    named(name).with("owner", "ann")
}

pub(crate) fn one_more() -> Change {
    Change {
        add: Item::new().with("uses", 1),
        ..Change::default()
    }
}

pub(crate) fn set(name: &str, value: impl Into<AttributeValue>) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

pub(crate) fn create(entity: &str, values: Item) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values,
    })
}

pub(crate) fn update(entity: &str, key: Item, change: Change) -> AnyOperation {
    AnyOperation::Update(Update {
        entity: entity.to_owned(),
        key,
        change,
    })
}

pub(crate) fn delete(entity: &str, key: Item) -> AnyOperation {
    AnyOperation::Delete(Delete {
        entity: entity.to_owned(),
        key,
    })
}

pub(crate) fn with_token(token: &str) -> Options {
    Options {
        token: Some(token.to_owned()),
        ..Options::default()
    }
}

/// Whether a call was refused because its token has named another one.
pub(crate) fn is_mismatch(error: &Error) -> bool {
    matches!(
        error.failure(),
        Failure::Conflict {
            clash: Clash::TokenMismatch { .. },
            ..
        }
    )
}
