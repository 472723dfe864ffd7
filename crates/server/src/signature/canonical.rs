//! The one way of writing a request down.

use super::claim::{ALGORITHM, Claim, parameters};
use super::date::AmzDate;
use super::key::hex;
use super::scope::Scope;
use super::wording;
use hyper::header::HeaderMap;
use hyper::http::request::Parts;
use monotable_api::Error;
use sha2::{Digest, Sha256};

/// What is signed.
pub(super) fn string_to_sign(
    parts: &Parts,
    body: &[u8],
    claim: &Claim<'_>,
    date: AmzDate,
    scope: &Scope<'_>,
) -> Result<String, Error> {
    let request = request(parts, body, claim)?;
    let hash = sha256(request.as_bytes());
    Ok(format!("{ALGORITHM}\n{date}\n{scope}\n{hash}"))
}

/// The hash of the body is always our own. A client that says another one in `x-amz-content-sha256`, or
/// that it did not sign the body, has signed something else.
fn request(parts: &Parts, body: &[u8], claim: &Claim<'_>) -> Result<String, Error> {
    let method = parts.method.as_str();
    let query = query(parts.uri.query().unwrap_or_default());
    let signed = claim.signed_headers.to_ascii_lowercase();
    let headers = headers(&parts.headers, &signed)?;
    let hash = sha256(body);
    let path = path(parts.uri.path());
    Ok(format!(
        "{method}\n{path}\n{query}\n{headers}\n{signed}\n{hash}"
    ))
}

/// The path as it was sent, with each of its parts encoded once more.
fn path(path: &str) -> String {
    if matches!(path, "" | "/") {
        return "/".to_owned();
    }
    let parts: Vec<String> = path.split('/').map(percent_encoded).collect();
    parts.join("/")
}

/// The parameters in the order of their encoded names and values, without the signature itself.
fn query(query: &str) -> String {
    let mut encoded: Vec<(String, String)> = parameters(query)
        .filter(|(name, _)| name != "X-Amz-Signature")
        .map(|(name, value)| (percent_encoded(&name), percent_encoded(&value)))
        .collect();
    encoded.sort();
    let pairs: Vec<String> = encoded
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.join("&")
}

/// A line for each signed header. One that is named and absent cannot have been signed.
fn headers(headers: &HeaderMap, signed: &str) -> Result<String, Error> {
    let mut lines = String::new();
    for name in signed.split(';') {
        let mut values = headers.get_all(name).iter().peekable();
        if values.peek().is_none() {
            return Err(wording::mismatch());
        }
        lines += name;
        let mut before = ':';
        for value in values {
            lines.push(before);
            push_trimmed(&mut lines, &String::from_utf8_lossy(value.as_bytes()));
            before = ',';
        }
        lines.push('\n');
    }
    Ok(lines)
}

/// Without spaces at the ends, and with one where there are several.
fn push_trimmed(line: &mut String, value: &str) {
    for (index, word) in value.split_ascii_whitespace().enumerate() {
        if index > 0 {
            line.push(' ');
        }
        line.push_str(word);
    }
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    #[test]
    fn headers_are_joined_and_trimmed() {
        let mut given = HeaderMap::new();
        given.append("x-amz-b", HeaderValue::from_static("  one   two "));
        given.append("x-amz-b", HeaderValue::from_static("three"));
        given.append("x-amz-a", HeaderValue::from_static(""));
        given.append("unsigned", HeaderValue::from_static("x"));
        let lines = headers(&given, "x-amz-a;x-amz-b").unwrap();
        assert_eq!(lines, "x-amz-a:\nx-amz-b:one two,three\n");
        assert!(headers(&given, "x-amz-a;x-amz-c").is_err());
    }

    #[test]
    fn paths_are_encoded_once_more() {
        assert_eq!(path(""), "/");
        assert_eq!(path("/"), "/");
        assert_eq!(path("/v1/a%20b/c~d"), "/v1/a%2520b/c~d");
    }

    #[test]
    fn parameters_are_encoded_once_and_sorted() {
        let written = query("b=2&X-Amz-Signature=gone&a=%2f&a=%20&c&d=x+y&e=%zz");
        assert_eq!(written, "a=%20&a=%2F&b=2&c=&d=x%2By&e=%25zz");
    }
}
