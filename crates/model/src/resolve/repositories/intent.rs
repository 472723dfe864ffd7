//! The intent: the row that stands while a commit is under way, and leads to the snapshot of one that never ended.

use super::{Parts, attributes, quoted};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Attribute, Key, Kind, Role};

/// Holds the name of the repository.
const REPOSITORY: &str = "repository";

pub(super) fn check(parts: &Parts<'_>, findings: &mut Findings) {
    check_times(parts, findings);
    check_key(parts, findings);
    check_repository(parts, findings);
    check_way(parts, findings);
    check_expiry(parts, findings);
}

/// A sweep takes what began long ago, and claims it first.
fn check_times(parts: &Parts<'_>, findings: &mut Findings) {
    let is_started = |attribute: &&Attribute| {
        attribute.role == Some(Role::Created) && !attribute.presence.optional
    };
    let is_swept = |attribute: &&Attribute| {
        attribute.role == Some(Role::Deleting) && attribute.presence.optional
    };
    let is_time = |attribute: &&Attribute| matches!(attribute.kind, Kind::Timestamp(_));
    let times: Vec<&Attribute> = parts
        .intent
        .entity
        .attributes
        .iter()
        .filter(is_time)
        .collect();
    if !times.iter().any(is_started) {
        let message = "does not say when the commit began";
        findings.push(missing(
            parts,
            message,
            "startedAt = \"timestamp, created\"",
        ));
    }
    if !times.iter().any(is_swept) {
        let message = "has no mark for the sweep that claims it";
        let line = "sweptAt = \"timestamp?, deleting, internal\"";
        findings.push(missing(parts, message, line));
    }
}

fn missing(parts: &Parts<'_>, what: &str, line: &str) -> Diagnostic {
    let intent = &parts.intent;
    let message = format!("the intent `{}` {what}", intent.name.value);
    Diagnostic::new(Code::MissingKey, intent.name.span, message)
        .label(intent.entity.span, "the intent")
        .help(format!("add `{line}` to its attributes"))
}

fn check_key(parts: &Parts<'_>, findings: &mut Findings) {
    let templates = parts
        .intent
        .entity
        .primary()
        .into_iter()
        .flat_map(Key::templates);
    let shown: Vec<_> = templates.flat_map(attributes).collect();
    if !shown.iter().any(|name| name.value == parts.revision) {
        let intent = &parts.intent;
        let message = format!(
            "the key of the intent `{}` does not show the revision, so a second commit would meet it",
            intent.name.value
        );
        let found = Diagnostic::new(Code::Contradiction, intent.name.span, message);
        let help = format!("show `{{{}}}` there", parts.revision);
        findings.push(found.label(intent.entity.span, "the intent").help(help));
    }
    for shown in shown {
        if shown.value != REPOSITORY && !parts.is_known(shown) {
            let message = format!(
                "the key of the intent `{}` shows `{}`, which a commit to `{}` cannot know",
                parts.intent.name.value, shown.value, parts.name.value
            );
            let known = parts.list(&[parts.revision, REPOSITORY]);
            let help = format!("show only {known} there");
            findings.push(parts.contradiction(shown, message).help(help));
        }
    }
}

/// One kind of intent may serve several repositories, so it can say which one.
fn check_repository(parts: &Parts<'_>, findings: &mut Findings) {
    let name = &parts.name.value;
    let Some(attribute) = parts.intent.entity.attribute(REPOSITORY) else {
        return;
    };
    let help = match &attribute.kind {
        Kind::Enum(words) if words.iter().any(|word| word.word == *name) => return,
        Kind::Text(rule) if rule.language.accepts(name) => return,
        Kind::Enum(_) => format!("add `{name}` to its words"),
        Kind::Text(_) => format!("let its rule allow `{name}`"),
        _ => "let it be text, or an enum of the repositories' names".to_owned(),
    };
    let message = format!(
        "`{REPOSITORY}` of the intent `{}` holds the repository's name, but cannot hold `{name}`",
        parts.intent.name.value
    );
    findings.push(parts.contradiction(&attribute.name, message).help(help));
}

/// A sweep computes the snapshot's partition, and reads the head and the log, from what an intent holds. A text with the
/// partition would not do: whoever writes an intent could name the snapshot of somebody else there.
fn check_way(parts: &Parts<'_>, findings: &mut Findings) {
    let snapshot = parts.versioned.first().and_then(|row| row.entity.primary());
    let Some(snapshot) = snapshot else { return };
    // What the head does not lead to is told of the snapshot's own key.
    let shown = attributes(&snapshot.hash).filter(|name| parts.is_known(name));
    let shown = shown.map(|name| name.value.as_str());
    let mut lacking: Vec<&str> = Vec::new();
    for name in shown.chain(parts.head_key.iter().copied()) {
        if parts.intent.entity.attribute(name).is_none() && !lacking.contains(&name) {
            lacking.push(name);
        }
    }
    if lacking.is_empty() {
        return;
    }
    let message = format!(
        "the intent `{}` does not lead to the snapshot: it does not hold {}",
        parts.intent.name.value,
        quoted(&lacking)
    );
    let found = Diagnostic::new(Code::MissingKey, parts.intent.name.span, message);
    let help = format!(
        "add {} to its attributes; a sweep computes `{}` from them",
        quoted(&lacking),
        snapshot.hash.text
    );
    findings.push(found.label(snapshot.span, "the snapshot's key").help(help));
}

/// An intent that vanished by itself would leave a snapshot that nobody finds.
fn check_expiry(parts: &Parts<'_>, findings: &mut Findings) {
    let intent = parts.intent.entity;
    let Some(ttl) = &parts.model.table(intent.table).ttl else {
        return;
    };
    let own = intent
        .attributes
        .iter()
        .find(|attribute| attribute.stored == ttl.value);
    let family = || intent.family(&ttl.value).map(|family| &family.attribute);
    let Some(expiry) = own.or_else(family) else {
        return;
    };
    if matches!(expiry.kind, Kind::Never) {
        return;
    }
    let message = format!(
        "the intent `{}` has `{}`, by which its rows expire; a snapshot would be left that nobody finds",
        parts.intent.name.value, ttl.value
    );
    let found = parts.contradiction(&expiry.name, message);
    let help = "remove it: a sweep deletes intents, with what they lead to";
    findings.push(found.label(ttl.span, "the table's ttl").help(help));
}
