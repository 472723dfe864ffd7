//! A box for a text of a model: it is checked, and never saved. It is for models whose files the page cannot change.

use super::finding;
use crate::context::OpenModel;
use maud::{Markup, html};

/// Whether there is a text to begin with, and no file of it that an editor opens.
pub(super) fn is_offered(open: &OpenModel) -> bool {
    let proof = open.proof.as_ref();
    open.is_program && proof.is_some_and(|proof| proof.source.path.is_none())
}

/// The text in a box, and its findings beside it.
pub(super) fn show(open: &OpenModel) -> Markup {
    let Some(proof) = open.proof.as_ref().filter(|_| is_offered(open)) else {
        return html! { p class="pad mute" { "Texts are tried where the model is served to the program itself, and not from a file of `monotable dev`." } };
    };
    html! {
        div class="model" {
            form class="trial" id="trial" data-write-form=(open.link(&["try"])) data-dialog-form {
                input type="hidden" name="dry" value="1";
                label class="vh" for="trial-text" { "Text of the model" }
                textarea id="trial-text" class="in mono" name="model" spellcheck="false" autocomplete="off" wrap="off" { (proof.source.text) }
                div class="row foot" {
                    button class="btn pri" type="submit" { "Check" }
                    span class="mute" { "The text is checked and never saved. The store keeps running its own." }
                    span class="grow" {}
                    kbd { "Ctrl Enter" }
                }
            }
            aside class="panel" id="evidence" aria-label="Findings" {
                section class="sec" {
                    h2 { "Findings" span class="grow mute" { (proof.tally()) } }
                    (finding::draw_findings(open, &proof.source.text, proof.findings()))
                }
            }
        }
    }
}
