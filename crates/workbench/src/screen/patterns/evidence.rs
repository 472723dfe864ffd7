//! What a pattern sends, and where it stands in the model.

use super::{Run, wording};
use crate::context::{Context, OpenModel};
use crate::part::copy_as;
use crate::part::requests;
use maud::{Markup, html};
use monotable_model::model::Access;
use monotable_model::span::position;

/// The right side of the screen.
pub(super) fn show(
    context: &Context<'_>,
    open: &OpenModel,
    access: &Access,
    run: Option<&Run>,
) -> Markup {
    html! {
        @if let Some(run) = run {
            (requests::panel(&run.trace.requests))
            (copy_as::panel(&wording::list(context, open, access, run)))
        }
        (in_the_model(open, access))
    }
}

fn in_the_model(open: &OpenModel, access: &Access) -> Markup {
    let proof = open.proof.as_ref();
    let line = proof.map(|proof| position(&proof.source.text, access.span.start).line);
    let covers: Vec<&str> = access
        .notes
        .covers
        .iter()
        .map(|name| name.value.as_str())
        .collect();
    html! {
        section class="sec" aria-label="In the model" {
            h2 { "In the model" }
            p class="mute" {
                @if let (Some(line), Some(proof)) = (line, proof) {
                    "Line " (line) " of "
                    a class="under" href={ (open.link(&["model"])) "#L" (line) } { (proof.source.file) }
                    @if !covers.is_empty() { ", covers " (covers.join(", ")) }
                    ". "
                }
                @match open.caller() {
                    None => "The program sees every row. Act as a caller to see only the rows that the model's rules allow.",
                    Some(_) => "Only the rows are shown that the model's rules allow this caller.",
                }
            }
        }
    }
}
