//! Numbers of the last minute, and small drawings of them.

use super::NumberedCall;
use crate::activity::CallRecord;
use crate::part::requests;
use crate::value::{show_count, show_units};
use jiff::Timestamp;
use maud::{Markup, html};
use std::time::Duration;

/// The seconds that the drawings cover.
const SECONDS: usize = 60;
/// The seconds whose mean is shown as the number of now.
const NOW: usize = 10;
const SECONDS_OF_AN_HOUR: f64 = 3600.0;

/// The tiles above the list.
pub(super) fn show(calls: &[NumberedCall]) -> Markup {
    let count = per_second(calls, |sum, _| sum + 1.0);
    let read = per_second(calls, |sum, call| sum + call.read);
    let write = per_second(calls, |sum, call| sum + call.write);
    let slowest = per_second(calls, |most, call| most.max(call.took.as_secs_f64()));
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
                span class="mute sm" { "a second, " (price(now(&read), 0.0)) " an hour" } (spark(&read))
            }
            div class="tile" {
                div class="mute" { "Write units" } b { (show_units(now(&write))) } " "
                span class="mute sm" { "a second, " (price(0.0, now(&write))) " an hour" } (spark(&write))
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

/// A number for each of the last seconds, the oldest first.
fn per_second(calls: &[NumberedCall], add: impl Fn(f64, &CallRecord) -> f64) -> Vec<f64> {
    let now = Timestamp::now().as_second();
    let mut seconds = vec![0.0; SECONDS];
    for (_, call) in calls {
        let age = usize::try_from(now - call.at.as_second()).unwrap_or(usize::MAX);
        let position = SECONDS.checked_sub(age.saturating_add(1));
        if let Some(second) = position.and_then(|position| seconds.get_mut(position)) {
            *second = add(*second, call);
        }
    }
    seconds
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
