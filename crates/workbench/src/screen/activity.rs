//! Activity: the calls that the server has answered, and the partitions that they use most.

mod hottest;
mod lines;
mod tiles;

use crate::activity::{CallKind, CallRecord};
use crate::address::Link;
use crate::context::{Context, OpenModel};
use crate::pace::MOST_FOLLOWED;
use crate::part::frame::{self, Tab};
use crate::part::icon::icon;
use crate::part::note;
use crate::value::show_count;
use maud::{Markup, html};
use monotable_rest::{Request, Response};
use std::sync::Arc;

pub(crate) use lines::recent;

/// So many lines are shown.
const MOST_LINES: usize = 200;

/// A call with its number.
type NumberedCall = (u64, Arc<CallRecord>);

/// What the reader wants to see of the calls.
struct Wish {
    words: String,
    kind: String,
    chosen: Option<u64>,
}

impl Wish {
    fn read(context: &Context<'_>) -> Self {
        let word = |name| context.words.get(name).unwrap_or_default().to_owned();
        Self {
            words: word("q"),
            kind: word("kind"),
            chosen: word("call").parse().ok(),
        }
    }

    /// The address of the screen with this wish, but with another kind of calls or another call opened.
    fn address(&self, kind: &str, chosen: Option<u64>) -> Link {
        let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Link::new(&["activity"])
            .with_some("q", filled(&self.words).as_deref())
            .with_some("kind", filled(kind).as_deref())
            .with_some("call", chosen.map(|number| number.to_string()).as_deref())
    }

    fn is_wanted(&self, call: &CallRecord) -> bool {
        let is_kind = match self.kind.as_str() {
            "reads" => call.kind == CallKind::Read,
            "writes" => call.kind == CallKind::Write,
            "refused" => call.refused.is_some(),
            _ => true,
        };
        let model = call.model.as_deref().unwrap_or("DynamoDB");
        let parts = [
            model,
            &call.operation,
            &call.subject,
            &call.row,
            &call.caller,
        ];
        let text = parts.join(" ").to_lowercase();
        let words = self.words.to_lowercase();
        is_kind && words.split_whitespace().all(|word| text.contains(word))
    }
}

/// The screen.
pub(crate) async fn show(context: &Context<'_>, request: &Request) -> Response {
    if context.rest.demands_proof() {
        let text = "Where callers sign in, nobody sees what others call. The access log of the server has every call.";
        let body = note::blank("Calls are not shown here.", text, &html! {});
        return frame::page(context, Tab::Activity, "Activity", &body);
    }
    let wish = Wish::read(context);
    let activity = context.bench.activity();
    let calls = activity.list(MOST_LINES, |call| wish.is_wanted(call));
    let recent = activity.list(usize::MAX, |_| true);
    let models = open_models(context, request).await;
    let body = html! {
        div class="col" data-live="activity" {
            (tiles::show(&activity.list_seconds(), &recent))
            div class="act" {
                div class="mid" {
                    (bar(&wish, &recent, activity.passed()))
                    div class="scroll" data-scroll="activity" tabindex="-1" {
                        @if calls.is_empty() {
                            (note::blank("No calls yet.", "Calls of the DynamoDB API, of the REST API and of this page appear here as they are answered.", &html! {}))
                        } @else { (lines::table(&wish, &calls, &models)) }
                    }
                }
                aside class="panel" aria-label="Summary" {
                    (hottest::show(context, &models))
                    (refusals(&recent))
                    (busiest(&recent))
                }
            }
        }
    };
    frame::page(context, Tab::Activity, "Activity", &body)
}

/// The models, to say what keys are of. Nothing is counted for it.
async fn open_models(context: &Context<'_>, request: &Request) -> Vec<OpenModel> {
    let names: Vec<String> = context
        .rest
        .models()
        .map(|model| model.name.clone())
        .collect();
    let mut models = Vec::new();
    for name in &names {
        let opened = Context::open_uncounted(context.bench, context.rest, name, request).await;
        models.extend(opened.ok().flatten());
    }
    models
}

fn bar(wish: &Wish, recent: &[NumberedCall], passed: u64) -> Markup {
    let refused = recent.iter().filter(|(_, call)| call.refused.is_some());
    let refused = refused.count();
    html! {
        div class="bar" {
            form method="get" action="/ui/activity" class="row" {
                input class="in filter" type="search" name="q" value=(wish.words) placeholder="Filter by call, caller, table" aria-label="Filter calls" data-filter-form;
                @if !wish.kind.is_empty() { input type="hidden" name="kind" value=(wish.kind); }
            }
            @for (name, word) in [("reads", "Reads"), ("writes", "Writes"), ("refused", "Refused")] {
                @let is_on = wish.kind == name;
                a class="chip" href=(wish.address(if is_on { "" } else { name }, None)) aria-current=[is_on.then_some("true")] {
                    (word) @if name == "refused" { span class="n" { (refused) } }
                }
            }
            span class="grow" {}
            @if passed > 0 {
                span class="mute" title={ "Of each second, " (show_count(MOST_FOLLOWED)) " calls are followed." } {
                    (show_count(passed)) " calls came too quickly to be followed"
                }
            }
            span class="row" data-live-state { span class="dot ok" {} "live" }
            button type="button" class="btn s" data-pause { (icon("pause")) span { "Pause" } }
        }
    }
}

/// What is called most: operations by what they are about.
fn busiest(calls: &[NumberedCall]) -> Markup {
    let names = calls.iter().map(|(_, call)| {
        let name = format!("{} {}", call.operation, call.subject);
        name.trim_end().to_owned()
    });
    html! {
        section class="sec" aria-label="Busiest" {
            h2 { "Busiest" span class="grow mute" { "of the last " (show_count(calls.len() as u64)) " calls" } }
            @for (name, count) in tally(names).iter().take(8) {
                div class="line" { span class="cut grow" { code { (name) } } span { (show_count(*count as u64)) } }
            }
            @if calls.is_empty() { p class="mute" { "Nothing yet." } }
        }
    }
}

fn refusals(calls: &[NumberedCall]) -> Markup {
    let refused = calls.iter().filter_map(|(_, call)| call.refused.clone());
    let counts = tally(refused);
    html! {
        section class="sec" aria-label="Refused" {
            h2 { "Refused" }
            @for (name, count) in &counts { div class="line" { span class="grow" { (name) } span { (show_count(*count as u64)) } } }
            @if counts.is_empty() { p class="mute" { "No call was refused." } }
        }
    }
}

/// How often each name occurs, the most frequent one first.
fn tally(names: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}
