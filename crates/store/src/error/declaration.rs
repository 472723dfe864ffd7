//! Which declaration of the model an error is about.

use super::{Clash, Failure};
use crate::declaration::Declaration;
use crate::field_error::{FieldError, Problem};
use monotable_model::model::{Attribute, Model};

/// The declaration that an operation failed by, where the failure says it.
pub(super) fn find_declaration(model: &Model, failure: &Failure) -> Option<Declaration> {
    match failure {
        Failure::Conflict { entity, clash } => find_clashing(model, entity, clash),
        Failure::Forbidden { action, .. } if *action == "touch" => {
            model.isolation.as_ref().map(Declaration::of_isolation)
        }
        Failure::Forbidden { entity, action } => {
            let (_, entity) = model.entity_named(entity)?;
            Some(Declaration::of_rule(entity, action))
        }
        Failure::Versioned { repository, .. } => {
            let path = format!("repository.{repository}");
            Some(Declaration::silent(path))
        }
        _ => None,
    }
}

/// The declaration that a write clashes with.
fn find_clashing(model: &Model, name: &str, clash: &Clash) -> Option<Declaration> {
    if let Clash::Moving { name } = clash {
        return (!name.is_empty()).then(|| Declaration::silent(format!("move.{name}")));
    }
    if let Clash::Head { .. } | Clash::Rebase { .. } = clash {
        return find_repository(model, name);
    }
    let (_, entity) = model.entity_named(name)?;
    Some(match clash {
        Clash::Unique { claim } => Declaration::of_claim(entity, claim),
        Clash::InUse { by, attribute } => {
            let (_, by) = model.entity_named(by)?;
            Declaration::of_restriction(model, by, attribute)
        }
        Clash::Mirrored | Clash::Cycle => Declaration::of_relation(entity),
        Clash::TooDeep { .. } => Declaration::of_depth(entity),
        Clash::Key { .. } => Declaration::of_key(entity),
        _ => return None,
    })
}

/// The declaration that a value contradicts. `subject` is an entity, several of them, or an access pattern.
pub(super) fn find_contradicted(
    model: &Model,
    subject: &str,
    error: &FieldError,
) -> Option<Declaration> {
    if let Some((_, access)) = model.pattern_named(subject) {
        let path = format!("access.{}", access.name.value);
        return Some(Declaration::silent(path));
    }
    let entities = subject.split(", ");
    let mut entities = entities.filter_map(|name| model.entity_named(name));
    if let Problem::Rule { name, .. } = &error.problem {
        let mut checks = model.checks.iter();
        let check = checks.find(|check| check.name.value == *name);
        return check
            .map(Declaration::of_check)
            .or_else(|| entities.find_map(|(_, entity)| Declaration::of_must(entity, name)));
    }
    let (_, entity) = entities.next()?;
    let declared = Declaration::of_attribute(model, entity, &error.attribute);
    let attribute = entity.attribute(&error.attribute);
    if is_told(&error.problem, attribute) {
        Some(declared)
    } else {
        Some(declared.without_message())
    }
}

/// Whether the message of an attribute is about a problem: it says what a value must be. The message of a reference is about
/// the row that it leads to.
fn is_told(problem: &Problem, attribute: Option<&Attribute>) -> bool {
    let is_reference = attribute.is_some_and(|attribute| attribute.reference.is_some());
    match problem {
        Problem::Wrong { .. } | Problem::Key { .. } => true,
        Problem::Missing
        | Problem::Forbidden
        | Problem::Empty { .. }
        | Problem::Blank { .. }
        | Problem::Reserved => !is_reference,
        Problem::Unknown
        | Problem::UnknownParameter
        | Problem::NotGiven
        | Problem::Immutable
        | Problem::Hashed
        | Problem::NoHash
        | Problem::Rule { .. }
        | Problem::NoEntropy => false,
    }
}

/// The repository whose head is not what was expected; errors call it by its own name or by that of an entity.
fn find_repository(model: &Model, name: &str) -> Option<Declaration> {
    let mut repositories = model.repositories.iter();
    let named = repositories.find(|repository| repository.name.value == name);
    let repository = named.or_else(|| {
        let (id, _) = model.entity_named(name)?;
        model.repository_of(id)
    })?;
    let path = format!("repository.{}", repository.name.value);
    Some(Declaration::silent(path))
}
