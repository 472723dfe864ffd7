//! The pattern runner: an access pattern on live data, with the exact requests.

mod evidence;
mod list;
mod parameters;
mod result;
mod wording;

use crate::context::{Context, OpenModel};
use crate::part::frame::{self, Tab};
use crate::part::icon::icon;
use crate::part::{key, note};
use maud::{Markup, html};
use monotable_model::model::{Access, Way};
use monotable_rest::Response;
use monotable_store::{AnyOperation, AnyOutput, Options, Page, Trace};
use std::time::{Duration, Instant};

pub(crate) use list::name_way;
pub(crate) use parameters::{find_sample_link, sample_parameters};

/// A pattern that was run.
pub(super) struct Run {
    trace: Trace,
    took: Duration,
}

impl Run {
    fn page(&self) -> Option<&Page> {
        match &self.trace.outcome {
            Ok(AnyOutput::Page(page)) => Some(page),
            _ => None,
        }
    }
}

/// The screen, with a pattern or with the list alone.
pub(crate) async fn show(context: &Context<'_>, open: &OpenModel, name: Option<&str>) -> Response {
    let model = open.model();
    let pattern = match name {
        Some(name) => match model.pattern_named(name) {
            Some((_, access)) => Some(access),
            None => return super::missing::show(context, "There is no such pattern"),
        },
        None => None,
    };
    let run = match pattern {
        Some(access) if parameters::are_given(open, access, &context.words) => {
            Some(run(context, open, access).await)
        }
        _ => None,
    };
    let title = pattern.map_or("Patterns", |access| access.name.value.as_str());
    let body = html! {
        div class="three" {
            (list::show(open, pattern))
            div class="mid" {
                @match pattern {
                    None => (note::blank(
                        "Choose an access pattern.",
                        "Each has the exact requests that it sends, with their units and their price.",
                        &html! {}
                    )),
                    Some(access) => (work(context, open, access, run.as_ref())),
                }
            }
            aside class="panel" aria-label="Evidence" {
                @if let Some(access) = pattern { (evidence::show(context, open, access, run.as_ref())) }
            }
        }
    };
    frame::page(context, Tab::Patterns, title, &body)
}

async fn run(context: &Context<'_>, open: &OpenModel, access: &Access) -> Run {
    let query = parameters::read_query(access, &context.words);
    let begin = Instant::now();
    let trace = open
        .store
        .trace(AnyOperation::Query(query), Options::default())
        .await;
    Run {
        trace,
        took: begin.elapsed(),
    }
}

fn work(context: &Context<'_>, open: &OpenModel, access: &Access, run: Option<&Run>) -> Markup {
    html! {
        div class="head" {
            div class="row wrap" {
                h1 class="mono" { (access.name.value) }
                (proved(open, access))
            }
            div class="row wrap mute wrapkey" { (reach(open, access)) }
            @if let Some(about) = &access.notes.about { p class="mute" { (about) } }
        }
        (parameters::form(context, open, access))
        @match run {
            None => (ask_for_values(open, access)),
            Some(run) => (result::show(context, open, access, run)),
        }
    }
}

/// What is proved about a pattern: while the model has no errors, that it returns what it names and nothing else.
fn proved(open: &OpenModel, access: &Access) -> Markup {
    let is_proved = open
        .proof
        .as_ref()
        .is_some_and(|proof| proof.tally().errors == 0);
    let words = if access.returns.len() == 1 {
        "proved: returns exactly this"
    } else {
        "proved: returns exactly these"
    };
    html! {
        @if is_proved { span class="badge ok" { (icon("check")) (words) } }
    }
}

/// How the pattern reaches its rows.
fn reach(open: &OpenModel, access: &Access) -> Markup {
    let model = open.model();
    html! {
        @match &access.way {
            Way::Get { table, key } | Way::Query { table, key } => {
                @let place = model.table(*table).index_at(key.place);
                span class="faint" { (place.map_or("table", |index| index.name.value.as_str())) }
                (key::templates(open, None, key))
            }
            Way::Through { entity, claim } => {
                @let entity = model.entity(*entity);
                @let claim = entity.claims.get(*claim).map(|claim| claim.name.value.as_str()).unwrap_or_default();
                "through the guard " code { (entity.name.value) "." (claim) }
            }
            Way::Union(parts) | Way::Steps(parts) => {
                @let word = if matches!(access.way, Way::Union(_)) { "the rows of" } else { "one after another:" };
                (word)
                @for part in parts {
                    @let name = &model.pattern(*part).name.value;
                    a class="under mono" href=(find_sample_link(open, model.pattern(*part))) { (name) }
                }
            }
            Way::Walk(walks) => {
                "walks along"
                @for walk in walks { code { (model.entity(walk.entity).name.value) "." (walk.end.value) } }
            }
            Way::Resolve(path) => { "resolves the path " code { (model.path(*path).name.value) } }
            Way::Diff(repository) => { "compares two revisions of " code { (model.repository(*repository).name.value) } }
            Way::Pointer { entity, attributes } => {
                "follows " code {
                    (model.entity(*entity).name.value)
                    @for name in attributes { "." (name.value) }
                }
            }
        }
    }
}

fn ask_for_values(open: &OpenModel, access: &Access) -> Markup {
    let actions = html! {
        @if sample_parameters(open, access).is_some() {
            a class="btn" href=(find_sample_link(open, access)) { "Use values that exist" }
        }
    };
    note::blank(
        "Give the parameters, then run it.",
        "Nothing was sent yet.",
        &actions,
    )
}
