//! Who may read the measurements.
//!
//! Where requests must be signed, so must these: they tell how much a store holds and what is asked of it. Prometheus signs
//! nothing, but knows a name and a password, which are the id of an access key and its secret.

use crate::refusal::Refusal;
use crate::shared::Shared;
use crate::signature::Claim;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{AUTHORIZATION, HeaderMap};
use hyper::http::request::Parts;

/// The scheme of a name and a password.
const BASIC: &str = "Basic ";

/// Refuses a reader who is not the owner of an access key, if requests need one.
pub(crate) fn admit(shared: &Shared, parts: &Parts) -> Result<(), Refusal> {
    if !shared.verifier.is_strict() {
        return Ok(());
    }
    match name_and_password(&parts.headers) {
        Some((id, secret)) if shared.verifier.knows(&id, &secret) => Ok(()),
        Some(_) => Err(Refusal::Anonymous),
        None if is_signed(parts) => {
            let claim = shared.verifier.check_head(Claim::find(parts)?, parts)?;
            Ok(shared.verifier.verify(&claim, parts, &[]).map(drop)?)
        }
        None => Err(Refusal::Anonymous),
    }
}

fn is_signed(parts: &Parts) -> bool {
    let query = parts.uri.query().unwrap_or_default();
    parts.headers.contains_key(AUTHORIZATION) || query.contains("X-Amz-Signature")
}

fn name_and_password(headers: &HeaderMap) -> Option<(String, String)> {
    let header = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = header.split_at_checked(BASIC.len())?;
    if !scheme.eq_ignore_ascii_case(BASIC) {
        return None;
    }
    // What cannot be read is a wrong password.
    let text = STANDARD.decode(encoded.trim()).unwrap_or_default();
    let text = String::from_utf8(text).unwrap_or_default();
    let (name, password) = text.split_once(':').unwrap_or_default();
    Some((name.to_owned(), password.to_owned()))
}
