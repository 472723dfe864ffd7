//! A form for a new row, made from the types of its entity. Values that the store makes are left out.

use super::Chosen;
use crate::address::Words;
use crate::context::OpenModel;
use crate::part::form::{self, Field};
use crate::part::note;
use maud::{Markup, html};
use monotable_model::model::{Attribute, Entity};
use monotable_store::{Error, Failure};

/// The dialog.
pub(super) fn dialog(open: &OpenModel, chosen: &Chosen<'_>) -> Markup {
    html! {
        dialog class="dialog" id="open-dialog" data-open aria-label={ "New " (chosen.name()) } {
            (form(open, chosen.entity, &Words::default(), None))
        }
    }
}

/// The form, with what was given and with what is wrong about it.
pub(crate) fn form(
    open: &OpenModel,
    entity: &Entity,
    given: &Words,
    error: Option<&Error>,
) -> Markup {
    let name = &entity.name.value;
    let attributes: Vec<&Attribute> = entity
        .attributes
        .iter()
        .filter(|attribute| is_asked(attribute))
        .collect();
    let made: Vec<&str> = entity
        .attributes
        .iter()
        .filter(|attribute| attribute.generated.is_some() || attribute.is_set_by_the_store())
        .map(|attribute| attribute.name.value.as_str())
        .collect();
    html! {
        form data-write-form=(open.link(&["write"])) data-dialog-form autocomplete="off" {
            input type="hidden" name="do" value="create";
            input type="hidden" name="of" value=(name);
            div class="dh" {
                h1 { "New " (name) }
                p class="mute" { "The form follows the types of the model. Values that are left out are not there." }
            }
            div class="body" tabindex="0" role="group" aria-label="Content" {
                @if let Some(error) = error { (note::refusal_of_form(error)) }
                div class="formgrid" {
                    @for attribute in attributes {
                        @let attribute_name = &attribute.name.value;
                        @let problem = error.and_then(|error| find_problem(error, attribute_name));
                        (form::field(&Field {
                            name: &format!("set.{attribute_name}"),
                            label: attribute_name,
                            kind: Some(&attribute.kind),
                            about: say_about(open, attribute),
                            value: given.get(&format!("set.{attribute_name}")).unwrap_or_default(),
                            required: attribute.must_be_given(),
                            samples: list_choices(open, attribute),
                            problem: problem.as_deref(),
                        }))
                    }
                }
                @if !made.is_empty() { p class="faint sm" { "Made by the store: " (made.join(", ")) "." } }
            }
            div class="df" {
                span class="mute" data-verdict role="status" {}
                span class="grow" {}
                button type="button" class="btn" data-close { "Cancel" }
                button type="submit" class="btn" name="dry" value="1" { "Dry run" }
                button type="submit" class="btn pri" { "Create " kbd { "Ctrl ↵" } }
            }
        }
    }
}

fn is_asked(attribute: &Attribute) -> bool {
    !attribute.is_set_by_the_store() && attribute.generated.is_none() && !attribute.internal
}

fn find_problem(error: &Error, name: &str) -> Option<String> {
    let Failure::Validation { errors, .. } = error.failure() else {
        return None;
    };
    let found = errors.iter().find(|problem| {
        problem.attribute == name || problem.attribute.starts_with(&format!("{name}."))
    })?;
    // The field stands below its own name.
    let text = found.to_string();
    let named = format!("`{name}` ");
    Some(text.replace(&named, ""))
}

fn say_about(open: &OpenModel, attribute: &Attribute) -> String {
    let mut about = match &attribute.reference {
        Some(reference) => format!("→ {}", open.model().entity(reference.target).name.value),
        None => attribute.kind.to_string(),
    };
    if attribute.secret.is_some() {
        about.push_str(", secret");
    }
    if !attribute.must_be_given() {
        about.push_str(", optional");
    }
    about
}

/// Rows that a reference can name.
fn list_choices(open: &OpenModel, attribute: &Attribute) -> Vec<String> {
    let Some(reference) = &attribute.reference else {
        return Vec::new();
    };
    let kinds = open.model().kinds_of(reference.target);
    let targets = kinds.into_iter().map(|id| open.model().entity(id));
    let mut choices: Vec<String> = targets
        .flat_map(|target| {
            let id = target
                .id
                .as_deref()
                .or(target.key_attributes().last().copied())
                .unwrap_or_default()
                .to_owned();
            form::list_samples(open, &[&target.name.value], &id)
        })
        .collect();
    choices.truncate(40);
    choices
}
