//! Revisions in real time, two of which are compared. Every point is a link, so the slider works with keys and without scripts.

use super::address;
use super::history::{Choice, History};
use crate::context::OpenModel;
use crate::time::show_day;
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::Repository;

/// The width of the drawing.
const WIDTH: i64 = 560;
/// The width of a time below the line.
const LABEL: i64 = 90;
/// Points closer than this would cover each other.
const CLOSEST: i64 = 20;

/// The slider.
pub(super) fn show(
    open: &OpenModel,
    repository: &Repository,
    key: &Item,
    history: &History,
    choice: &Choice<'_>,
) -> Markup {
    let places = place(history);
    let at = |id: Option<&str>| {
        let position = history
            .revisions
            .iter()
            .position(|revision| Some(revision.id.as_str()) == id)?;
        places.get(position).copied()
    };
    let from = choice.from.map(|revision| revision.id.as_str());
    let to = choice.to.map(|revision| revision.id.as_str());
    let is_close = at(from)
        .zip(at(to))
        .is_some_and(|(from, to)| (to - from).abs() < LABEL);
    let anchor = |is_later: bool| match (is_close, is_later) {
        (false, _) => "middle",
        (true, true) => "start",
        (true, false) => "end",
    };
    html! {
        svg class="time-slider" viewBox={ "-80 0 " (WIDTH + 170) " 64" } role="group" aria-label="Revisions in time" {
            path class="wire" d={ "M0 22H" (WIDTH) } {}
            @if let (Some(from), Some(to)) = (at(from), at(to)) { path class="span" d={ "M" (from.min(to)) " 22H" (from.max(to)) } {} }
            @for (revision, x) in history.revisions.iter().zip(&places) {
                @let is_end = Some(revision.id.as_str()) == from || Some(revision.id.as_str()) == to;
                @let is_later = at(to).is_some_and(|to| *x > to) || at(from).is_none_or(|from| *x > from);
                @let target = if is_later { address(open, repository, key, from, Some(&revision.id)) } else { address(open, repository, key, Some(&revision.id), to) };
                a href=(target) aria-label={ (revision.title) ", " (revision.about) } {
                    title { (revision.title) " · " (revision.about) }
                    circle class="hit" cx=(x) cy="22" r="12" {}
                    circle class=(if is_end { "dot-full" } else { "dot-open" }) cx=(x) cy="22" r=(if is_end { 8 } else { 5 }) {}
                }
                @if is_end { text x=(x) y="54" text-anchor=(anchor(Some(revision.id.as_str()) == to)) { (revision.at.map(show_day).unwrap_or_default()) } }
            }
        }
    }
}

/// Where each revision stands, by its time, without covering the one before.
fn place(history: &History) -> Vec<i64> {
    let times: Vec<i64> = history
        .revisions
        .iter()
        .map(|revision| revision.at.map_or(0, |at| at.as_second()))
        .collect();
    let (first, last) = (
        times.iter().min().copied().unwrap_or_default(),
        times.iter().max().copied().unwrap_or_default(),
    );
    let span = (last - first).max(1);
    let mut places: Vec<i64> = times
        .iter()
        .map(|time| (time - first) * WIDTH / span)
        .collect();
    // The newest comes first: each older one keeps its distance.
    let closest = CLOSEST.min(WIDTH / i64::try_from(places.len().max(1)).unwrap_or(1));
    let mut right = WIDTH + closest;
    for place in &mut places {
        *place = (*place).min(right - closest);
        right = *place;
    }
    let least = places.last().copied().unwrap_or_default().min(0);
    places
        .iter()
        .map(|place| (place - least) * WIDTH / (WIDTH - least).max(1))
        .collect()
}
