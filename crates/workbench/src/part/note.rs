//! Notes that stand where something happened, and what a place says while it is empty.

use maud::{Markup, html};
use monotable_store::{Error, ErrorKind, Failure};

/// Something that went wrong: what was given, what is wanted, and which declaration says so.
pub(crate) fn refusal(error: &Error) -> Markup {
    let title = error.message().map_or_else(|| title(error), str::to_owned);
    html! {
        div class="note err" role="alert" {
            b { (name_kind(error.kind())) ": " (title) }
            @if let Failure::Validation { errors, .. } = error.failure() {
                ul class="problems" {
                    @for problem in errors { li { (problem) } }
                }
            } @else {
                p { (error) }
            }
            @if let Some(declaration) = error.declaration() {
                p { "Declared by " code { (declaration.path()) } "." }
            }
            p { "Nothing was written." }
        }
    }
}

/// What is wrong with a form whose fields say the rest.
pub(crate) fn refusal_of_form(error: &Error) -> Markup {
    if !matches!(error.failure(), Failure::Validation { .. }) {
        return refusal(error);
    }
    html! {
        div class="note err" role="alert" {
            b { (name_kind(error.kind())) ": " (title(error)) }
            p { "Each field says what is wanted. Nothing was written." }
        }
    }
}

fn title(error: &Error) -> String {
    match error.failure() {
        Failure::Validation { entity, errors } => format!(
            "{entity} is refused. {} not what the model says.",
            match errors.len() {
                1 => "1 value is".to_owned(),
                count => format!("{count} values are"),
            }
        ),
        Failure::NotFound { entity, .. } => format!("there is no such {entity}"),
        Failure::Conflict { entity, .. } => format!("{entity} is refused"),
        Failure::Forbidden { entity, action } => format!("{action} of {entity} is not allowed"),
        _ => "this call is refused".to_owned(),
    }
}

/// How a kind of error is called.
pub(crate) const fn name_kind(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Validation => "Validation",
        ErrorKind::NotFound => "NotFound",
        ErrorKind::Conflict => "Conflict",
        ErrorKind::Forbidden => "Forbidden",
        ErrorKind::Immutable => "Immutable",
        ErrorKind::Integrity => "Integrity",
        ErrorKind::Retryable => "Retryable",
        ErrorKind::Fatal => "Fatal",
        ErrorKind::Usage => "Usage",
    }
}

/// A place that is empty: what that means, and what to do.
pub(crate) fn blank(title: &str, text: &str, actions: &Markup) -> Markup {
    html! {
        div class="blank pad" {
            b { (title) }
            p class="mute" { (text) }
            div class="row" { (actions) }
        }
    }
}
