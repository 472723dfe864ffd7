//! Answers, with the headers that keep scripts of others out of the page.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use maud::Markup;
use monotable_rest::{Body, Response};

/// Only files of this server are loaded, and no markup of the page is a script or a style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");
const HTML: &str = "text/html; charset=utf-8";

fn with_headers(status: StatusCode, content_type: &'static str, body: Bytes) -> Response {
    let mut headers = HeaderMap::new();
    let fixed = [
        (CONTENT_TYPE, content_type),
        // What is shown is somebody's data: nobody on the way keeps it.
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Addresses hold keys of rows.
        (REFERRER_POLICY, "no-referrer"),
        (PERMISSIONS, "clipboard-read=()"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Response {
        status,
        headers,
        body: Body::Whole(body),
    }
}

/// A page, or a part of one.
pub(crate) fn html(status: StatusCode, markup: Markup) -> Response {
    with_headers(status, HTML, markup.into_string().into_bytes().into())
}

/// JSON for the page's own modules.
pub(crate) fn json(value: &serde_json::Value) -> Response {
    let body = value.to_string().into_bytes().into();
    with_headers(StatusCode::OK, "application/json", body)
}

/// What asks for live events, and what they are.
pub(crate) const EVENT_STREAM: &str = "text/event-stream";

/// Live events, as they come.
pub(crate) fn events(events: BoxStream<'static, Bytes>) -> Response {
    let response = with_headers(StatusCode::OK, EVENT_STREAM, Bytes::new());
    Response {
        body: Body::Events(events),
        ..response
    }
}

/// A picture that the server draws anew for every request.
pub(crate) fn picture(text: String) -> Response {
    with_headers(StatusCode::OK, "image/svg+xml", text.into_bytes().into())
}

/// A file that never changes under its address.
pub(crate) fn file(content_type: &'static str, text: &'static str) -> Response {
    let mut response = with_headers(
        StatusCode::OK,
        content_type,
        Bytes::from_static(text.as_bytes()),
    );
    response.headers.insert(
        CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    response
}

/// Leads elsewhere.
pub(crate) fn redirect(to: &str) -> Response {
    let mut response = with_headers(StatusCode::SEE_OTHER, HTML, Bytes::new());
    if let Ok(value) = HeaderValue::from_str(to) {
        response.headers.insert(LOCATION, value);
    }
    response
}
