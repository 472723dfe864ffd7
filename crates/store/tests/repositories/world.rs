//! A values tree and a plan, and what must hold of them whatever happens.

use super::player::Player;
use monotable_api::{DeleteItemInput, DynamoExt, PutItemInput, ScanInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{
    AnyOperation, AnyOutput, At, Carry, Change, Commit, CommitAll, Create, Delete, Error, Options,
    Purge, Put, Rollback, Store, Sweep, SweepMode, Update,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

pub(crate) struct World {
    pub(crate) engine: Arc<Engine>,
    pub(crate) store: Store,
    /// The revisions of u1's tree, the oldest first.
    pub(crate) revisions: Vec<String>,
}

pub(crate) fn user(id: &str) -> Item {
    Item::new().with("userId", id)
}

fn day(date: &str) -> Item {
    user("u1").with("date", date)
}

fn create(entity: &str, values: Item) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values,
    })
}

fn node(id: &str, kind: &str, title: &str) -> Item {
    Item::new()
        .with("nodeId", id)
        .with("nodeType", kind)
        .with("title", title)
}

fn edge(from: &str, to: &str) -> AnyOperation {
    let ends = Item::new()
        .with("parentNodeId", from)
        .with("childNodeId", to);
    create("ValuesEdge", ends)
}

fn values(message: &str, source: &str) -> Commit {
    Commit::new("values", user("u1"))
        .with("message", message)
        .with("source", source)
}

/// The tree of a user: two drivers, a milestone, two actions.
fn tree(user_id: &str) -> Commit {
    let mut commit = values("begin", "weekly_review");
    commit.key = user(user_id);
    let action = |id, title| node(id, "ACTION", title).with("driverId", "d1");
    commit
        .change(create("ValuesNode", node("d1", "DRIVER", "Health")))
        .change(create("ValuesNode", node("d2", "DRIVER", "Work")))
        .change(create("ValuesNode", node("m1", "MILESTONE", "Run 10 km")))
        .change(create(
            "ValuesNode",
            action("a1", "Buy shoes").with("parentMilestoneId", "m1"),
        ))
        .change(create("ValuesNode", action("a2", "Sleep")))
        .change(edge("d1", "m1"))
        .change(edge("m1", "a1"))
        .change(edge("d1", "a2"))
}

pub(crate) fn rename(node: &str, title: &str) -> AnyOperation {
    let commit = values("rename", "daily_update").change(retitle(node, title));
    AnyOperation::CommitAll(CommitAll {
        commits: vec![commit],
    })
}

fn retitle(node: &str, title: &str) -> AnyOperation {
    set(node, "title", title)
}

fn set(node: &str, name: &str, value: &str) -> AnyOperation {
    AnyOperation::Update(Update {
        entity: "ValuesNode".to_owned(),
        key: Item::new().with("nodeId", node),
        change: Change {
            set: Item::new().with(name, value),
            ..Change::default()
        },
    })
}

/// One more action under d1.
pub(crate) fn adding(id: &str) -> Commit {
    let action = node(id, "ACTION", id).with("driverId", "d1");
    values("more", "daily_update")
        .change(create("ValuesNode", action))
        .change(edge("d1", id))
}

fn todo(action: &str) -> AnyOperation {
    let values = Item::new()
        .with("actionId", action)
        .with("classification", "urgent");
    create("PlanTodo", values)
}

fn plan(date: &str, reason: &str) -> Commit {
    Commit::new("plan", day(date)).with("reason", reason)
}

pub(crate) fn plan_tomorrow() -> AnyOperation {
    let AnyOperation::Create(Create { entity, values }) = todo("a1") else {
        unreachable!("a to-do is created")
    };
    let put = AnyOperation::Put(Put { entity, values });
    let commit = plan("2026-01-24", "morning_plan").change(put);
    AnyOperation::CommitAll(CommitAll {
        commits: vec![commit],
    })
}

pub(crate) fn complete_both() -> AnyOperation {
    let done = set("a2", "completedAt", "2026-01-23T12:00:00Z");
    AnyOperation::CommitAll(CommitAll {
        commits: vec![
            values("done", "completion").change(done),
            plan("2026-01-23", "completion").change(AnyOperation::Delete(Delete {
                entity: "PlanTodo".to_owned(),
                key: Item::new().with("actionId", "a2"),
            })),
        ],
    })
}

pub(crate) fn carry() -> AnyOperation {
    AnyOperation::Carry(Carry {
        name: "rollover".to_owned(),
        key: day("2026-01-23"),
        values: Item::new(),
    })
}

pub(crate) fn rollback(to: &str) -> AnyOperation {
    let operation = Rollback {
        repository: "values".to_owned(),
        key: user("u1"),
        to: to.to_owned(),
        from: None,
    };
    operation.into()
}

pub(crate) fn sweep() -> AnyOperation {
    let operation = Sweep {
        repository: "values".to_owned(),
        key: user("u1"),
        older_than: Duration::ZERO,
    };
    operation.into()
}

pub(crate) fn purge() -> AnyOperation {
    AnyOperation::Purge(Purge { owner: user("u1") })
}

