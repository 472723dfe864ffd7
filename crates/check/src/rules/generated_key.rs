//! M016: a value that is new each time, in the key of a row that is to be replaced: it is never replaced.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Default, Entity, OnExists};

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for derive in &subject.model.derives {
        let entity = subject.model.entity(derive.entity);
        let set: Vec<_> = derive
            .set
            .iter()
            .map(|assignment| assignment.name.value.as_str())
            .collect();
        find(
            subject,
            entity,
            &set,
            "derived from another row, which replaces them",
            report,
        );
    }
    for (_, entity) in subject.model.stored() {
        if entity.on_exists == OnExists::Replace || entity.on_exists == OnExists::Keep {
            find(
                subject,
                entity,
                &[],
                "replaced or kept when they exist",
                report,
            );
        }
    }
}

fn find(subject: &Subject<'_>, entity: &Entity, set: &[&str], why: &str, report: &mut Report) {
    let Some((id, _)) = subject.model.entity_named(&entity.name.value) else {
        return;
    };
    for name in entity.key_attributes() {
        let Some(attribute) = entity.attribute(name).filter(|_| !set.contains(&name)) else {
            continue;
        };
        let fresh = attribute.is_fresh() || matches!(attribute.default, Some(Default::Now { .. }));
        if fresh {
            let message = format!(
                "`{name}` is new each time, but rows of `{}` are {why}",
                entity.name.value
            );
            let diagnostic = Diagnostic::new(Code::GeneratedKey, attribute.span, message)
                .help("make the key of what the row is about");
            report.entity(id, diagnostic);
        }
    }
}
