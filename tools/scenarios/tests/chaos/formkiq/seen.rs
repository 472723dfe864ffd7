//! What queries show: exactly the stored rows of the site, and nothing of another.

use super::asked::{QUEUES, STATUSES, WORKFLOWS};
use super::raw::{Raw, text};
use monotable_item::Item;
use monotable_store::{AnyOperation, AnyOutput, Options, Query, Row, Store};
use std::collections::{BTreeMap, BTreeSet};

/// All rows of a pattern.
pub(super) async fn rows(store: &Store, pattern: &str, parameters: Item) -> Vec<Row> {
    let mut query = Query {
        pattern: pattern.to_owned(),
        parameters,
        limit: Some(500),
        ..Query::default()
    };
    let mut rows = Vec::new();
    loop {
        let asked = AnyOperation::Query(query.clone());
        let outcome = store.run(asked, Options::default()).await.unwrap();
        let AnyOutput::Page(page) = outcome else {
            panic!("not a page");
        };
        rows.extend(page.rows);
        match page.cursor {
            Some(cursor) => query.after = Some(cursor),
            None => return rows,
        }
    }
}

/// A pattern, what it is given, the attributes that name its rows, and the rows it must show.
struct Question {
    pattern: &'static str,
    given: Item,
    names: &'static [&'static str],
    wanted: BTreeSet<String>,
}

fn named(item: &Item, names: &[&str]) -> String {
    let texts: Vec<&str> = names.iter().map(|name| text(item, name)).collect();
    texts.join(" ")
}

/// The live rows of all documents of which this holds.
fn live(raw: &Raw, names: &[&str], holds: impl Fn(&str, &Item) -> bool) -> BTreeSet<String> {
    let rows = raw.live.values().flatten();
    let rows = rows.filter(|(name, item)| holds(name, item));
    rows.map(|(_, item)| named(item, names)).collect()
}

fn questions(raw: &Raw) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut ask = |pattern, given, names, wanted| {
        questions.push(Question {
            pattern,
            given,
            names,
            wanted,
        });
    };
    let action: &[&str] = &["documentId", "idx"];
    let is_action = |name: &str| name.starts_with("docs action#");
    for status in STATUSES {
        let wanted = live(raw, action, |name, item| {
            is_action(name) && status != "COMPLETE" && text(item, "status") == status
        });
        let given = Item::new().with("status", status);
        ask("actions_by_status", given, action, wanted);
    }
    for queue in QUEUES {
        let wanted = live(raw, action, |name, item| {
            is_action(name)
                && text(item, "type") == "QUEUE"
                && text(item, "status") == "IN_QUEUE"
                && text(item, "queueId") == queue
        });
        let given = Item::new().with("queueId", queue);
        ask("documents_in_queue", given, action, wanted);
    }
    for tag in ["color", "note", "size"] {
        let names: &[&str] = &["documentId", "tagValue"];
        let wanted = live(raw, names, |name, item| {
            name.starts_with("docs tags#") && text(item, "tagKey") == tag
        });
        let given = Item::new().with("tagKey", tag);
        ask("documents_by_tag_key", given, names, wanted);
    }
    for workflow in WORKFLOWS {
        let wanted = live(raw, &["documentId"], |name, _| {
            name == format!("wfdoc wf#{workflow}")
        });
        let given = Item::new().with("workflowId", workflow);
        ask("documents_in_workflow", given, &["documentId"], wanted);
    }
    let attribute: &[&str] = &["documentId", "stringValue"];
    let wanted = live(raw, attribute, |name, _| name.starts_with("docs attr#"));
    let given = Item::new().with("key", "title");
    ask("documents_by_attribute", given, attribute, wanted);
    let documents = raw
        .deleted
        .keys()
        .map(|id| (id.clone(), &raw.deleted[id]))
        .filter(|(_, rows)| rows.contains_key("docs document"));
    let wanted: BTreeSet<String> = documents.map(|(id, _)| id).collect();
    ask("deleted_documents", Item::new(), &["documentId"], wanted);
    let mut days: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (id, document) in raw.documents() {
        let day = &text(document, "inserteddate")[..10];
        days.entry(day).or_default().insert(id.clone());
    }
    for (day, wanted) in days {
        let given = Item::new().with("inserteddate", format!("{day}T00:00:00+0000"));
        ask("documents_of_day", given, &["documentId"], wanted);
    }
    for id in raw.live.keys().chain(raw.deleted.keys()) {
        let names: &[&str] = &["inserteddate", "resource", "type", "userId"];
        let wanted = raw.activities.iter();
        let wanted = wanted.filter(|item| text(item, "documentId") == id);
        let wanted = wanted.map(|item| named(item, names)).collect();
        let given = Item::new().with("documentId", id.as_str());
        ask("activity_of_document", given, names, wanted);
    }
    questions
}

/// Everything that queries of a site show and should not, or do not show.
pub(super) async fn broken(store: &Store, raw: &Raw, others: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    // Indexes lag by a read at most.
    rows(store, "attributes", Item::new()).await;
    rows(store, "attributes", Item::new()).await;
    for question in questions(raw) {
        let found = rows(store, question.pattern, question.given.clone()).await;
        let shown: BTreeSet<String> = found
            .iter()
            .map(|row| named(&row.values, question.names))
            .collect();
        if shown != question.wanted {
            wrong.push(format!(
                "{} {:?} shows {shown:?}, not {:?}",
                question.pattern, question.given, question.wanted
            ));
        }
        let foreign = found.iter().find(|row| is_foreign(&row.values, others));
        if let Some(row) = foreign {
            wrong.push(format!("{} shows {row:?}", question.pattern));
        }
    }
    for (id, document) in raw.documents() {
        let given = Item::new().with("path", text(document, "path"));
        let found = rows(store, "resolve_path", given).await;
        if found.last().map(|row| row.text("documentId")) != Some(id) {
            wrong.push(format!("the path of {id} leads to {found:?}"));
        }
    }
    wrong
}

/// Whether an item says something that was written in another site: every value that is written names its own.
pub(super) fn is_foreign(item: &Item, others: &[&str]) -> bool {
    let said = format!("{item:?}");
    others.iter().any(|other| said.contains(other))
}
