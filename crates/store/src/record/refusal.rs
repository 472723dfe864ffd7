//! Refused values with what a caller needs to mend them: what was given, which clause refuses it, and what there is instead.

use super::rule::show_value;
use crate::field_error::{FieldError, Problem};
use monotable_item::AttributeValue;
use monotable_model::model::{Attribute, Default, Entity, Root, Source, Template};

/// A value of an attribute that is refused. What was given is shown, unless it is a secret.
pub(crate) fn refuse_value(
    attribute: Option<&Attribute>,
    name: &str,
    given: &AttributeValue,
    problem: Problem,
) -> FieldError {
    let is_secret = attribute.is_some_and(|known| known.secret.is_some() || known.hashed.is_some());
    let shows_given = matches!(problem, Problem::Wrong { .. }) && !is_secret;
    let error = FieldError::new(name, problem);
    if shows_given {
        error.noting(format!("given is {}", show_value(Some(given))))
    } else {
        error
    }
}

/// So many mistakes of a row are listed at most when names are among them that no entity has: each is told with all names that
/// there are, and a caller can make up any number.
pub(crate) const MOST_REFUSED: usize = 100;

/// A name that is no attribute of an entity.
pub(crate) fn refuse_name(entity: &Entity, name: &str) -> FieldError {
    let settable = entity
        .attributes
        .iter()
        .filter(|known| !known.internal && !super::is_set_by_the_store(known));
    let known = settable.map(|known| known.name.value.as_str());
    FieldError::new(name, Problem::Unknown).noting(list_names(known))
}

/// Names, as a refusal lists what there is.
pub(crate) fn list_names<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() {
        "there is nothing to give".to_owned()
    } else {
        format!("it has {}", names.join(", "))
    }
}

/// An attribute that is required and absent, with the clause that requires it.
pub(super) fn refuse_absence(attribute: &Attribute) -> FieldError {
    let error = FieldError::new(&attribute.name.value, Problem::Missing);
    match (&attribute.default, &attribute.presence.required_if) {
        (Some(Default::Template(template)), _) if shows_caller(template) => error.noting(format!(
            "the model takes it from the caller, `{}`: say who calls, on the command line by --as, or give it",
            template.text
        )),
        (_, Some(rule)) => error.noting(format!("it is required if {rule}")),
        _ => error,
    }
}

/// An attribute that is given where the model does not want it, with the clause that says so.
pub(super) fn refuse_presence(attribute: &Attribute) -> FieldError {
    let error = FieldError::new(&attribute.name.value, Problem::Forbidden);
    match &attribute.presence.only_if {
        Some(rule) => error.noting(format!("it is given only if {rule}")),
        None => error,
    }
}

fn shows_caller(template: &Template) -> bool {
    let sources = template.fields().flat_map(|field| &field.sources);
    let mut roots = sources.filter_map(|source| match source {
        Source::Path { root, .. } => *root,
        Source::Literal(_) | Source::Nothing(_) => None,
    });
    roots.any(|root| root == Root::Principal)
}
