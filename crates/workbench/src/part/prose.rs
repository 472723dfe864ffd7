//! Sentences of the checker: what stands between backticks is code.

use maud::{Markup, html};

/// A sentence with its names as code.
pub(crate) fn prose(text: &str) -> Markup {
    html! {
        @for (position, part) in text.split('`').enumerate() {
            @if position % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}