impl World {
    /// Two revisions of a tree, and a tree of somebody else.
    pub(crate) async fn with_tree() -> Self {
        let engine = Arc::new(Engine::in_memory().unwrap());
        let clock = AtomicI64::new(1_769_158_800_000_000);
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../models/values/model.toml"
        );
        let model = monotable_check::check(&std::fs::read_to_string(path).unwrap()).model;
        let store = Store::new(model.unwrap(), Arc::clone(&engine))
            .with_clock(move || clock.fetch_add(10_000, Ordering::Relaxed));
        store.setup().await.unwrap();
        let mut revisions = Vec::new();
        for commit in [
            tree("u2"),
            tree("u1"),
            values("again", "daily_update").change(retitle("d2", "Job")),
        ] {
            let mine = commit.key == user("u1");
            let committed = store.commit(commit).await.unwrap();
            if mine {
                revisions.push(committed.revisions[0].text("revId").to_owned());
            }
        }
        Self {
            engine,
            store,
            revisions,
        }
    }

    /// The tree, and beside it a plan of two to-dos.
    pub(crate) async fn with_plan() -> Self {
        let world = Self::with_tree().await;
        let commit = plan("2026-01-23", "morning_plan")
            .change(todo("a1"))
            .change(todo("a2"));
        world.store.commit(commit).await.unwrap();
        world
    }

    /// The tree, and beside it a commit that died before it was known.
    pub(crate) async fn with_orphan() -> Self {
        let world = Self::with_tree().await;
        let mut player = Player::new(&world.store, rename("m1", "lost"));
        while !world.items("U#u1").await.iter().any(is_intent) {
            player.advance(&world.engine).await;
        }
        player.advance(&world.engine).await;
        world
    }

    /// The tree, and beside it intents of both revisions, as a backup that is taken during a commit brings them back.
    pub(crate) async fn with_left_intents() -> Self {
        let world = Self::with_tree().await;
        for revision in &world.revisions {
            let intent = Item::new()
                .with("PK", "U#u1")
                .with("SK", format!("PENDING#values#{revision}"))
                .with("repository", "values")
                .with("revId", revision.as_str())
                .with("partition", format!("U#u1#VALUES#{revision}"))
                .with("startedAt", "2026-01-01T00:00:00.000Z");
            world.put(intent).await;
        }
        world
    }

    /// Writes an item beside the store.
    pub(crate) async fn put(&self, item: Item) {
        let input = PutItemInput::new("App", item);
        self.engine.put_item(input).await.unwrap();
    }

    /// Deletes an item beside the store.
    pub(crate) async fn delete(&self, item: &Item) {
        let mut key = Item::new();
        for name in ["PK", "SK"] {
            key.insert(name, item.get(name).unwrap().clone());
        }
        let input = DeleteItemInput::new("App", key);
        self.engine.delete_item(input).await.unwrap();
    }

    /// The stored log row of a revision.
    pub(crate) async fn log_row(&self, of: &str, revision: &str) -> Item {
        let items = self.items(&format!("U#{of}")).await;
        let is_row = |item: &Item| match item.get("SK") {
            Some(AttributeValue::S(sk)) => sk.starts_with("REV#") && sk.ends_with(revision),
            _ => false,
        };
        items.into_iter().find(is_row).unwrap()
    }

    pub(crate) async fn run(&self, operation: AnyOperation) -> Result<AnyOutput, Error> {
        self.store.run(operation, Options::default()).await
    }

    /// The items of a user.
    pub(crate) async fn items(&self, of: &str) -> Vec<Item> {
        let output = self.engine.scan(ScanInput::new("App")).await.unwrap();
        let below = format!("{of}#");
        let items = output.items.unwrap().into_iter().map(|item| item.to_item());
        let own = items.filter(|item| match item.get("PK") {
            Some(AttributeValue::S(pk)) => pk == of || pk.starts_with(&below),
            _ => false,
        });
        own.collect()
    }

    /// The revision that a head names.
    pub(crate) async fn head(&self, of: &str) -> String {
        let head = self.store.get("ValuesHead", user(of)).consistent().await;
        head.unwrap().text("headRevId").to_owned()
    }

    /// Readers see a whole revision, at any time.
    pub(crate) async fn is_readable(&self, of: &str) {
        let shown = self.store.show("values", user(of), At::Head).await.unwrap();
        assert!(shown.rows.len() >= 8, "{} rows", shown.rows.len());
    }

    /// Nothing is left over, and nothing contradicts anything.
    pub(crate) async fn is_clean(&self) {
        let verification = self.store.verify().await.unwrap();
        assert_eq!(verification.violations, []);
        assert!(!self.items("U#u1").await.iter().any(is_intent));
    }

    /// After a sweep nothing is left over and nothing contradicts anything; and one can go on.
    pub(crate) async fn is_sound(&self) {
        for repository in ["values", "plan"] {
            self.store
                .sweep_all(repository, Duration::ZERO, SweepMode::Delete)
                .await
                .unwrap();
        }
        self.is_clean().await;
        self.run(rename("d1", "Health")).await.unwrap();
    }

    /// How many revisions the head's chain of parents has.
    pub(crate) async fn chain(&self) -> usize {
        let log = self.store.log("values", user("u1")).await.unwrap();
        let mut at = self.head("u1").await;
        let mut length = 1;
        loop {
            let row = log.rows.iter().find(|row| row.text("revId") == at).unwrap();
            at = row.text("parentRevId").to_owned();
            if at.is_empty() {
                assert_eq!(length, log.rows.len(), "everything is in one chain");
                return length;
            }
            length += 1;
        }
    }

    /// The title of a node in the head.
    pub(crate) async fn title(&self, node: &str) -> String {
        let shown = self
            .store
            .show("values", user("u1"), At::Head)
            .await
            .unwrap();
        let row = shown.rows.iter().find(|row| row.text("nodeId") == node);
        row.unwrap().text("title").to_owned()
    }

    pub(crate) async fn todos(&self, date: &str) -> usize {
        let shown = self.store.show("plan", day(date), At::Head).await.unwrap();
        shown.rows.len()
    }
}

fn is_intent(item: &Item) -> bool {
    matches!(item.get("SK"), Some(AttributeValue::S(sk)) if sk.starts_with("PENDING#"))
}
