//! Claims: the guards that make values unique.

mod unicode_forms;

use super::names::Names;
use super::{assignments, notes};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::model::{Assignment, Claim, Entity, Further, Guard, Key, KeyPlace, Model};
use crate::syntax;
use crate::syntax::file::File;
use crate::syntax::key::KeyTemplates;

pub(super) fn add(model: &mut Model, file: &File, names: &Names, findings: &mut Findings) {
    let mut all = Vec::new();
    for (entity, declared) in model.entities.iter().zip(&file.entities) {
        let claims = declared.claims.iter();
        let claims: Vec<_> = claims
            .filter_map(|claim| self::claim(claim, entity, model, names, findings))
            .collect();
        all.push(claims);
    }
    for (entity, claims) in model.entities.iter_mut().zip(all) {
        entity.claims = claims;
    }
}

fn claim(
    declared: &syntax::claim::Claim,
    entity: &Entity,
    model: &Model,
    names: &Names,
    findings: &mut Findings,
) -> Option<Claim> {
    use syntax::claim::Guard as Declared;
    let guard = match &declared.guard {
        Declared::Row {
            key,
            fills_all,
            keeps,
        } => {
            let table = model.table(entity.table);
            let templates = KeyTemplates::of_single(key, *fills_all, declared.span);
            let (hash, range) =
                super::keys::parts(&templates, table.range.is_some(), None, findings)?;
            let attributes = hash
                .fields()
                .flat_map(|field| field.attributes())
                .map(|name| name.value.clone())
                .collect();
            let key = Key {
                place: KeyPlace::Primary,
                hash,
                range,
                further: Further::none(),
                own: Vec::new(),
                when: None,
                global: entity.primary().is_some_and(|key| key.global),
                implied: false,
                span: declared.span,
            };
            Guard::Row {
                former: unicode_forms::former_keys(&key),
                key: Box::new(unicode_forms::normalise_key(key)),
                kind: format!("{}{}", entity.name.value, capitalised(&declared.name.value)),
                attributes,
                keeps: keeps.clone(),
            }
        }
        Declared::Entity { entity, set, also } => {
            let set = assignments(set);
            Guard::Entity {
                entity: names.entity(entity, findings)?,
                former: unicode_forms::former_sets(&set),
                set: unicode_forms::normalise_set(set),
                also: also.iter().map(|set| assignments(set)).collect(),
            }
        }
        Declared::Snapshot => Guard::Snapshot,
    };
    Some(Claim {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        guard,
        when: declared.when.clone(),
        message: declared.message.clone(),
        span: declared.span,
    })
}

fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters
        .next()
        .map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Reports guards whose rows would not be whole.
pub(super) fn check(model: &Model, findings: &mut Findings) {
    for (id, entity) in model.entities() {
        for claim in &entity.claims {
            match &claim.guard {
                Guard::Entity {
                    entity: target,
                    set,
                    ..
                } => check_rows(claim, entity, model.entity(*target), set, findings),
                Guard::Snapshot => {
                    let versioned = model
                        .repositories
                        .iter()
                        .any(|repository| repository.entities.contains(&id));
                    if !versioned {
                        let message =
                            "only an entity of a repository has a claim within its snapshot";
                        findings.error(Code::Contradiction, claim.span, message);
                    }
                }
                Guard::Row { .. } => {}
            }
        }
    }
}

fn check_rows(
    claim: &Claim,
    owner: &Entity,
    target: &Entity,
    set: &[Assignment],
    findings: &mut Findings,
) {
    for name in target.key_attributes() {
        let assigned = set.iter().any(|assignment| assignment.name.value == name);
        if !assigned && owner.attribute(name).is_none() {
            let message = format!(
                "a guard row `{}` needs `{name}`, which neither `set` nor an attribute of `{}` gives",
                target.name.value, owner.name.value
            );
            findings.push(Diagnostic::new(Code::MissingKey, claim.span, message));
        }
    }
}
