//! Numbers of the last minute, and small drawings of them.

use super::NumberedCall;
use crate::part::requests;
use crate::rates::Second;
use crate::value::{show_count, show_units};
use maud::{Markup, html};
use std::time::Duration;

/// The seconds whose mean is shown as the number of now.
const NOW: usize = 10;
const SECONDS_OF_AN_HOUR: f64 = 3600.0;

/// The tiles above the list. `calls` are those that are kept, of which the latency is known.
pub(super) fn show(seconds: &[Second], calls: &[NumberedCall]) -> Markup {
    let list = |what: fn(&Second) -> f64| -> Vec<f64> { seconds.iter().map(what).collect() };
    let count = list(|second| second.calls);
    let read = list(|second| second.read);
    let write = list(|second| second.write);
    let slowest = list(|second| second.slowest.as_secs_f64());
    let some = if now(&list(|second| second.passed)) > 0.0 {
        " of the calls that are followed"
    } else {
        ""
    };
    let mut times: Vec<Duration> = calls.iter().map(|(_, call)| call.took).collect();
    times.sort();
    let at = |part: usize| {
        let place = times.get(times.len() * part / 100);
        show_milliseconds(place.copied().unwrap_or_default())
    };
    let price = |read: f64, write: f64| requests::dollars_of(read, write, SECONDS_OF_AN_HOUR);
    html! {
        div class="tiles" {
            div class="tile" { div class="mute" { "Calls" } b { (show_units(now(&count))) } " " span class="mute sm" { "a second" } (spark(&count)) }
            div class="tile" {
                div class="mute" { "Read units" } b { (show_units(now(&read))) } " "
                span class="mute sm" { "a second" (some) ", " (price(now(&read), 0.0)) " an hour" } (spark(&read))
            }
            div class="tile" {
                div class="mute" { "Write units" } b { (show_units(now(&write))) } " "
                span class="mute sm" { "a second" (some) ", " (price(0.0, now(&write))) " an hour" } (spark(&write))
            }
            div class="tile" {
                div class="mute" { "Latency, p99" } b { (at(99)) " ms" } " "
                span class="mute sm" { (at(50)) " ms p50, of " (show_count(times.len() as u64)) " calls" }
                (spark(&slowest))
            }
        }
    }
}

pub(super) fn show_milliseconds(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() * 1000.0)
}

/// The mean of the last seconds.
fn now(seconds: &[f64]) -> f64 {
    let last = seconds.iter().rev().take(NOW);
    let sum: f64 = last.sum();
    sum / 10.0
}

/// A small drawing of numbers over time.
fn spark(values: &[f64]) -> Markup {
    let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut line = String::new();
    for (position, value) in values.iter().enumerate() {
        let command = if position == 0 { 'M' } else { 'L' };
        let height = 28.0 - value * 26.0 / most;
        line.push_str(&format!("{command}{} {height:.1} ", position * 4));
    }
    let end = values.len().saturating_sub(1) * 4;
    html! {
        svg class="spark" viewBox={ "0 0 " (end) " 30" } preserveAspectRatio="none" height="30" aria-hidden="true" {
            path class="area" d={ (line) "L" (end) " 30 L0 30 Z" } {}
            path class="edge" d=(line) {}
        }
    }
}
