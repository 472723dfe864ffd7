//! Fields of forms, made from the types of the model.

use crate::context::OpenModel;
use crate::value::show_value;
use maud::{Markup, html};
use monotable_model::model::Kind;

/// A field to be filled in.
pub(crate) struct Field<'f> {
    /// The name under which it is sent.
    pub(crate) name: &'f str,
    pub(crate) label: &'f str,
    pub(crate) kind: Option<&'f Kind>,
    /// What is said behind the label: the entity that is referred to, or that it may be left out.
    pub(crate) about: String,
    pub(crate) value: &'f str,
    pub(crate) required: bool,
    /// Values that exist, to choose from.
    pub(crate) samples: Vec<String>,
    /// What is wrong with the value.
    pub(crate) problem: Option<&'f str>,
}

/// A field with its label, and with what is wrong with it.
pub(crate) fn field(field: &Field<'_>) -> Markup {
    let id = format!("field-{}", field.name);
    let problem_id = format!("{id}-problem");
    let described = field.problem.map(|_| problem_id.as_str());
    let invalid = field.problem.map(|_| "true");
    html! {
        div class="field" {
            label for=(id) { (field.label) " " span class="faint" { (field.about) } }
            @match field.kind {
                Some(Kind::Enum(words)) => {
                    select class="in" id=(id) name=(field.name) aria-invalid=[invalid] aria-describedby=[described] {
                        @if !field.required || field.value.is_empty() { option value="" {} }
                        @for word in words { option value=(word.word) selected[word.word == field.value] { (word.word) } }
                    }
                }
                Some(Kind::Boolean) => {
                    select class="in" id=(id) name=(field.name) aria-invalid=[invalid] aria-describedby=[described] {
                        option value="" {}
                        @for word in ["true", "false"] { option value=(word) selected[word == field.value] { (word) } }
                    }
                }
                kind => {
                    @let list = format!("{id}-values");
                    input class=(input_class(kind)) id=(id) name=(field.name) value=(field.value) autocomplete="off" spellcheck="false"
                        placeholder=[placeholder(kind)] list=[(!field.samples.is_empty()).then_some(&list)]
                        aria-invalid=[invalid] aria-describedby=[described];
                    @if !field.samples.is_empty() {
                        datalist id=(list) { @for sample in &field.samples { option value=(sample) {} } }
                    }
                }
            }
            @if let Some(problem) = field.problem { span class="bad" id=(problem_id) { (problem) } }
        }
    }
}

const fn input_class(kind: Option<&Kind>) -> &'static str {
    match kind {
        Some(Kind::Text(_)) | None => "in",
        Some(_) => "in mono",
    }
}

fn placeholder(kind: Option<&Kind>) -> Option<&'static str> {
    Some(match kind? {
        Kind::Date => "1814-04-15",
        Kind::Timestamp(_) => "2026-11-18T10:00:00Z",
        Kind::Epoch => "seconds since 1970",
        Kind::Url => "https://",
        Kind::List { .. } => "[\"…\"]",
        Kind::Map => "{}",
        Kind::Json => "JSON",
        Kind::Binary => "base64",
        _ => return None,
    })
}

/// Values that an attribute of this name has in rows that exist, of any entity that has it.
pub(crate) fn list_samples(open: &OpenModel, entities: &[&str], attribute: &str) -> Vec<String> {
    if !open.is_program {
        return Vec::new();
    }
    let rows = entities
        .iter()
        .flat_map(|entity| open.census.samples(entity));
    let mut values: Vec<String> = rows
        .filter_map(|row| row.get(attribute))
        .map(show_value)
        .collect();
    values.sort();
    values.dedup();
    values.truncate(20);
    values
}
