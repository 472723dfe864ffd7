//! A store of documents whose clock stands still.

use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{Change, Retry, Row, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// 2025-11-18T12:00:00.250000Z
pub(crate) const NOW: i64 = 1_763_467_200_250_000;

pub(crate) struct World {
    pub(crate) clock: Arc<AtomicI64>,
    pub(crate) engine: Arc<Engine>,
    /// The program's own.
    pub(crate) store: Store,
}

impl World {
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(AtomicI64::new(NOW));
        let engine = Arc::new(Engine::in_memory().unwrap());
        let store = store(Arc::clone(&engine), &clock);
        store.setup().await.unwrap();
        Self {
            clock,
            engine,
            store,
        }
    }

    /// Half a second to the same second, or any other time.
    pub(crate) fn at(&self, after: i64) {
        self.clock.store(NOW + after, Ordering::Relaxed);
    }

    pub(crate) fn ann(&self) -> Store {
        self.store.as_principal(user("ann"))
    }

    pub(crate) async fn page(&self, pattern: &str, parameters: Item) -> Vec<Row> {
        let page = self.store.query(pattern, parameters).await.unwrap();
        page.rows
    }

    pub(crate) async fn of(&self, pattern: &str) -> Vec<Row> {
        self.page(pattern, document("d1")).await
    }

    pub(crate) async fn notes(&self) -> Vec<String> {
        let notes = self.of("activities").await;
        notes
            .iter()
            .map(|row| {
                format!(
                    "{} {} {}",
                    row.text("userId"),
                    row.text("type"),
                    row.text("status")
                )
            })
            .collect()
    }
}

pub(crate) fn store(dynamo: impl Dynamo + 'static, clock: &Arc<AtomicI64>) -> Store {
    let checked = monotable_check::check(include_str!("documents.toml"));
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let clock = Arc::clone(clock);
    Store::new(model, dynamo)
        .with_clock(move || clock.load(Ordering::Relaxed))
        .with_retry(Retry {
            attempts: 2,
            base: Duration::from_micros(10),
            cap: Duration::from_micros(100),
        })
        .tenant("default")
}

pub(crate) fn user(name: &str) -> Item {
    Item::new().with("username", name)
}

pub(crate) fn document(id: &str) -> Item {
    Item::new().with("documentId", id)
}

pub(crate) fn set(name: &str, value: impl Into<AttributeValue>) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

pub(crate) fn changes(row: &Row) -> &Item {
    match row.get("changeSet") {
        Some(AttributeValue::M(changes)) => changes,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn ends<'c>(
    changes: &'c Item,
    name: &str,
) -> (Option<&'c AttributeValue>, Option<&'c AttributeValue>) {
    match changes.get(name) {
        Some(AttributeValue::M(change)) => (change.get("old"), change.get("new")),
        _ => (None, None),
    }
}

pub(crate) async fn check(world: &World) {
    let verified = world.store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
    assert_eq!(verified.unknown, 0);
}
