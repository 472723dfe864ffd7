//! M015: keys that can be empty, and primary keys that can be absent.

use super::{Report, Subject};
use monotable_language::Part as Piece;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Entity, EntityId, Field, Key, KeyPlace, Template};
use monotable_model::shape::{Variables, pattern};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        for key in entity.keys.iter().filter(|key| !key.implied) {
            for template in key.templates() {
                empty(subject, id, entity, key, template, report);
            }
        }
        let primary = entity.primary().into_iter().flat_map(|key| key.templates());
        for field in primary.flat_map(|template| template.fields()) {
            if may_be_absent(entity, field) {
                let message = format!(
                    "`{}` may be absent, but it is in the primary key of `{}`",
                    field.name(),
                    entity.name.value
                );
                let diagnostic = Diagnostic::new(Code::EmptyKey, field.span, message)
                    .help("make it required, or say what stands in its place: `{a|b}`, `{a|}`");
                report.entity(id, diagnostic);
            }
        }
    }
}

fn empty(
    subject: &Subject<'_>,
    id: EntityId,
    entity: &Entity,
    key: &Key,
    template: &Template,
    report: &mut Report,
) {
    let mut variables = Variables::default();
    let shown = pattern(template, id.index(), &subject.vocabulary, &mut variables);
    // The tenant's prefix may be empty too, so it does not help.
    let can_be_empty = shown.parts().iter().all(|piece| match piece {
        Piece::Literal(text) => text.is_empty(),
        Piece::Variable { language, .. } | Piece::Free(language) => language.can_be_empty(),
    });
    if !can_be_empty {
        return;
    }
    let place = match key.place {
        KeyPlace::Primary => "the primary key",
        KeyPlace::Index(_) => "a key in an index",
    };
    let message = format!(
        "{place} of `{}` can be empty, which DynamoDB refuses",
        entity.name.value
    );
    let diagnostic = Diagnostic::new(Code::EmptyKey, template.span, message)
        .example("key", "\"\"")
        .help("put a literal into the template, or say what stands in place of nothing: `{a|' '}`");
    report.entity(id, diagnostic);
}

fn may_be_absent(entity: &Entity, field: &Field) -> bool {
    let attributes: Vec<_> = field
        .attributes()
        .filter_map(|name| entity.attribute(&name.value))
        .collect();
    !field.has_fallback()
        && !attributes.is_empty()
        && attributes.iter().all(|attribute| {
            !attribute.is_always_present()
                && attribute.computed.is_none()
                && attribute.default.is_none()
        })
}
