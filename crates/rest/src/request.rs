//! A request, as the server has parsed it.

use crate::problem::Problem;
use bytes::Bytes;
use http::Method;
use http::header::{AsHeaderName, HeaderMap};
use std::net::IpAddr;

/// A request to the API, read to its end.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is asked for.
    pub method: Method,
    /// The path as it was sent, with its percent signs.
    pub path: String,
    /// What stands behind the question mark, as it was sent.
    pub query: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Where the connection comes from.
    pub client: IpAddr,
}

impl Request {
    /// The only header of a name. Two of them are refused: whoever reads the first and whoever reads the last would
    /// understand different requests.
    pub(crate) fn header(
        &self,
        name: impl AsHeaderName + Clone + std::fmt::Display,
    ) -> Result<Option<&str>, Problem> {
        let mut values = self.headers.get_all(name.clone()).iter();
        let (first, second) = (values.next(), values.next());
        if second.is_some() {
            return Err(Problem::bad_request(format!(
                "the header `{name}` is there more than once; send it once"
            )));
        }
        let Some(value) = first else {
            return Ok(None);
        };
        match value.to_str() {
            Ok(text) => Ok(Some(text.trim())),
            Err(_) => Err(Problem::bad_request(format!(
                "the header `{name}` has other characters than those of ASCII that can be seen"
            ))),
        }
    }

    /// The media type of the body, in lower case and without its parameters.
    pub(crate) fn content_type(&self) -> Result<Option<String>, Problem> {
        let value = self.header(http::header::CONTENT_TYPE)?;
        Ok(value.map(|value| {
            let essence = value.split(';').next().unwrap_or_default();
            essence.trim().to_ascii_lowercase()
        }))
    }

    /// Whether the client asks for this media type by its name. A star is not a wish for something special.
    pub(crate) fn accepts(&self, media_type: &str) -> bool {
        let values = self.headers.get_all(http::header::ACCEPT).iter();
        let mut ranges = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|range| range.split(';').next().unwrap_or_default().trim());
        ranges.any(|range| range.eq_ignore_ascii_case(media_type))
    }

    /// The body as text, unless there are so many elements in it that reading them would take far more memory than the text.
    pub(crate) fn text(&self) -> Result<&str, Problem> {
        let text = std::str::from_utf8(&self.body)
            .map_err(|error| Problem::bad_request(format!("the body is not UTF-8: {error}")))?;
        if count_elements(text) > MOST_ELEMENTS {
            return Err(Problem::bad_request(format!(
                "the body has more than {MOST_ELEMENTS} values; send less at once"
            )));
        }
        Ok(text)
    }
}

/// Most values in a body, those in lists and objects included. As JSON a value may have two bytes; as a value of an attribute it takes
/// dozens.
const MOST_ELEMENTS: usize = 100_000;

/// How many values a text has at most, if it is JSON: one, and one more for each comma, and for each list and object.
fn count_elements(text: &str) -> usize {
    let (mut elements, mut is_in_text, mut is_escaped) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_text => is_escaped = true,
            b'"' => is_in_text = !is_in_text,
            b',' | b'[' | b'{' if !is_in_text => elements += 1,
            _ => {}
        }
    }
    elements
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_counted_outside_of_texts() {
        assert_eq!(count_elements("0"), 1);
        assert_eq!(count_elements(r#"{"a,b[{": "c\\\",[", "d": [1, 2]}"#), 5);
    }

    #[test]
    fn a_body_of_very_many_values_is_refused() {
        let request = |body: String| Request {
            method: Method::POST,
            path: String::new(),
            query: String::new(),
            headers: HeaderMap::new(),
            body: body.into(),
            client: IpAddr::from([127, 0, 0, 1]),
        };
        let list = |length| request(format!("[{}0]", "0,".repeat(length)));
        assert!(list(MOST_ELEMENTS - 3).text().is_ok());
        assert!(list(MOST_ELEMENTS).text().is_err());
        let text = request(format!("[\"{}\"]", ",".repeat(2 * MOST_ELEMENTS)));
        assert!(text.text().is_ok());
    }
}
