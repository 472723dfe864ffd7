//! Percent signs of addresses.

use crate::problem::Problem;

/// What a percent sign leaves as it is when a text becomes a segment of a path or a value of a query.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// A text as a segment of a path, or as a name or value of a query.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_unreserved(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// The text of a segment of a path.
pub(crate) fn decode(text: &str) -> Result<String, Problem> {
    let wrong = || {
        Problem::bad_request(format!(
            "`{text}` is not the UTF-8 of a text with percent signs such as %2F"
        ))
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
            return Err(wrong());
        };
        bytes.push(u8::try_from(high * 16 + low).map_err(|_| wrong())?);
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        for text in ["", "a/b?c#d", "100 %", "ä\u{1f600}", "..", "+", "\0\n"] {
            assert_eq!(decode(&encode(text)).ok().as_deref(), Some(text));
        }
        for text in ["%", "%2", "%zz", "%FF"] {
            assert!(decode(text).is_err(), "{text}");
        }
    }
}
