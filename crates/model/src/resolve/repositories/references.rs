//! The pointer of the head, and the parent of a revision.

use super::{Parts, Row, names_of};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Attribute, EntityId};
use crate::span::Name;

/// The head's reference to the log.
pub(super) fn pointer(parts: &Parts<'_>, findings: &mut Findings) -> Option<Name> {
    let Parts { head, log, .. } = parts;
    match references(head, log.id).as_slice() {
        [pointer] if !is_list(pointer) => return Some(pointer.name.clone()),
        [] => {
            let message = format!(
                "the head `{}` has no reference to the log `{}`, so nothing points to the current revision",
                head.name.value, log.name.value
            );
            let found = Diagnostic::new(Code::MissingKey, head.name.span, message);
            let help = format!(
                "give `{}` one, as in `headRevId = \"-> {}, on_delete = keep\"`",
                head.name.value, log.name.value
            );
            findings.push(found.label(head.entity.span, "the head").help(help));
        }
        [list] => {
            let message = format!(
                "the pointer `{}` is a list; it leads to the one current revision",
                list.name.value
            );
            let help = format!("write `-> {}` without brackets", log.name.value);
            findings.push(parts.contradiction(&list.name, message).help(help));
        }
        [_, second, ..] => {
            let all = references(head, log.id);
            let message = format!(
                "the head `{}` has {} references to the log `{}`, {}; the pointer is the only one",
                head.name.value,
                all.len(),
                log.name.value,
                names_of(&all)
            );
            let found = parts.contradiction(&second.name, message);
            findings
                .push(found.help("keep the one to the current revision; let others be plain ids"));
        }
    }
    None
}

/// The log's reference to itself.
pub(super) fn parent(parts: &Parts<'_>, findings: &mut Findings) -> Option<Name> {
    let log = &parts.log;
    match references(log, log.id).as_slice() {
        [] => {}
        [parent] if !is_list(parent) => return Some(parent.name.clone()),
        [list] => {
            let message = format!(
                "the parent `{}` is a list; a revision follows one other",
                list.name.value
            );
            let help = format!("write `-> {}?` without brackets", log.name.value);
            findings.push(parts.contradiction(&list.name, message).help(help));
        }
        [_, second, ..] => {
            let all = references(log, log.id);
            let message = format!(
                "the log `{}` has {} references to itself, {}; the parent is the only one",
                log.name.value,
                all.len(),
                names_of(&all)
            );
            let found = parts.contradiction(&second.name, message);
            findings
                .push(found.help("keep the one to the revision before; let others be plain ids"));
        }
    }
    None
}

fn references<'m>(row: &Row<'m>, target: EntityId) -> Vec<&'m Attribute> {
    let leads_there = |attribute: &&Attribute| {
        let reference = attribute.reference.as_ref();
        reference.is_some_and(|reference| reference.target == target)
    };
    row.entity.attributes.iter().filter(leads_there).collect()
}

fn is_list(attribute: &Attribute) -> bool {
    attribute
        .reference
        .as_ref()
        .is_some_and(|reference| reference.many)
}
