//! Answers of something that is not a DynamoDB: a web server on the same port, a login page, a proxy.

use http::HeaderMap;
use http::header::{CONTENT_TYPE, HeaderName, LOCATION, SERVER};
use std::fmt;

/// Every DynamoDB says by which name its logs know the request.
const REQUEST_ID: &str = "x-amzn-requestid";
/// How the media type of every answer of DynamoDB begins.
const MEDIA_TYPE: &str = "application/x-amz-json";
/// How much of a text is shown, in characters.
const SHOWN: usize = 60;

/// What the head of an answer tells about who gave it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sender {
    has_request_id: bool,
    media_type: Option<String>,
    server: Option<String>,
    location: Option<String>,
}

impl Sender {
    pub(crate) fn new(headers: &HeaderMap) -> Self {
        Self {
            has_request_id: headers.contains_key(REQUEST_ID),
            media_type: read_header(headers, CONTENT_TYPE),
            server: read_header(headers, SERVER),
            location: read_header(headers, LOCATION),
        }
    }

    /// Whether the head is one of DynamoDB's. Servers that imitate it leave out one of these or the other.
    pub(crate) fn is_dynamodb(&self) -> bool {
        let is_of_dynamodb = |media_type: &String| media_type.starts_with(MEDIA_TYPE);
        self.has_request_id || self.media_type.as_ref().is_some_and(is_of_dynamodb)
    }
}

/// What somebody else answered, in words.
#[derive(Debug)]
pub(crate) struct ForeignAnswer<'a> {
    pub(crate) status: u16,
    pub(crate) sender: &'a Sender,
    pub(crate) body: &'a [u8],
}

impl fmt::Display for ForeignAnswer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sender {
            media_type,
            server,
            location,
            ..
        } = self.sender;
        write!(f, "HTTP status {}", self.status)?;
        if let Some(location) = location {
            write!(f, ", which leads to {location},")?;
        }
        let text = show(&String::from_utf8_lossy(self.body));
        match (media_type, text.is_empty()) {
            (_, true) => f.write_str(" and an empty body")?,
            (Some(media_type), false) => write!(f, " and {media_type} that begins with `{text}`")?,
            (None, false) => write!(f, " and a body that begins with `{text}`")?,
        }
        match server {
            Some(server) => write!(f, " (its server is {server})"),
            None => Ok(()),
        }
    }
}

fn read_header(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let text = show(headers.get(name)?.to_str().ok()?);
    (!text.is_empty()).then_some(text)
}

/// The beginning of a text on one line, without anything that a terminal would obey.
fn show(text: &str) -> String {
    // A page can have megabytes.
    let beginning: String = text
        .chars()
        .take(8 * SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let line = beginning.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn describe(status: u16, headers: &[(&'static str, &str)], body: &[u8]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let sender = &Sender::new(&map);
        let answer = ForeignAnswer {
            status,
            sender,
            body,
        };
        answer.to_string()
    }

    #[test]
    fn an_answer_is_told_in_one_line_that_no_terminal_obeys() {
        let page = b"<html>\n  <title>\x1b[31mHello</title>";
        assert_eq!(
            describe(
                200,
                &[("content-type", "text/html"), ("server", "nginx/1.27")],
                page
            ),
            "HTTP status 200 and text/html that begins with `<html> <title> [31mHello</title>` (its server is nginx/1.27)"
        );
        assert_eq!(
            describe(302, &[("location", "/login")], b""),
            "HTTP status 302, which leads to /login, and an empty body"
        );
        let long = "x".repeat(1 << 20);
        assert_eq!(
            describe(404, &[], long.as_bytes()),
            format!(
                "HTTP status 404 and a body that begins with `{}…`",
                "x".repeat(60)
            )
        );
    }
}
