//! M008: state in a primary key. DynamoDB cannot change a key: a change is a delete and a put.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic, Edit};
use monotable_model::model::{Attribute, Kind, Role};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        // Rows of repositories never change in place.
        if !entity.writes.update || subject.model.repository_of(id).is_some() {
            continue;
        }
        let named = entity.key_attributes();
        for attribute in entity
            .attributes
            .iter()
            .filter(|attribute| named.contains(&attribute.name.value.as_str()))
        {
            if is_state(attribute) && !attribute.movable && !attribute.immutable {
                let name = &attribute.name.value;
                let message = format!(
                    "`{name}` is in the primary key of `{}`, and may change",
                    entity.name.value
                );
                let end = attribute.span.end;
                let diagnostic = Diagnostic::new(Code::MutableKey, attribute.span, message)
                    .help(
                        "say `movable` (a change moves the row, in one transaction) or `immutable`",
                    )
                    .fix("Say `immutable`", Edit::insert(end, ", immutable"))
                    .fix("Say `movable`", Edit::insert(end, ", movable"));
                report.entity(id, diagnostic);
            }
        }
    }
}

/// What describes a row instead of naming it: words of an enum, flags, numbers, times of writes.
fn is_state(attribute: &Attribute) -> bool {
    let describes = match &attribute.kind {
        Kind::Enum(words) => words.len() > 1,
        Kind::Boolean | Kind::Integer(_) | Kind::Number(_) => true,
        _ => attribute.role == Some(Role::Updated),
    };
    describes
        && attribute.generated.is_none()
        && attribute.numbered.is_none()
        && attribute.reference.is_none()
        && attribute.computed.is_none()
        && !attribute.key_only
}
