//! What must hold of the stored items when everybody is done.

use super::asked::{Deed, QUEUES};
use super::noted::{End, Entry, lasting, standing};
use super::raw::{Raw, Rows, text};
use monotable_item::{AttributeValue, Item};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is wrong with the items of a site.
pub(super) fn broken(site: &str, raw: &Raw, entries: &[Entry]) -> Vec<String> {
    let mut wrong = Vec::new();
    sides(raw, &mut wrong);
    for (id, rows) in raw.live.iter().chain(&raw.deleted) {
        lists(id, rows, &mut wrong);
    }
    for (marker, side) in [("", &raw.live), ("softdelete#", &raw.deleted)] {
        for (id, rows) in side {
            let prefix = match site {
                "default" => marker.to_owned(),
                site => format!("{site}/{marker}"),
            };
            actions(&prefix, id, rows, &mut wrong);
        }
    }
    let entries: Vec<Entry> = entries
        .iter()
        .filter(|entry| entry.site == site)
        .cloned()
        .collect();
    acknowledged(raw, &entries, &mut wrong);
    places(raw, &entries, &mut wrong);
    audited(raw, &entries, &mut wrong);
    wrong
}

/// Rows are where their document is, each once, and nothing is left half moved.
fn sides(raw: &Raw, wrong: &mut Vec<String>) {
    for (side, documents) in [("live", &raw.live), ("deleted", &raw.deleted)] {
        for (id, rows) in documents {
            if !rows.contains_key("docs document") {
                let rows: Vec<_> = rows.keys().collect();
                wrong.push(format!("{id} has no {side} document, but rows: {rows:?}"));
            }
            let marked = |item: &&Item| item.iter().any(|(name, _)| name.starts_with("movingAt"));
            if rows.values().any(|item| marked(&item)) {
                wrong.push(format!("{id}, {side}, is left marked"));
            }
        }
    }
    for (id, rows) in &raw.live {
        for (name, item) in rows {
            let other = raw.deleted.get(id).and_then(|rows| rows.get(name));
            // Values of attributes repeat; everything else says which write made it.
            let doubled = other.is_some_and(|other| contents(item) == contents(other));
            if doubled && !name.starts_with("docs attr#") {
                wrong.push(format!("{id}: {name} is live and deleted"));
            }
        }
    }
}

