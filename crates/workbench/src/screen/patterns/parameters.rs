//! The parameters of a pattern: its form, its words in an address, and values that exist.

use crate::address::{Link, Words};
use crate::context::{Context, OpenModel};
use crate::part::form::{self, Field};
use crate::value::show_value;
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::{Access, Kind, Mode, Parameter};
use monotable_rest::read_word;
use monotable_store::Query;

/// What stands before a parameter in addresses, so that no name of a model is one of the page's own words.
const PREFIX: &str = "p.";

/// The names under which a parameter is given: a range has two ends.
fn list_names(parameter: &Parameter) -> Vec<String> {
    match parameter.mode {
        Mode::Range => vec![
            format!("{}.from", parameter.name),
            format!("{}.to", parameter.name),
        ],
        Mode::Plain | Mode::Optional | Mode::Open => vec![parameter.name.clone()],
    }
}

/// Whether everything is given that the pattern cannot do without.
pub(super) fn are_given(open: &OpenModel, access: &Access, words: &Words) -> bool {
    let mut required = access
        .parameters
        .iter()
        .filter(|parameter| parameter.mode == Mode::Plain);
    let is_asked = words.has("run") || words.under(PREFIX).next().is_some();
    let all = required.all(|parameter| {
        words
            .filled(&format!("{PREFIX}{}", parameter.name))
            .is_some()
    });
    // A pattern without parameters runs when it is opened, where that costs nothing.
    all && (is_asked || (access.parameters.is_empty() && open.census.is_taken))
}

/// The query that the address asks for.
pub(super) fn read_query(access: &Access, words: &Words) -> Query {
    let mut parameters = Item::new();
    for (name, value) in list_given(access, words) {
        let kind = find_kind(access, &name);
        parameters.insert(name.clone(), read_word(kind, &name, value));
    }
    Query {
        pattern: access.name.value.clone(),
        parameters,
        limit: words
            .filled("limit")
            .and_then(|text| text.parse().ok())
            .filter(|limit| *limit > 0),
        after: words.filled("cursor").map(str::to_owned),
        descending: match words.get("order") {
            Some("descending") => Some(true),
            Some("ascending") => Some(false),
            _ => None,
        },
    }
}

/// The parameters that are given, with their names as the store takes them.
pub(super) fn list_given(access: &Access, words: &Words) -> Vec<(String, String)> {
    let names = access.parameters.iter().flat_map(list_names);
    names
        .filter_map(|name| {
            let value = words.filled(&format!("{PREFIX}{name}"))?.to_owned();
            Some((name, value))
        })
        .collect()
}

fn find_kind<'a>(access: &'a Access, name: &str) -> Option<&'a Kind> {
    let mut parameters = access.parameters.iter();
    let found =
        parameters.find(|parameter| list_names(parameter).iter().any(|known| known == name))?;
    // A beginning of a number need not be one.
    (found.mode != Mode::Open).then_some(&found.kind)
}

/// The form.
pub(super) fn form(context: &Context<'_>, open: &OpenModel, access: &Access) -> Markup {
    let sample = sample_parameters(open, access).unwrap_or_default();
    let given = list_given(access, &context.words);
    let descending = context.words.get("order").unwrap_or_default();
    html! {
        form class="params" method="get" action=(open.link(&["patterns", &access.name.value])) data-run {
            @for (name, value) in open.carried() { input type="hidden" name=(name) value=(value); }
            @for parameter in &access.parameters {
                @for name in list_names(parameter) {
                    @let value = given.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
                    @let fallback = sample.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str());
                    @let value = value.or(fallback.filter(|_| given.is_empty())).unwrap_or_default();
                    (form::field(&Field {
                        name: &format!("{PREFIX}{name}"),
                        label: &name,
                        kind: find_kind(access, &name),
                        about: say_about(open, parameter),
                        value,
                        required: parameter.mode == Mode::Plain,
                        samples: form::list_samples(open, &list_holders(open), &parameter.name),
                        problem: None,
                    }))
                }
            }
            div class="field narrow-field" {
                label for="limit" { "Limit" }
                input class="in" id="limit" name="limit" inputmode="numeric" placeholder="all" value=(context.words.get("limit").unwrap_or_default());
            }
            div class="field" {
                label for="order" { "Order" }
                select class="in" id="order" name="order" {
                    @for (value, word) in [("", "as declared"), ("ascending", "ascending"), ("descending", "descending")] {
                        option value=(value) selected[value == descending] { (word) }
                    }
                }
            }
            @if let Some(view) = context.words.filled("view") { input type="hidden" name="view" value=(view); }
            button class="btn pri" type="submit" name="run" value="1" { "Run " kbd { "Ctrl ↵" } }
        }
    }
}

fn say_about(open: &OpenModel, parameter: &Parameter) -> String {
    let named = open
        .model()
        .stored()
        .find_map(|(id, _)| open.named_entity(id, &parameter.name));
    let kind = match named {
        Some(entity) => entity.to_owned(),
        None => parameter.kind.to_string(),
    };
    match parameter.mode {
        Mode::Plain => kind,
        Mode::Optional => format!("{kind}, may be left out"),
        Mode::Open => format!("{kind}, or how it begins"),
        Mode::Range => kind,
    }
}

/// Every entity, because any may have an attribute of this name.
fn list_holders(open: &OpenModel) -> Vec<&str> {
    open.model()
        .stored()
        .map(|(_, entity)| entity.name.value.as_str())
        .collect()
}

/// Values of one row that exists for the parameters of a pattern; none if no row has them all.
pub(crate) fn sample_parameters(
    open: &OpenModel,
    access: &Access,
) -> Option<Vec<(String, String)>> {
    let model = open.model();
    let required: Vec<&Parameter> = access
        .parameters
        .iter()
        .filter(|parameter| parameter.mode == Mode::Plain)
        .collect();
    if required.is_empty() || !open.is_program {
        return None;
    }
    // Rows that the pattern returns come first: with their values it finds something.
    let returned = access
        .returns
        .iter()
        .map(|id| model.entity(*id).name.value.as_str());
    let others = model.stored().map(|(_, entity)| entity.name.value.as_str());
    let mut rows = returned
        .chain(others)
        .flat_map(|entity| open.census.samples(entity));
    rows.find_map(|row| {
        let values = required.iter().map(|parameter| {
            let value = row.get(&parameter.name)?;
            Some((parameter.name.clone(), show_value(value)))
        });
        values.collect()
    })
}

/// The address of a pattern, run with values that exist if there are some.
pub(crate) fn find_sample_link(open: &OpenModel, access: &Access) -> Link {
    let link = open.link(&["patterns", &access.name.value]);
    let sample = sample_parameters(open, access).unwrap_or_default();
    sample.iter().fold(link, |link, (name, value)| {
        with_parameter(link, name, value)
    })
}

/// The address with a parameter of the pattern.
pub(crate) fn with_parameter(link: Link, name: &str, value: &str) -> Link {
    link.with(&format!("{PREFIX}{name}"), value)
}
