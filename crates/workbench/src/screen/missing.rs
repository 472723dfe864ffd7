//! What is shown where there is nothing.

use crate::context::Context;
use crate::part::frame::{self, Tab};
use crate::part::note;
use crate::reply;
use http::StatusCode;
use maud::html;
use monotable_rest::{Body, Response};

/// An address that leads nowhere.
pub(crate) fn show(context: &Context<'_>, title: &str) -> Response {
    let actions = html! { a class="btn" href="/ui/" { "Home" } };
    let body = note::blank(
        title,
        "The address may be of another server, or the model has changed.",
        &actions,
    );
    reply::html(
        StatusCode::NOT_FOUND,
        frame::markup(context, Tab::Home, title, &body),
    )
}

/// A caller whom the server refuses, with the reason.
pub(crate) fn show_refusal(context: &Context<'_>, refused: Response) -> Response {
    let detail = match &refused.body {
        Body::Whole(bytes) => serde_json::from_slice::<serde_json::Value>(bytes).ok(),
        Body::Lines(_) | Body::Events(_) => None,
    };
    let detail = detail
        .as_ref()
        .and_then(|body| body.get("detail")?.as_str());
    let body = html! {
        div class="pad" {
            div class="note err" role="alert" { b { "The server refuses this caller." } p { (detail.unwrap_or("It does not say why.")) } }
        }
    };
    reply::html(
        refused.status,
        frame::markup(context, Tab::Home, "Refused", &body),
    )
}
