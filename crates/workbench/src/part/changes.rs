//! What a write changes and why: for dry runs, deletes, rollbacks, and after a write alike.

use crate::context::OpenModel;
use crate::part::{key, mark};
use crate::value::{counted, shorten_text, show_value};
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::KeyPlace;
use monotable_store::TracedChange;

/// A list longer than this is cut, and says so.
const MOST_SHOWN: usize = 200;

/// Everything that became of rows and guards, each with the declaration that asks for it.
pub(crate) fn list(open: &OpenModel, changes: &[TracedChange]) -> Markup {
    html! {
        @for (is, title) in [("deleted", "Deleted"), ("changed", "Changed"), ("created", "Created")] {
            @let group: Vec<&TracedChange> = changes.iter().filter(|change| change.is == is).collect();
            @if !group.is_empty() {
                h3 class="sub" { (title) " " span class="faint" { (group.len()) } }
                @for change in group.iter().take(MOST_SHOWN) { (one(open, change)) }
                @if group.len() > MOST_SHOWN { p class="faint sm" { "and " (group.len() - MOST_SHOWN) " more" } }
            }
        }
        @if changes.is_empty() { p class="mute" { "Nothing changes." } }
    }
}

fn one(open: &OpenModel, change: &TracedChange) -> Markup {
    let (sign, class, word) = match change.is {
        "deleted" => ("−", "op del", "deleted"),
        "created" => ("+", "op add", "created"),
        _ => ("~", "op chg", "changed"),
    };
    let is_guard = change.cause == "guard";
    html! {
        div class="eff" {
            span class=(class) aria-label=(word) { (sign) }
            span class="cut" {
                span class={ "ent " (open.hues.class(&change.entity)) @if is_guard { " hollow" } } {
                    span class="sw" {} (change.entity)
                }
                " " (address(open, change, is_guard))
            }
            span class="role" { (name_cause(change.cause)) }
            div class="why" {
                @if change.is == "changed" { (differences(change.before.as_ref(), change.after.as_ref())) }
                @if let Some(declaration) = &change.declaration { div { "because of " code { (declaration) } } }
            }
        }
    }
}

fn address(open: &OpenModel, change: &TracedChange, is_guard: bool) -> Markup {
    let entity = open.model().entity_named(&change.entity).map(|(id, _)| id);
    let entity = entity.filter(|_| !is_guard);
    let sides = [key::Side::Partition, key::Side::Sort];
    html! {
        @for (position, (text, side)) in change.address.iter().zip(sides).enumerate() {
            @if position > 0 { span class="sep faint" { " / " } }
            (key::text(open, entity, KeyPlace::Primary, side, text))
        }
    }
}

fn name_cause(cause: &str) -> &str {
    match cause {
        "caller" => "the row",
        cause => cause,
    }
}

/// The attributes that two states of a row differ in.
pub(crate) fn differences(before: Option<&Item>, after: Option<&Item>) -> Markup {
    let empty = Item::new();
    let (before, after) = (before.unwrap_or(&empty), after.unwrap_or(&empty));
    let mut names: Vec<&String> = before
        .iter()
        .chain(after.iter())
        .map(|(name, _)| name)
        .collect();
    names.sort();
    names.dedup();
    let changed = names
        .into_iter()
        .filter(|name| before.get(name) != after.get(name));
    html! {
        @for name in changed {
            div {
                code { (name) } " "
                @match before.get(name) {
                    Some(value) => span class="was" { (shorten_text(&show_value(value))) },
                    None => span class="faint" { "nothing" },
                }
                span class="arrow" { " → " }
                @match after.get(name) {
                    Some(value) => span { (shorten_text(&show_value(value))) },
                    None => span class="faint" { "nothing" },
                }
            }
        }
    }
}

/// What a write does, in one sentence.
pub(crate) fn summarise(changes: &[TracedChange]) -> String {
    let rows = |is: &str| {
        let found = changes
            .iter()
            .filter(|change| change.is == is && change.cause != "guard");
        found.count()
    };
    let guards = changes
        .iter()
        .filter(|change| change.cause == "guard")
        .count();
    let mut parts = Vec::new();
    for (is, word) in [
        ("created", "created"),
        ("changed", "changed"),
        ("deleted", "deleted"),
    ] {
        if rows(is) > 0 {
            parts.push(format!("{} {word}", counted(rows(is), "row")));
        }
    }
    if guards > 0 {
        parts.push(counted(guards, "guard"));
    }
    if parts.is_empty() {
        return "nothing changes".to_owned();
    }
    parts.join(", ")
}

/// A legend for readers who meet the marks for the first time.
pub(crate) fn entity_counts(open: &OpenModel, changes: &[TracedChange]) -> Markup {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for change in changes {
        match counts.iter_mut().find(|(name, _)| *name == change.entity) {
            Some((_, count)) => *count += 1,
            None => counts.push((&change.entity, 1)),
        }
    }
    html! {
        div class="row wrap" {
            @for (name, count) in counts { span class="chip" { (mark::entity(&open.hues, name)) span class="n" { (count) } } }
        }
    }
}
