//! The same call for other tools: to paste into a terminal or a program.

use crate::part::icon::icon;
use maud::{Markup, html};

/// A call in the words of a tool.
pub(crate) struct Wording {
    pub(crate) tool: &'static str,
    pub(crate) text: String,
}

/// The wordings of a call, one at a time.
pub(crate) fn panel(wordings: &[Wording]) -> Markup {
    html! {
        section class="sec copy-as" aria-label="Copy as" {
            h2 { "Copy as" }
            div class="choices" data-choices="copy-as" {
                div class="seg" role="group" aria-label="Tool" {
                    @for (position, wording) in wordings.iter().enumerate() {
                        button type="button" aria-pressed=(position == 0) data-choice=(wording.tool) { (wording.tool) }
                    }
                }
                @for (position, wording) in wordings.iter().enumerate() {
                    div class="code" data-chosen=(wording.tool) hidden[position != 0] {
                        pre { (wording.text) }
                        button type="button" class="icon copy" data-copy=(wording.text) aria-label={ "Copy for " (wording.tool) } { (icon("copy")) }
                    }
                }
            }
        }
    }
}
