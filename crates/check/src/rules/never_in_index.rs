//! M004: an attribute that looks like an index key, in rows that can never be in the index.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Entity, Index, KeyPlace, Table};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        let table = subject.model.table(entity.table);
        for (position, index) in table.indexes.iter().enumerate() {
            if entity.key(KeyPlace::Index(position)).is_some() {
                continue;
            }
            let Some((has, lacks)) = half(entity, index, table) else {
                continue;
            };
            let message = format!(
                "`{}` has `{has}`, a key of `{}`, but never `{lacks}`: it is never in that index",
                entity.name.value, index.name.value
            );
            let span = entity
                .attributes
                .iter()
                .find(|attribute| attribute.stored == has)
                .map_or(entity.span, |attribute| attribute.span);
            let diagnostic = Diagnostic::new(Code::NeverInIndex, span, message)
                .label(index.span, "the index")
                .help(format!(
                    "give it `{lacks}`, or accept that `{has}` only informs"
                ));
            report.entity(id, diagnostic);
        }
    }
}

/// One key attribute that an entity has of its own, and one that it never has.
fn half<'i>(entity: &Entity, index: &'i Index, table: &Table) -> Option<(&'i str, &'i str)> {
    let keys: Vec<&str> = index.attributes().map(|name| name.value.as_str()).collect();
    let own = |name: &str| {
        entity
            .attributes
            .iter()
            .any(|attribute| attribute.stored == name && !attribute.key_only)
    };
    let has = keys.iter().find(|name| own(name))?;
    let lacks = keys.iter().find(|name| !own(name) && !table.is_key(name))?;
    Some((has, lacks))
}
