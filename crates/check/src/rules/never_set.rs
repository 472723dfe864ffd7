//! M021: required attributes that callers cannot give and that nothing fills in.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Attribute, EntityId, Kind, Model};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    let model = subject.model;
    for (id, entity) in model.stored().filter(|(_, entity)| entity.writes.create) {
        let required = entity.attributes.iter();
        let required = required.filter(|attribute| is_required(attribute));
        for attribute in required {
            if let Some((why, help)) = why_never(model, id, attribute) {
                let message = format!(
                    "no `{}` can be created: `{}` is required, and {why}",
                    entity.name.value, attribute.name.value
                );
                let diagnostic = Diagnostic::new(Code::NeverSet, attribute.span, message);
                report.entity(id, diagnostic.help(help));
            }
        }
    }
}

/// Whether every row has it, and nothing makes it.
fn is_required(attribute: &Attribute) -> bool {
    !attribute.presence.optional
        && attribute.default.is_none()
        && attribute.generated.is_none()
        && attribute.role.is_none()
        && attribute.computed.is_none()
        && attribute.version.is_none()
}

/// Why no caller can give it, and what would help.
fn why_never(
    model: &Model,
    id: EntityId,
    attribute: &Attribute,
) -> Option<(&'static str, &'static str)> {
    let name = &attribute.name.value;
    let is_constant = matches!(&attribute.kind, Kind::Enum(words) if words.len() == 1);
    if matches!(attribute.kind, Kind::Never) {
        return Some((
            "its type is `never`",
            "write `never?` to keep the name free without asking for it",
        ));
    }
    if attribute.internal && is_constant {
        return Some((
            "callers cannot give an internal constant",
            "give it a default, or take `internal` away",
        ));
    }
    is_counter(model, id, name).then_some((
        "callers cannot give a counter",
        "give it a default, as in `integer(0..), default = 0`",
    ))
}

/// Whether the store counts with an attribute: rows that refer to its row, numbers that it gives, or writes of a relation.
fn is_counter(model: &Model, id: EntityId, name: &str) -> bool {
    model.stored().any(|(_, entity)| {
        let leads_here = |reference: &str| {
            let attribute = entity.attribute(reference);
            let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
            reference.is_some_and(|reference| reference.target == id)
        };
        let counted = entity.attributes.iter().any(|attribute| {
            let reference = attribute.reference.as_ref();
            let counts = reference.is_some_and(|reference| {
                let counter = reference.counted.as_ref();
                reference.target == id && counter.is_some_and(|counter| counter.value == name)
            });
            let numbered = attribute.numbered.as_ref();
            counts
                || numbered.is_some_and(|(reference, counter)| {
                    counter.value == name && leads_here(&reference.value)
                })
        });
        let relation = entity.relation.as_ref();
        let serial = relation.and_then(|relation| relation.serial.as_ref());
        counted
            || serial.is_some_and(|(reference, counter)| {
                counter.value == name && leads_here(&reference.value)
            })
    })
}
