//! Two stores that should hold the same, compared without times, ids and what depends on history.

use crate::case::Case;
use crate::design::Role;
use crate::finding::Finding;
use crate::items::{Items, kind, text};
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeMap;

/// The texts of an item's attributes, by the item's type and key.
type Rendered = BTreeMap<String, BTreeMap<String, String>>;

/// What `actual` has and `wanted` has not, and the other way round.
pub(crate) fn differences(case: &Case, what: &str, actual: &Items, wanted: &Items) -> Vec<Finding> {
    let (actual, wanted) = (render(case, actual), render(case, wanted));
    let mut findings = Vec::new();
    for (key, item) in &actual {
        let kind = key.split(' ').next().unwrap_or_default();
        match wanted.get(key) {
            None => findings.push(Finding::new(
                format!("{what}: {kind} is left over"),
                format!("{key} {item:?}"),
            )),
            Some(other) => findings.extend(attributes(what, key, kind, item, other)),
        }
    }
    for (key, item) in wanted.iter().filter(|(key, _)| !actual.contains_key(*key)) {
        let kind = key.split(' ').next().unwrap_or_default();
        findings.push(Finding::new(
            format!("{what}: {kind} is missing"),
            format!("{key} {item:?}"),
        ));
    }
    findings
}

fn attributes(
    what: &str,
    key: &str,
    kind: &str,
    actual: &BTreeMap<String, String>,
    wanted: &BTreeMap<String, String>,
) -> Vec<Finding> {
    let names = actual.keys().chain(wanted.keys());
    let mut different: Vec<_> = names
        .filter(|name| actual.get(*name) != wanted.get(*name))
        .collect();
    different.sort_unstable();
    different.dedup();
    let findings = different.into_iter().map(|name| {
        let (actual, wanted) = (actual.get(name), wanted.get(name));
        Finding::new(
            format!("{what}: `{name}` of {kind} differs"),
            format!("{key}: {actual:?} instead of {wanted:?}"),
        )
    });
    findings.collect()
}

fn render(case: &Case, items: &Items) -> Rendered {
    let snapshot = head_partition(items);
    let mut rendered = Rendered::new();
    for item in &items.0 {
        let history = case.mechanisms.iter().any(|known| known.is_history(item));
        let versioned =
            case.role() == Role::Snapshot && Some(text(item, "PK")) != snapshot.as_deref();
        if history || versioned || kind(item) == "Folder" {
            continue;
        }
        let key = format!(
            "{} {} {}",
            kind(item),
            plain_text(text(item, "PK")),
            plain_text(text(item, "SK"))
        );
        let attributes = item.iter().filter(|(name, _)| {
            !case
                .mechanisms
                .iter()
                .any(|known| known.volatile().contains(&name.as_str()))
        });
        let attributes: BTreeMap<_, _> = attributes
            .map(|(name, value)| (name.clone(), plain_value(value)))
            .collect();
        // Keys with ids in them may be the same when the ids are left out.
        let mut unique = key.clone();
        while rendered.contains_key(&unique) {
            unique.push('+');
        }
        rendered.insert(unique, attributes);
    }
    rendered
}

/// The partition of the snapshot that the head of the last repository names.
fn head_partition(items: &Items) -> Option<String> {
    let head: Option<&Item> = items
        .of_type("Head")
        .max_by_key(|head| text(head, "PK").to_owned());
    head.map(|head| format!("{}#{}", text(head, "PK"), text(head, "headRevId")))
}

fn plain_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => plain_text(text),
        other => format!("{other:?}"),
    }
}

/// A text without ids, times, days and hashes.
fn plain_text(text: &str) -> String {
    if text.starts_with("$2") {
        return "<hash>".to_owned();
    }
    let pieces: Vec<_> = text.split('#').map(plain_piece).collect();
    pieces.join("#")
}

fn plain_piece(piece: &str) -> &str {
    let bytes = piece.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|bytes| bytes.iter().all(u8::is_ascii_digit))
    };
    let day =
        digits(0..4) && bytes.get(4) == Some(&b'-') && digits(5..7) && bytes.get(7) == Some(&b'-');
    let hexadecimal = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let uuid = bytes.len() == 36 && bytes.iter().all(hexadecimal);
    let ulid = bytes.len() == 26
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    match () {
        () if uuid || ulid => "<id>",
        () if day && bytes.len() == 10 => "<day>",
        () if day && bytes.get(10) == Some(&b'T') => "<time>",
        () => piece,
    }
}