/// What an item says beside its keys and its document's times.
fn contents(item: &Item) -> Item {
    let named = |name: &str| {
        let key = name.ends_with("PK") || name.ends_with("SK");
        !key && !["deletedDate", "lastModifiedDate"].contains(&name)
    };
    let kept = item.iter().filter(|(name, _)| named(name));
    kept.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// A tag of several values has a row for each, all with the same list, and is no tag of one value.
fn lists(id: &str, rows: &Rows, wrong: &mut Vec<String>) {
    let mut tags: BTreeMap<&str, BTreeMap<usize, &Item>> = BTreeMap::new();
    for (name, item) in rows {
        let parts = name
            .strip_prefix("docs tags#")
            .map(|tag| tag.split_once("#idx"));
        if let Some(Some((tag, place))) = parts {
            let place = place.parse().unwrap();
            tags.entry(tag).or_default().insert(place, item);
        }
    }
    for (tag, found) in tags {
        let first = found.values().next().and_then(|item| item.get("tagValues"));
        let Some(AttributeValue::L(values)) = first else {
            wrong.push(format!("{id}: {tag} has no values"));
            continue;
        };
        let same = found.iter().all(|(place, item)| {
            item.get("tagValues") == first && item.get("tagValue") == values.get(*place)
        });
        if !same || found.len() != values.len() {
            wrong.push(format!(
                "{id}: {tag} has {} values and these rows: {found:?}",
                values.len()
            ));
        }
        if rows.contains_key(&format!("docs tags#{tag}")) {
            wrong.push(format!("{id}: {tag} has one value and several"));
        }
    }
}

/// An action is in the partitions of the indexes that its status says, and in no other.
fn actions(prefix: &str, id: &str, rows: &Rows, wrong: &mut Vec<String>) {
    for (name, item) in rows {
        if !name.starts_with("docs action#") {
            continue;
        }
        let (status, kind) = (text(item, "status"), text(item, "type"));
        let queue = text(item, "queueId");
        let wanted = [
            (
                "GSI1PK",
                (status == "IN_QUEUE").then(|| format!("{prefix}action#{kind}#{queue}")),
            ),
            (
                "GSI2PK",
                (status != "COMPLETE").then(|| format!("{prefix}actions#{status}")),
            ),
        ];
        for (key, wanted) in wanted {
            let wanted = wanted.map(AttributeValue::S);
            if item.get(key) != wanted.as_ref() {
                wrong.push(format!("{id}: {name}: {key} of {item:?} is not {wanted:?}"));
            }
        }
        if status == "IN_QUEUE" && !QUEUES.contains(&queue) {
            wrong.push(format!("{id}: {name} waits in {queue}"));
        }
    }
}

/// What was acknowledged and not undone since is there, wherever its document is.
fn acknowledged(raw: &Raw, entries: &[Entry], wrong: &mut Vec<String>) {
    for expected in lasting(entries) {
        let id = &expected.entry.asked.document;
        let written = expected.written;
        let sides = [raw.live.get(id), raw.deleted.get(id)];
        let mut found = sides
            .into_iter()
            .flatten()
            .filter_map(|rows| rows.get(&written.row));
        let holds = match &written.value {
            Some(value) => found.any(|item| item.get(written.attribute) == Some(value)),
            None => {
                let live = raw.live.get(id).and_then(|rows| rows.get(&written.row));
                live.is_none()
            }
        };
        if !holds {
            let since = since(entries, expected.entry);
            wrong.push(format!(
                "{id}: {written:?} was acknowledged and is not so; since then:{since}"
            ));
        }
    }
}

/// What was done to a document while a call was made and afterwards.
fn since(entries: &[Entry], entry: &Entry) -> String {
    let mut later: Vec<&Entry> = entries
        .iter()
        .filter(|later| later.asked.document == entry.asked.document && later.ended > entry.began)
        .collect();
    later.sort_by_key(|later| later.began);
    let lines = later.iter().map(|later| {
        let (began, ended) = (later.began, later.ended);
        format!(
            "\n  {began} to {ended}: {:?} {:?}",
            later.end, later.asked.operation
        )
    });
    lines.collect()
}

/// Documents are where the last move has brought them.
fn places(raw: &Raw, entries: &[Entry], wrong: &mut Vec<String>) {
    for stand in standing(entries) {
        let id = &stand.entry.asked.document;
        for (side, documents, wanted) in [
            ("live", &raw.live, stand.live),
            ("deleted", &raw.deleted, stand.deleted),
        ] {
            let there = documents
                .get(id)
                .is_some_and(|rows| rows.contains_key("docs document"));
            if wanted.is_some_and(|wanted| wanted != there) {
                let deed = &stand.entry.asked.operation;
                wrong.push(format!("{id} after {deed:?}: {side} is {there}"));
            }
        }
    }
}

/// Who has written what, and how often.
type Counts = BTreeMap<(String, String, String), (usize, usize)>;

/// Each acknowledged write is noted once, and one that was refused is not.
fn audited(raw: &Raw, entries: &[Entry], wrong: &mut Vec<String>) {
    let mut counts = Counts::new();
    for entry in entries {
        let Some(resource) = entry.asked.noted else {
            continue;
        };
        let key = (
            entry.asked.document.clone(),
            entry.user.clone(),
            resource.to_owned(),
        );
        let (done, unsure) = counts.entry(key).or_default();
        match entry.end {
            End::Done => *done += 1,
            End::Unsure => *unsure += 1,
            End::Refused => {}
        }
    }
    for ((id, user, resource), (done, unsure)) in &counts {
        let noted = raw.activities.iter().filter(|item| {
            // A tag that is replaced is changed; a document or an action that is made is new.
            let kind = text(item, "type");
            let made = kind == "add" || (kind == "change" && resource == "documentTag");
            made && text(item, "status") == "COMPLETE"
                && text(item, "documentId") == id
                && text(item, "userId") == user
                && text(item, "resource") == resource
        });
        let noted = noted.count();
        if noted < *done || noted > done + unsure {
            wrong.push(format!(
                "{user} wrote {resource} of {id} {done} times, perhaps {unsure} more; noted: {noted}"
            ));
        }
    }
    histories(raw, entries, wrong);
}

/// Each document that was made is in the older history too.
fn histories(raw: &Raw, entries: &[Entry], wrong: &mut Vec<String>) {
    let made = entries
        .iter()
        .filter(|entry| entry.end == End::Done && matches!(entry.asked.deed, Deed::Makes(_)));
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    for entry in made {
        known.insert((&entry.asked.document, &entry.user));
    }
    for (id, user) in known {
        let there = raw.versions.iter().any(|item| {
            text(item, "SK").starts_with("activity#")
                && text(item, "type") == "add"
                && text(item, "documentId") == id
                && text(item, "userId") == user
        });
        if !there {
            wrong.push(format!("{user} made {id}, and no history says so"));
        }
    }
}
