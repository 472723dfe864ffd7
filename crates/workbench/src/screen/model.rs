//! The model: its text beside its findings, its keys and relations, and its rules.

mod difference;
mod example;
mod finding;
mod keys;
mod rules;
mod text;
mod toml;
mod trial;

pub(crate) use difference::draw_difference;
pub(crate) use finding::draw_findings;

use crate::context::{Context, OpenModel};
use crate::part::frame::{self, Tab};
use crate::part::icon::icon;
use crate::proof::Proof;
use crate::time::show_clock;
use crate::value::counted;
use crate::witness;
use maud::{Markup, html};
use monotable_model::span::position;
use monotable_rest::Response;

/// The text with its findings.
pub(crate) async fn show_text(context: &Context<'_>, open: &OpenModel) -> Response {
    let is_whole = context.words.has("all");
    let witnesses = match &open.proof {
        Some(proof) if open.is_program && open.census.is_taken => {
            let dynamo = &**context.bench.dynamo();
            witness::find(open, dynamo, &proof.source.text, proof.findings()).await
        }
        _ => Vec::new(),
    };
    let body = html! {
        div class="col" {
            (head(context, open, if is_whole { "all" } else { "text" }))
            @match &open.proof {
                None => p class="pad mute" { "The text of this model is not known to the server." },
                Some(proof) => (text::show(context, open, proof, is_whole, &witnesses)),
            }
        }
    };
    frame::page(context, Tab::Model, "Model", &body)
}

/// Entities by keys, and what refers to what.
pub(crate) fn show_keys(context: &Context<'_>, open: &OpenModel) -> Response {
    let body =
        html! { div class="col scrolls-y" { (head(context, open, "keys")) (keys::show(open)) } };
    frame::page(context, Tab::Model, "Keys and relations", &body)
}

/// Every rule with its verdict.
pub(crate) fn show_rules(context: &Context<'_>, open: &OpenModel) -> Response {
    let body =
        html! { div class="col scrolls-y" { (head(context, open, "rules")) (rules::show(open)) } };
    frame::page(context, Tab::Model, "Rules", &body)
}

/// A box for a text that is checked and never saved.
pub(crate) fn show_trial(context: &Context<'_>, open: &OpenModel) -> Response {
    let body = html! { div class="col" { (head(context, open, "try")) (trial::show(open)) } };
    frame::page(context, Tab::Model, "Try", &body)
}

fn head(context: &Context<'_>, open: &OpenModel, chosen: &str) -> Markup {
    let proof = open.proof.as_deref();
    html! {
        div class="head line-below" {
            div class="row wrap" {
                h1 { (proof.map_or(open.name.as_str(), |proof| proof.source.file.as_str())) }
                div class="seg" role="group" aria-label="View" {
                    @for (name, word, segments) in VIEWS {
                        @if *name != "try" || trial::is_offered(open) {
                            a href=(open.link(segments)) aria-current=[(chosen == *name || (chosen == "all" && *name == "text")).then_some("true")] { (word) }
                        }
                    }
                }
                span class="grow" {}
                @if let Some(proof) = proof.filter(|proof| !proof.findings().is_empty()) {
                    @if chosen == "text" { a class="btn s" href=(open.link(&["model"]).with("all", "1")) { "Show all " (proof.source.text.lines().count()) " lines" } }
                    @if chosen == "all" { a class="btn s" href=(open.link(&["model"])) { "Show findings only" } }
                }
                @if let Some(address) = proof.and_then(|proof| open_in_editor(context, proof, None)) {
                    a class="btn s" href=(address) data-outside { "Open in editor" }
                }
            }
            @if let Some(proof) = proof { (state(proof)) }
        }
    }
}

/// The views: how the address calls them, and what stands on the button.
const VIEWS: &[(&str, &str, &[&str])] = &[
    ("text", "Text", &["model"]),
    ("keys", "Keys and relations", &["model", "keys"]),
    ("rules", "Rules", &["model", "rules"]),
    ("try", "Try", &["model", "try"]),
];

/// The address that opens a line of the file in the reader's editor, or else the line of the first finding. None if the file is
/// not one of this machine.
fn open_in_editor(context: &Context<'_>, proof: &Proof, line: Option<usize>) -> Option<String> {
    let file = proof.source.path.as_deref()?;
    let first = proof.findings().first();
    let line =
        line.or_else(|| first.map(|found| position(&proof.source.text, found.span.start).line));
    Some(context.bench.editor().address(file, line.unwrap_or(1)))
}

fn state(proof: &Proof) -> Markup {
    let tally = proof.tally();
    let saved = show_clock(proof.saved);
    html! {
        p class="row wrap mute" {
            @if tally.errors > 0 {
                span class="status-err row" { (icon("error")) (counted(tally.errors, "error")) }
                span { "The text was read at " (saved) ". The store still runs the version before, which is proved." }
            } @else {
                span class="status-ok row" { (icon("check")) "proved" }
                @if tally.warnings > 0 { span class="status-warn row" { (icon("warning")) (counted(tally.warnings, "warning")) } }
                span { "Read at " (saved) "." }
            }
        }
    }
}
