//! M013: a secret in a key, or copied to an index.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic, Edit};
use monotable_model::model::{Attribute, Entity, Field, Format, Index, KeyPlace, Mode, Projection};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        let table = subject.model.table(entity.table);
        for attribute in entity
            .attributes
            .iter()
            .filter(|attribute| attribute.secret.is_some())
            .filter(|attribute| entity.digest_of(attribute).is_none())
        {
            let name = &attribute.name.value;
            if let Some(field) = in_key(entity, name) {
                let message = format!("`{name}` is a secret, and stands in a key as it is");
                let mut diagnostic = Diagnostic::new(Code::ExposedSecret, field.span, message)
                    .label(attribute.span, "the secret")
                    .help(format!("show a hash of it: `{{{name}:sha256}}`"));
                if field.formats.is_empty() && field.mode == Mode::Plain {
                    let edit = Edit::insert(field.span.end.saturating_sub(1), ":sha256");
                    diagnostic =
                        diagnostic.fix(format!("Show a hash of it: `{{{name}:sha256}}`"), edit);
                }
                report.entity(id, diagnostic);
                continue;
            }
            let copied = table.indexes.iter().enumerate().find(|(position, index)| {
                entity.key(KeyPlace::Index(*position)).is_some() && holds(index, attribute)
            });
            if let Some((_, index)) = copied {
                let message = format!(
                    "`{name}` is a secret, and `{}` holds a copy of it",
                    index.name.value
                );
                let diagnostic = Diagnostic::new(Code::ExposedSecret, attribute.span, message)
                    .label(index.span, "the index")
                    .help("project only what readers of the index need, or keep the secret in a row of its own");
                report.entity(id, diagnostic);
            }
        }
    }
}

/// Where a key shows it without hiding it.
fn in_key<'e>(entity: &'e Entity, name: &str) -> Option<&'e Field> {
    let templates = entity.keys.iter().flat_map(|key| key.templates());
    let mut fields = templates.flat_map(|template| template.fields());
    fields.find(|field| {
        let hidden = field
            .formats
            .iter()
            .any(|format| matches!(format.value, Format::Sha256 | Format::Mask { .. }));
        !hidden && field.attributes().any(|attribute| attribute.value == name)
    })
}

fn holds(index: &Index, attribute: &Attribute) -> bool {
    match &index.projection {
        Projection::All => !attribute.key_only,
        Projection::Keys => false,
        Projection::Include(names) => names.contains(&attribute.stored),
    }
}
