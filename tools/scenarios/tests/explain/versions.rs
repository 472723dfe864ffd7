//! A values tree and a plan, and what is done with them.

use super::samples::{Sample, item};
use monotable_item::Item;
use monotable_store::{At, Change, Commit, Operation, Store, Task};
use std::time::Duration;

const NODES: [&str; 4] = [
    r#"{"nodeId": "d1", "nodeType": "DRIVER", "title": "Health"}"#,
    r#"{"nodeId": "m1", "nodeType": "MILESTONE", "title": "Run 10 km"}"#,
    r#"{"nodeId": "a1", "nodeType": "ACTION", "title": "Buy shoes", "driverId": "d1", "parentMilestoneId": "m1"}"#,
    r#"{"nodeId": "a2", "nodeType": "ACTION", "title": "Sleep", "driverId": "d1"}"#,
];

const EDGES: [&str; 3] = [
    r#"{"parentNodeId": "d1", "childNodeId": "m1"}"#,
    r#"{"parentNodeId": "m1", "childNodeId": "a1"}"#,
    r#"{"parentNodeId": "d1", "childNodeId": "a2"}"#,
];

fn user() -> Item {
    item(r#"{"userId": "u1"}"#)
}

fn day() -> Item {
    item(r#"{"userId": "u1", "date": "2026-01-23"}"#)
}

fn create(entity: &str, values: &str) -> Operation {
    Operation::Create {
        entity: entity.to_owned(),
        values: item(values),
    }
}

fn tree() -> Commit {
    let mut commit = values("begin");
    let nodes = NODES.iter().map(|node| create("ValuesNode", node));
    let edges = EDGES.iter().map(|edge| create("ValuesEdge", edge));
    commit.changes.extend(nodes.chain(edges));
    commit
}

fn values(message: &str) -> Commit {
    Commit::new("values", user())
        .with("message", message)
        .with("source", "daily_update")
}

fn plan(reason: &str) -> Commit {
    Commit::new("plan", day()).with("reason", reason)
}

fn retitled() -> Operation {
    Operation::Update {
        entity: "ValuesNode".to_owned(),
        key: item(r#"{"nodeId": "m1"}"#),
        change: Change {
            set: item(r#"{"title": "Run 20 km"}"#),
            ..Change::default()
        },
    }
}

/// Fills a store.
pub(crate) async fn fill(store: &Store) {
    store.commit(tree()).await.unwrap();
    let todo = |action: &str| {
        let values = format!(r#"{{"actionId": "{action}", "classification": "urgent"}}"#);
        create("PlanTodo", &values)
    };
    let plan = plan("morning_plan").change(todo("a1")).change(todo("a2"));
    store.commit(plan).await.unwrap();
}

/// The revision that is current.
pub(crate) async fn head(store: &Store, repository: &str) -> String {
    let key = match repository {
        "plan" => day(),
        _ => user(),
    };
    let shown = store.show(repository, key, At::Head).await;
    shown.unwrap().revision
}

/// Parameters for every access pattern.
pub(crate) async fn parameters(store: &Store) -> Item {
    let head = head(store, "values").await;
    item(r#"{"userId": "u1", "date": "2026-01-23", "nodeId": "a1", "parentNodeId": "d1"}"#)
        .with("revId", head.as_str())
}

/// One operation of each kind.
pub(crate) fn operations() -> Vec<Sample> {
    let task = |name: &'static str, task| Sample {
        name: name.into(),
        operation: Operation::Repository {
            name: "values".to_owned(),
            key: user(),
            task,
        },
    };
    let commit = |name: &'static str, commits| Sample {
        name: name.into(),
        operation: Operation::Commit(commits),
    };
    vec![
        commit(
            "commit a new title",
            vec![values("rename").change(retitled())],
        ),
        commit(
            "commit to two repositories at once",
            vec![
                values("done").change(retitled()),
                plan("completion").change(Operation::Delete {
                    entity: "PlanTodo".to_owned(),
                    key: item(r#"{"actionId": "a2"}"#),
                }),
            ],
        ),
        task(
            "show the head",
            Task::Show {
                at: At::Head,
                buried: false,
                under: None,
            },
        ),
        task(
            "show what was at a time",
            Task::Show {
                at: At::Time("2026-01-01T00:00:00Z".to_owned()),
                buried: false,
                under: None,
            },
        ),
        task(
            "the children of a node",
            Task::Show {
                at: At::Head,
                buried: false,
                under: Some("d1".to_owned()),
            },
        ),
        task(
            "log",
            Task::Log {
                limit: Some(10),
                cursor: None,
                oldest_first: false,
            },
        ),
        task(
            "sweep, with nothing to sweep",
            Task::Sweep {
                older_than: Duration::ZERO,
            },
        ),
        Sample {
            name: "carry what is not done to the next day".into(),
            operation: Operation::Carry {
                name: "rollover".to_owned(),
                key: day(),
                values: Item::new(),
            },
        },
    ]
}

/// The text with the same ids each time: in the order in which they are met.
pub(crate) fn settled(text: &str) -> String {
    let mut seen: Vec<String> = Vec::new();
    let mut settled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("01") {
        let (before, after) = rest.split_at(at);
        settled.push_str(before);
        let id: String = after
            .chars()
            .take_while(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase())
            .collect();
        if id.len() == 26 {
            let known = seen.iter().position(|known| *known == id);
            let number = known.unwrap_or(seen.len());
            if known.is_none() {
                seen.push(id.clone());
            }
            settled.push_str(&format!("<revision {}>", number + 1));
            rest = after.split_at(26).1;
        } else {
            let (first, after) = after.split_at(2);
            settled.push_str(first);
            rest = after;
        }
    }
    settled.push_str(rest);
    settled
}
