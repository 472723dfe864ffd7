//! M003: "at most one" without anything that makes it so.

use super::{Report, Subject};
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Access, Entity, Format, Key, Mode, Model, Way};
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, access) in subject.model.patterns() {
        let Way::Query { key, .. } = &access.way else {
            continue;
        };
        if !access.one {
            continue;
        }
        for entity in access.returns.iter().map(|id| subject.model.entity(*id)) {
            if !is_unique(subject.model, entity, key) {
                let names: Vec<_> = asked(key).into_iter().collect();
                let message = format!(
                    "`{}` expects at most one `{}`, but nothing makes ({}) unique: an index does not",
                    access.name.value,
                    entity.name.value,
                    names.join(", ")
                );
                report.access(id, diagnostic(access, entity, &message));
            }
        }
    }
}

fn diagnostic(access: &Access, entity: &Entity, message: &str) -> Diagnostic {
    Diagnostic::new(Code::UnguardedClaim, access.span, message)
        .label(entity.span, "two rows can be stored")
        .help(format!(
            "claim it in [entity.{}.unique], or leave out `one`",
            entity.name.value
        ))
}

/// The attributes that a condition gives whole.
fn asked(key: &Key) -> BTreeSet<&str> {
    let fields = key.templates().flat_map(|template| template.fields());
    // A masked value is not the value.
    let hides = |format: &Format| {
        matches!(
            format,
            Format::Mask { .. } | Format::Shard(_) | Format::Date
        )
    };
    let whole = fields.filter(|field| {
        field.mode == Mode::Plain && !field.formats.iter().any(|format| hides(&format.value))
    });
    whole
        .flat_map(|field| field.attributes())
        .map(|name| name.value.as_str())
        .collect()
}

/// Whether what is asked for has at most one row: by the primary key, or by a claim. A generated id does not make it so,
/// because a caller may give an id that another row has.
fn is_unique(model: &Model, entity: &Entity, key: &Key) -> bool {
    let asked = asked(key);
    let all = |names: &[&str]| !names.is_empty() && names.iter().all(|name| asked.contains(name));
    all(&entity.key_attributes())
        || entity
            .claims
            .iter()
            .any(|claim| all(&claim.guard.claimed(model)))
}
