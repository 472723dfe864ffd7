//! The rows of a snapshot: one partition for each revision of a head.

use super::{Parts, Row, attributes, names_of};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Attribute, Claim, Guard};

pub(super) fn check(parts: &Parts<'_>, findings: &mut Findings) {
    for row in &parts.versioned {
        check_partition(parts, row, findings);
        check_positions(parts, row, findings);
        for claim in &row.entity.claims {
            check_claim(row, claim, findings);
        }
    }
}

fn check_partition(parts: &Parts<'_>, row: &Row<'_>, findings: &mut Findings) {
    let Some(key) = row.entity.primary() else {
        return;
    };
    let first = parts.versioned.first().and_then(|row| row.entity.primary());
    if let Some(first) = first.filter(|first| first.hash.text != key.hash.text) {
        let message = format!(
            "`{}` has another partition key than the first; a snapshot is one partition",
            row.name.value
        );
        let found = Diagnostic::new(Code::Contradiction, row.name.span, message);
        let help = format!("let it be `{}` too", first.hash.text);
        findings.push(found.label(key.span, "its key").help(help));
    }
    if !attributes(&key.hash).any(|name| name.value == parts.revision) {
        let message = format!(
            "the partition key of `{}` does not name the revision, `{{{}}}`",
            row.name.value, parts.revision
        );
        let found = Diagnostic::new(Code::Contradiction, row.name.span, message);
        let help = "show it there: a snapshot has a partition of its own";
        findings.push(found.label(key.span, "its key").help(help));
    }
    for shown in attributes(&key.hash).filter(|name| !parts.is_known(name)) {
        let message = format!(
            "the partition key of `{}` shows `{}`, which neither the head nor the revision says",
            row.name.value, shown.value
        );
        let known = parts.list(&[parts.revision]);
        let help = format!(
            "show only {known} there, or let `{}` be in the key of the head too",
            shown.value
        );
        findings.push(parts.contradiction(shown, message).help(help));
    }
}

/// A commit numbers the rows of an entity once.
fn check_positions(parts: &Parts<'_>, row: &Row<'_>, findings: &mut Findings) {
    let positions = row.entity.attributes.iter();
    let positions: Vec<&Attribute> = positions.filter(|found| found.position.is_some()).collect();
    if let [_, second, ..] = positions.as_slice() {
        let message = format!(
            "versioned rows have one order; `{}` has {}",
            row.name.value,
            names_of(&positions)
        );
        let help = "keep one `position`, and let the others be plain numbers";
        findings.push(parts.contradiction(&second.name, message).help(help));
    }
}

/// A guard row is one for all revisions, but every snapshot has the value again.
fn check_claim(row: &Row<'_>, claim: &Claim, findings: &mut Findings) {
    match claim.guard {
        Guard::Snapshot if row.entity.attribute(&claim.name.value).is_some() => {}
        Guard::Snapshot => {
            let message = format!(
                "`{}` is no attribute of `{}`; a claim within a snapshot is named after what is unique",
                claim.name.value, row.name.value
            );
            let found = Diagnostic::new(Code::UnknownName, claim.name.span, message);
            findings.push(found.help("name it after the attribute"));
        }
        Guard::Row { .. } | Guard::Entity { .. } => {
            let message = format!(
                "`{}` is versioned, so every snapshot would claim `{}` again",
                row.name.value, claim.name.value
            );
            let found = Diagnostic::new(Code::Contradiction, claim.span, message);
            let help = format!(
                "write `{} = {{ within = \"snapshot\" }}`: a commit checks it, without a guard row",
                claim.name.value
            );
            findings.push(
                found
                    .label(row.name.span, "a snapshot has its rows")
                    .help(help),
            );
        }
    }
}
