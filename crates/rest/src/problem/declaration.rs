//! Which declaration of the model refused, as a path into its file: `entity.User.unique.Email`.

use monotable_model::model::{Entity, Model};
use monotable_store::{Clash, FieldError, Problem};

/// The declaration that clashes with a write.
pub(super) fn of_clash(model: &Model, entity: &str, clash: &Clash) -> Option<String> {
    Some(match clash {
        Clash::Unique { claim } => format!("entity.{entity}.unique.{claim}"),
        Clash::InUse { by, attribute } if !by.is_empty() => of_attribute(model, by, attribute)?,
        Clash::Moving { name } if !name.is_empty() => format!("move.{name}"),
        Clash::Mirrored | Clash::Cycle | Clash::TooDeep { .. } => {
            format!("entity.{entity}.relation")
        }
        Clash::Key { .. } => format!("entity.{entity}.key"),
        Clash::Head { .. } | Clash::Rebase { .. } => {
            let (id, _) = model.entity_named(entity)?;
            let repository = model.repository_of(id)?;
            format!("repository.{}", repository.name.value)
        }
        _ => return None,
    })
}

/// The rule that forbids something to a caller.
pub(super) fn of_rule(model: &Model, entity: &str, action: &str) -> Option<String> {
    let (_, declared) = model.entity_named(entity)?;
    let allow = &declared.allow;
    let is_said = match action {
        "read" | "get" | "query" => allow.read.is_some(),
        "create" | "put" | "attach" => allow.create.is_some(),
        "update" => allow.update.is_some(),
        "delete" | "detach" => allow.delete.is_some(),
        _ => false,
    };
    Some(if is_said {
        format!("entity.{entity}.allow.{action}")
    } else {
        format!("entity.{entity}")
    })
}

/// The declaration that a value contradicts.
pub(super) fn of_field(model: &Model, subject: &str, error: &FieldError) -> Option<String> {
    if let Some((_, access)) = model.pattern_named(subject) {
        return Some(format!("access.{}", access.name.value));
    }
    if let Problem::Rule { name, .. } = &error.problem {
        return find_rule(model, subject, name);
    }
    // Several entities are named together where one call writes rows of several.
    let mut entities = subject.split(", ");
    entities.find_map(|entity| of_attribute(model, entity, &error.attribute))
}

/// A rule by its name: one of the entity's own, or a check of the model.
fn find_rule(model: &Model, subject: &str, name: &str) -> Option<String> {
    let checks = model.checks.iter();
    let mut checks = checks.filter(|check| check.name.value == name);
    if checks.next().is_some() {
        return Some(format!("check.{name}"));
    }
    let mut entities = subject.split(", ");
    entities.find_map(|entity| {
        let (_, declared) = model.entity_named(entity)?;
        let mut rules = declared.must.iter();
        let rule = rules.find(|rule| rule.name.value == name)?;
        Some(format!("entity.{entity}.must.{}", rule.name.value))
    })
}

/// The attribute, where the model declares it: an entity may have it from one that it is like.
fn of_attribute(model: &Model, entity: &str, name: &str) -> Option<String> {
    let (_, declared) = model.entity_named(entity)?;
    match declared.attribute(name) {
        Some(_) => {
            let owner = find_owner(model, declared, name);
            Some(format!("entity.{}.attributes.{name}", owner.name.value))
        }
        None => Some(format!("entity.{entity}.attributes")),
    }
}

/// The entity in whose section an attribute stands.
fn find_owner<'m>(model: &'m Model, entity: &'m Entity, name: &str) -> &'m Entity {
    let mut owner = entity;
    while let Some(above) = owner.like.map(|id| model.entity(id)) {
        let span = |entity: &Entity| entity.attribute(name).map(|attribute| attribute.span);
        if span(above).is_none() || span(above) != span(owner) {
            break;
        }
        owner = above;
    }
    owner
}
