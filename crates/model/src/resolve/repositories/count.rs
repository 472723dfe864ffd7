//! How many rows a snapshot has, as its row of the log says.

use super::Parts;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::Kind;
use crate::span::Name;

/// The log's attribute with the number of rows. Revisions from before it was declared do not have it.
pub(super) fn count(
    parts: &Parts<'_>,
    declared: Option<&Name>,
    findings: &mut Findings,
) -> Option<Name> {
    let name = declared?;
    let log = parts.log;
    let Some(attribute) = log.entity.attribute(&name.value) else {
        let message = format!(
            "the log `{}` has no attribute `{}`",
            log.name.value, name.value
        );
        let found = Diagnostic::new(Code::UnknownName, name.span, message);
        let help = format!("give it one: `{} = \"integer(0..)?\"`", name.value);
        findings.push(found.label(log.entity.span, "the log").help(help));
        return None;
    };
    let is_number = matches!(attribute.kind, Kind::Integer(_));
    if !is_number || !attribute.presence.optional {
        let message = format!(
            "`{}` counts the rows of a snapshot, so it is an optional integer",
            name.value
        );
        let help = "write `integer(0..)?`: revisions from before it do not have it";
        let found = parts.contradiction(&attribute.name, message);
        findings.push(found.help(help));
        return None;
    }
    Some(attribute.name.clone())
}
