//! The page for readers whom the server does not know yet.

use crate::part::frame;
use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

/// Asks for a token or a key. `signin.js` keeps it for this tab and sends it with every request; it never stands in an address.
pub(crate) fn page(status: StatusCode) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (frame::head("Sign in"))
            body {
                main id="main" class="signin" {
                    h1 { "This server knows its callers" }
                    @if status == StatusCode::UNAUTHORIZED {
                        p class="mute" { "Every request needs a token or a key. What you see then is what its rights allow." }
                    } @else {
                        p class="mute" { "The server refuses this caller (" (status.as_u16()) "). Wait a moment, or use another token." }
                    }
                    form id="signin" class="stack" {
                        label class="field" { span class="lab" { "Token (Authorization: Bearer)" } input class="in mono" name="token" type="password" autocomplete="off"; }
                        label class="field" { span class="lab" { "or key (X-Api-Key)" } input class="in mono" name="key" type="password" autocomplete="off"; }
                        p class="bad" id="signin-problem" role="alert" hidden {}
                        button class="btn pri" type="submit" { "Sign in" }
                    }
                    p class="faint sm" { "It is kept in this tab until the tab is closed, and never in an address." }
                }
            }
        }
    }
}
