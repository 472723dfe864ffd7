//! Home: what is here, whether it is well, and what to do first.

mod health;
mod starts;

use crate::bill::Units;
use crate::context::{Context, OpenModel};
use crate::mode::Mode;
use crate::part::frame::{self, Tab};
use crate::part::icon::icon;
use crate::part::mark;
use crate::part::requests;
use crate::screen::activity;
use crate::value::{counted, show_count};
use maud::{Markup, html};
use monotable_rest::{Request, Response};

/// The screen. Models that this caller may not enter are left out.
pub(crate) async fn show(context: &Context<'_>, request: &Request) -> Response {
    let mut models = Vec::new();
    let names: Vec<String> = context
        .rest
        .models()
        .map(|model| model.name.clone())
        .collect();
    for name in &names {
        let opened =
            Context::open(context.bench, context.rest, name, &context.words, request).await;
        if let Ok(Some(open)) = opened {
            models.push(open);
        }
    }
    let headline = say_state(&models);
    let body = html! {
        div class="home" {
            h1 { (headline) }
            p class="mute row wrap" {
                code { (context.bench.command()) } span class="faint" { "·" } (context.bench.place()) span class="faint" { "·" }
                @if context.bench.bill().is_none() {
                    "DynamoDB API on " code { "http://" (context.host) }
                    button type="button" class="icon" data-copy={ "http://" (context.host) } aria-label="Copy the address" { (icon("copy")) }
                } @else { "REST API on " code { "http://" (context.host) "/v1" } }
            }
            @if let Some(bill) = context.bench.bill() { (paid(context, bill.total())) }
            (starts::show(&models))
            div class="cols" {
                div {
                    @match models.as_slice() {
                        [one] => (entities(one)),
                        _ => (table(&models)),
                    }
                    (activity::recent(context))
                }
                div {
                    (health::show(context, &models))
                    @if context.bench.bill().is_none() { (connect(context, &models)) }
                }
            }
        }
    };
    frame::page(context, Tab::Home, &headline, &body)
}

/// What looking at data elsewhere has cost, and whether the page may change it.
fn paid(context: &Context<'_>, units: Units) -> Markup {
    let is_read_only = context.bench.mode() == Mode::ReadOnly;
    html! {
        div class="note" {
            b { (context.bench.place()) @if is_read_only { ", read only" } "." }
            p {
                "This server has used " (requests::say_units(units.read, units.write)) " so far: " (requests::dollars_exactly(units.read, units.write)) ". "
                "Nothing is read that you did not ask for, so items are not counted and partitions are not listed. "
                @if is_read_only { "Start with " code { "--workbench on" } " to change rows." }
            }
        }
    }
}

/// The state of everything, as a headline.
fn say_state(models: &[OpenModel]) -> String {
    let faulty = models.iter().filter_map(|open| {
        let errors = open.proof.as_ref()?.tally().errors;
        (errors > 0).then(|| format!("{} in {}", counted(errors, "error"), open.name))
    });
    let faulty: Vec<String> = faulty.collect();
    if !faulty.is_empty() {
        return faulty.join(", ");
    }
    let warnings: usize = models
        .iter()
        .filter_map(|open| open.proof.as_ref())
        .map(|proof| proof.tally().warnings)
        .sum();
    let count = match models.len() {
        0 => return "No models yet".to_owned(),
        1 => return format!("{} is proved", models.first().map_or("", |open| &open.name)),
        2 => "Two".to_owned(),
        3 => "Three".to_owned(),
        4 => "Four".to_owned(),
        5 => "Five".to_owned(),
        count => count.to_string(),
    };
    if warnings > 0 {
        return format!("{count} models, {}", counted(warnings, "warning"));
    }
    format!("{count} models, all proved")
}

fn table(models: &[OpenModel]) -> Markup {
    html! {
        section class="block" aria-label="Models" {
            h2 { "Models" }
            div class="frame" {
                table class="grid models" {
                    thead { tr {
                        th scope="col" { "Model" } th scope="col" { "Proof" }
                        th scope="col" class="num opt" { "Entities" } th scope="col" class="num opt" { "Patterns" }
                        th scope="col" class="num" { "Items" } th scope="col" class="opt" { "Items by entity" }
                    } }
                    tbody { @for open in models { (row(open)) } }
                }
            }
        }
    }
}

fn row(open: &OpenModel) -> Markup {
    let model = open.model();
    html! {
        tr {
            td class="fills" {
                a href=(open.link(&["patterns"])) { b { (open.name) } }
                @if let Some(about) = &model.about { div class="mute sm cut" title=(about) { (about) } }
            }
            td { (frame::badge(open.proof.as_deref())) }
            td class="num opt" { (model.stored().count()) }
            td class="num opt" { (model.patterns().count()) }
            td class="num" { @if open.is_program && open.census.is_taken { (show_count(open.census.items as u64)) @if !open.census.complete { "+" } } @else if open.is_program { span class="faint" { "not counted" } } }
            td class="opt" { @if open.is_program { (mark::mix(&open.hues, &open.census.mix, "", open.census.mix.total())) } }
        }
    }
}

/// The entities of the only model.
fn entities(open: &OpenModel) -> Markup {
    html! {
        section class="block" aria-label="Entities" {
            h2 { "Entities" }
            div class="frame" {
                table class="grid" {
                    thead { tr { th scope="col" { "Entity" } th scope="col" { "Key" } th scope="col" class="num" { "Rows" } } }
                    tbody {
                        @for (id, entity) in open.model().stored() {
                            tr {
                                td { (mark::entity_link(open, &entity.name.value)) }
                                td { @if let Some(key) = entity.primary() { (crate::part::key::templates(open, Some(id), key)) } }
                                td class="num" { @if open.is_program && open.census.is_taken { (open.census.rows.get(&entity.name.value).copied().unwrap_or_default()) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn connect(context: &Context<'_>, models: &[OpenModel]) -> Markup {
    let host = &context.host;
    let ways = [
        (
            "Shell",
            format!("AWS_ENDPOINT_URL_DYNAMODB=http://{host} \\\n  aws dynamodb list-tables"),
        ),
        (
            "TypeScript",
            format!(
                "const client = new DynamoDBClient({{\n  endpoint: \"http://{host}\",\n  region: \"local\",\n}})"
            ),
        ),
        (
            "Python",
            format!(
                "dynamodb = boto3.resource(\n    \"dynamodb\", endpoint_url=\"http://{host}\")"
            ),
        ),
    ];
    html! {
        section class="block choices" aria-label="Connect" data-choices="connect" {
            h2 {
                "Connect" span class="grow" {}
                span class="seg" role="group" aria-label="Language" {
                    @for (position, (name, _)) in ways.iter().enumerate() {
                        button type="button" aria-pressed=(position == 0) data-choice=(name) { (name) }
                    }
                }
            }
            @for (position, (name, text)) in ways.iter().enumerate() {
                div class="code" data-chosen=(name) hidden[position != 0] {
                    pre { (text) }
                    button type="button" class="icon copy" data-copy=(text) aria-label={ "Copy for " (name) } { (icon("copy")) }
                }
            }
            @if let Some(open) = models.first() {
                p class="mute sm" {
                    "Any region. The REST API is at " code { "/v1/" (open.name) } ", its description at "
                    a class="under" href={ "/v1/" (monotable_rest::percent::encode(&open.name)) "/openapi.json" } data-outside { "openapi.json" } "."
                }
            }
        }
    }
}
