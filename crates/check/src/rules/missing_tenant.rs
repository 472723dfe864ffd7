//! M010: a key without the tenant's prefix, in an entity that has it elsewhere: a query there meets all tenants.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::KeyPlace;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    if subject.model.tenant.is_none() {
        return;
    }
    for (id, entity) in subject.model.stored() {
        let of_tenant = entity.keys.iter().any(|key| !key.global);
        for key in entity.keys.iter().filter(|key| key.global && of_tenant) {
            let place = match key.place {
                KeyPlace::Primary => "primary key".to_owned(),
                KeyPlace::Index(index) => {
                    let index = subject.model.table(entity.table).indexes.get(index);
                    format!(
                        "key in `{}`",
                        index.map_or("", |index| index.name.value.as_str())
                    )
                }
            };
            let message = format!(
                "the {place} of `{}` is without the tenant's prefix, which its other keys have",
                entity.name.value
            );
            let span = if key.implied { entity.span } else { key.span };
            let diagnostic = Diagnostic::new(Code::MissingTenant, span, message)
                .help("leave it out of `global`; or make all keys global if the entity belongs to no tenant");
            report.entity(id, diagnostic);
        }
    }
}
