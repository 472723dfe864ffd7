//! What Amazon's service says about signatures it does not accept.

use super::date::AmzDate;
use monotable_api::Error;
use std::fmt;
use std::time::Duration;

pub(super) fn missing() -> Error {
    Error::MissingAuthenticationTokenException {
        message: "Request is missing Authentication Token".to_owned(),
    }
}

pub(super) fn unknown_key() -> Error {
    Error::UnrecognizedClientException {
        message: "The security token included in the request is invalid.".to_owned(),
    }
}

/// Amazon adds the canonical form that it expected; that would show what a foreign request was signed
/// with to whoever replays it, and helps nobody here.
pub(super) fn mismatch() -> Error {
    invalid(
        "The request signature we calculated does not match the signature you provided. Check your AWS \
         Secret Access Key and signing method. Consult the service documentation for details.",
    )
}

pub(super) fn both() -> Error {
    invalid(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
    )
}

pub(super) fn must_be_signed(header: &str) -> Error {
    invalid(format_args!(
        "'{header}' must be a 'SignedHeader' in the AWS Authorization."
    ))
}

pub(super) fn expired(date: AmzDate, now: AmzDate, lifetime: Duration) -> Error {
    let earliest = now.minus(lifetime);
    invalid(format_args!(
        "Signature expired: {date} is now earlier than {earliest} ({now} - {})",
        InWords(lifetime)
    ))
}

pub(super) fn not_yet(date: AmzDate, now: AmzDate, window: Duration) -> Error {
    let latest = now.plus(window);
    invalid(format_args!(
        "Signature not yet current: {date} is still later than {latest} ({now} + {})",
        InWords(window)
    ))
}

pub(super) fn bad_date(text: &str) -> Error {
    incomplete(format_args!(
        "Date must be in ISO-8601 'basic format'. Got '{text}'. See \
         http://en.wikipedia.org/wiki/ISO_8601"
    ))
}

pub(super) fn bad_expires() -> Error {
    incomplete(
        "X-Amz-Expires must be a number of seconds between 1 and 604800. Re-examine the query-string \
         parameters.",
    )
}

pub(super) fn algorithm(name: &str) -> Error {
    incomplete(format_args!(
        "Unsupported AWS 'algorithm': '{name}' (only AWS4-HMAC-SHA256 for now). "
    ))
}

pub(super) fn credential(text: &str) -> Error {
    incomplete(format_args!(
        "Credential must have exactly 5 slash-delimited elements, e.g. \
         keyid/date/region/service/term, got '{text}'"
    ))
}

pub(super) fn incomplete(message: impl fmt::Display) -> Error {
    Error::IncompleteSignatureException {
        message: message.to_string(),
    }
}

pub(super) fn invalid(message: impl fmt::Display) -> Error {
    Error::InvalidSignatureException {
        message: message.to_string(),
    }
}

/// `15 min.`, or seconds when it is not whole minutes.
struct InWords(Duration);

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        if seconds.is_multiple_of(60) {
            write!(f, "{} min.", seconds / 60)
        } else {
            write!(f, "{seconds} sec.")
        }
    }
}
