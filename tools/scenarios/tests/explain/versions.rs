//! A values tree and a plan, and what is done with them.

use super::samples::{Sample, item};
use monotable_item::Item;
use monotable_store::{
    AnyOperation, At, Carry, Change, Commit, CommitAll, Create, Delete, Log, Show, Store, Sweep,
    Update,
};
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

fn create(entity: &str, values: &str) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values: item(values),
    })
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

fn retitled() -> AnyOperation {
    AnyOperation::Update(Update {
        entity: "ValuesNode".to_owned(),
        key: item(r#"{"nodeId": "m1"}"#),
        change: Change {
            set: item(r#"{"title": "Run 20 km"}"#),
            ..Change::default()
        },
    })
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
    let show = |name: &'static str, at, under: Option<&str>| Sample {
        name: name.into(),
        operation: AnyOperation::Show(Show {
            repository: "values".to_owned(),
            key: user(),
            at,
            under: under.map(str::to_owned),
            ..Show::default()
        }),
    };
    let commit = |name: &'static str, commits| Sample {
        name: name.into(),
        operation: AnyOperation::CommitAll(CommitAll { commits }),
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
                plan("completion").change(AnyOperation::Delete(Delete {
                    entity: "PlanTodo".to_owned(),
                    key: item(r#"{"actionId": "a2"}"#),
                })),
            ],
        ),
        show("show the head", At::Head, None),
        show(
            "show what was at a time",
            At::Time("2026-01-01T00:00:00Z".to_owned()),
            None,
        ),
        show("the children of a node", At::Head, Some("d1")),
        Sample {
            name: "log".into(),
            operation: AnyOperation::Log(Log {
                repository: "values".to_owned(),
                key: user(),
                limit: Some(10),
                ..Log::default()
            }),
        },
        Sample {
            name: "sweep, with nothing to sweep".into(),
            operation: AnyOperation::Sweep(Sweep {
                repository: "values".to_owned(),
                key: user(),
                older_than: Duration::ZERO,
            }),
        },
        Sample {
            name: "carry what is not done to the next day".into(),
            operation: AnyOperation::Carry(Carry {
                name: "rollover".to_owned(),
                key: day(),
                values: Item::new(),
            }),
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
