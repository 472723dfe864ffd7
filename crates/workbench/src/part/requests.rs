//! What was sent, and what it costs: on the right of every screen that reads or writes.

use crate::part::icon::icon;
use crate::part::{json, sentence};
use crate::value::{counted, show_units};
use maud::{Markup, html};
use monotable_store::{Explained, Units};
use std::time::Duration;

/// On-demand prices of us-east-1, in dollars for a million units.
const READ_PRICE: f64 = 0.125;
const WRITE_PRICE: f64 = 0.625;

/// The requests of a call, by rounds, with their units and their price.
pub(crate) fn panel(requests: &[Explained]) -> Markup {
    panel_called("Requests", requests)
}

/// The requests of a write, which stand above those of what is shown.
pub(crate) fn panel_of_write(requests: &[Explained]) -> Markup {
    panel_called("Requests of this write", requests)
}

fn panel_called(label: &str, requests: &[Explained]) -> Markup {
    let rounds = requests
        .iter()
        .map(|request| request.round)
        .max()
        .unwrap_or_default();
    html! {
        section class="sec" aria-label=(label) {
            h2 { "Requests" span class="grow mute" { (counted(requests.len(), "request")) " in " (counted(rounds, "round")) } }
            (cost(requests))
            @for round in 1..=rounds {
                div class="round" {
                    "Round " (round) @if round > 1 { ", uses what was read before" }
                }
                @for request in requests.iter().filter(|request| request.round == round) { (one(request, round == 1)) }
            }
        }
    }
}

fn one(request: &Explained, is_open: bool) -> Markup {
    let tables: Vec<&str> = request
        .units
        .iter()
        .map(|units| units.of.as_str())
        .collect();
    let read: f64 = request.units.iter().map(|units| units.read).sum();
    let write: f64 = request.units.iter().map(|units| units.write).sum();
    html! {
        details class="req" open[is_open] {
            summary {
                (icon("right")) b { (request.operation.as_str()) }
                span class="mute cut" { (name_places(&tables)) }
                span class="r" { (name_units(read, write)) }
            }
            @let lines = sentence::write(&request.body);
            @if !lines.is_empty() { div class="human mono" { @for line in &lines { div { (line) } } } }
            pre class="js" tabindex="0" { (json::coloured(&json::spread(&request.body))) }
        }
    }
}

fn name_places(tables: &[&str]) -> String {
    match tables {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, rest @ ..] => {
            let table = first.split('/').next().unwrap_or(first);
            format!("{table} and {}", counted(rest.len(), "other place"))
        }
    }
}

fn name_units(read: f64, write: f64) -> String {
    match (read > 0.0, write > 0.0) {
        (true, true) => format!("{} read, {} write", show_units(read), show_units(write)),
        (false, true) => format!("{} write", show_units(write)),
        _ => format!("{} read", show_units(read)),
    }
}

fn cost(requests: &[Explained]) -> Markup {
    let (read, write) = total(requests);
    html! {
        div class="cost" {
            div { b { (show_units(read)) } span { "read units" } }
            div { b { (show_units(write)) } span { "write units" } }
            div { b { (dollars(read, write)) } span { "per million calls" } }
        }
        @let others = list_places(requests);
        @if others.len() > 1 {
            p class="faint sm places" {
                @for (position, (of, read, write)) in others.iter().enumerate() {
                    @if position > 0 { " · " } (of) " " (name_units(*read, *write))
                }
            }
        }
    }
}

fn list_places(requests: &[Explained]) -> Vec<(String, f64, f64)> {
    let mut places: Vec<(String, f64, f64)> = Vec::new();
    let units = requests.iter().flat_map(|request| &request.units);
    for Units { of, read, write } in units {
        match places.iter_mut().find(|(known, _, _)| known == of) {
            Some(place) => {
                place.1 += read;
                place.2 += write;
            }
            None => places.push((of.clone(), *read, *write)),
        }
    }
    places
}

/// All units of some requests.
pub(crate) fn total(requests: &[Explained]) -> (f64, f64) {
    let units = requests.iter().flat_map(|request| &request.units);
    units.fold((0.0, 0.0), |(read, write), units| {
        (read + units.read, write + units.write)
    })
}

/// What a million such calls cost.
pub(crate) fn dollars(read: f64, write: f64) -> String {
    format!("${:.2}", read * READ_PRICE + write * WRITE_PRICE)
}

/// `1,204 read units`, with the write units if there are any.
pub(crate) fn say_units(read: f64, write: f64) -> String {
    let word = |units: f64, what: &str| {
        let plural = if (units - 1.0).abs() < f64::EPSILON {
            ""
        } else {
            "s"
        };
        format!("{} {what} unit{plural}", show_units(units))
    };
    if write > 0.0 {
        format!("{}, {}", word(read, "read"), word(write, "write"))
    } else {
        word(read, "read")
    }
}

/// What units cost, to the digit that shows something.
pub(crate) fn dollars_exactly(read: f64, write: f64) -> String {
    let dollars = (read * READ_PRICE + write * WRITE_PRICE) / 1_000_000.0;
    if dollars >= 0.01 || dollars <= 0.0 {
        format!("${dollars:.2}")
    } else {
        format!("${dollars:.7}").trim_end_matches('0').to_owned()
    }
}

/// What so many such calls cost.
pub(crate) fn dollars_of(read: f64, write: f64, calls: f64) -> String {
    format!(
        "${:.2}",
        (read * READ_PRICE + write * WRITE_PRICE) * calls / 1_000_000.0
    )
}

/// The requests of a call in one line.
pub(crate) fn summary(requests: &[Explained]) -> String {
    let (read, write) = total(requests);
    format!(
        "{}, {} read and {} write units",
        counted(requests.len(), "request"),
        show_units(read),
        show_units(write)
    )
}

/// A time that something took.
pub(crate) fn show_took(took: Duration) -> String {
    format!("{:.1} ms", took.as_secs_f64() * 1000.0)
}
