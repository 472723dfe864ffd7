//! The log as a graph: revisions that were rolled back stand beside the line.

use super::address;
use super::history::{Choice, History, Revision};
use crate::context::OpenModel;
use maud::{Markup, html};
use monotable_item::Item;
use monotable_model::model::Repository;

/// The list of revisions with the line that joins them.
pub(super) fn show(
    open: &OpenModel,
    repository: &Repository,
    key: &Item,
    history: &History,
    choice: &Choice<'_>,
) -> Markup {
    let last = history.revisions.len().saturating_sub(1);
    html! {
        @for (position, revision) in history.revisions.iter().enumerate() {
            @let is_to = choice.to.is_some_and(|to| to.id == revision.id);
            @let is_head = history.head.as_deref() == Some(revision.id.as_str());
            a class="rev" href=(address(open, repository, key, revision.parent.as_deref(), Some(&revision.id))) aria-current=[is_to.then_some("true")]
                data-words={ (revision.title) " " (revision.about) } {
                (rail(revision, is_head, position == 0, position == last))
                span {
                    span class={ "row" @if !revision.is_on_line { " faint" } } { span class="cut" { (revision.title) } @if is_head { span class="badge" { "head" } } @if !revision.is_on_line { span class="badge" { "not in the head" } } }
                    p { (revision.about) }
                }
            }
        }
    }
}

/// The piece of the drawing beside a revision.
fn rail(revision: &Revision, is_head: bool, is_first: bool, is_last: bool) -> Markup {
    let x = if revision.is_on_line { 10 } else { 22 };
    let (top, bottom) = (if is_first { 26 } else { 0 }, if is_last { 26 } else { 52 });
    html! {
        svg class="rail" width="34" height="52" viewBox="0 0 34 52" aria-hidden="true" {
            path class="wire" d={ "M10 " (top) "V" (bottom) } {}
            @if !revision.is_on_line { path class="wire" d="M22 26 C 22 44, 10 38, 10 52" {} }
            circle class=(if is_head { "dot-full" } else { "dot-open" }) cx=(x) cy="26" r="4.5" {}
        }
    }
}
