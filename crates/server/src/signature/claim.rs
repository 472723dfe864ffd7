//! The signature that a request comes with, in its header or its query.

use super::scope::Scope;
use super::{LONGEST, Pledge, wording};
use hyper::header::{AUTHORIZATION, DATE, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use monotable_api::Error;
use std::borrow::Cow;
use std::time::Duration;

pub(super) const ALGORITHM: &str = "AWS4-HMAC-SHA256";

const AMZ_DATE: HeaderName = HeaderName::from_static("x-amz-date");
const SECURITY_TOKEN: HeaderName = HeaderName::from_static("x-amz-security-token");

/// What the client says it signed, and how. Nothing of it is believed yet.
pub(crate) struct Claim<'a> {
    algorithm: Cow<'a, str>,
    pub(super) credential: Cow<'a, str>,
    /// Names separated by semicolons.
    pub(super) signed_headers: Cow<'a, str>,
    pub(super) signature: Cow<'a, str>,
    pub(super) date: Cow<'a, str>,
    /// Of a presigned address.
    expires: Option<Cow<'a, str>>,
    pub(super) token: Option<Cow<'a, str>>,
    /// What it is to be verified with; none where signatures are not.
    pub(super) pledge: Option<Pledge>,
}

impl<'a> Claim<'a> {
    /// The signature of a request. There must be one, and it must be whole.
    pub(crate) fn find(parts: &'a Parts) -> Result<Self, Error> {
        let query = parts.uri.query().unwrap_or_default();
        let presigned = parameter(query, "X-Amz-Algorithm").is_some();
        let header = parts.headers.get(AUTHORIZATION);
        let header = header.map(|value| value.to_str().unwrap_or_default());
        match header {
            Some(_) if presigned => Err(wording::both()),
            Some(header) if header.trim_start().starts_with("AWS4-") => {
                Self::of_header(header.trim(), &parts.headers)
            }
            None if presigned => Self::of_query(query),
            Some(_) | None => Err(wording::missing()),
        }
    }

    /// `AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...`
    fn of_header(header: &'a str, headers: &'a HeaderMap) -> Result<Self, Error> {
        let (algorithm, fields) = header.split_once(' ').unwrap_or((header, ""));
        let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let date = text(&AMZ_DATE).or_else(|| text(&DATE));
        let found = Fields::read(fields);
        let (Some(credential), Some(signature), Some(signed_headers), Some(date)) = (
            found.credential,
            found.signature,
            found.signed_headers,
            date,
        ) else {
            return Err(incomplete_header(header, &found, date));
        };
        Ok(Self {
            algorithm: algorithm.into(),
            credential: credential.into(),
            signed_headers: signed_headers.into(),
            signature: signature.into(),
            date: date.into(),
            expires: None,
            token: text(&SECURITY_TOKEN).map(Cow::from),
            pledge: None,
        })
    }

    fn of_query(query: &'a str) -> Result<Self, Error> {
        let find = |name: &str| parameter(query, name).filter(|value| !value.is_empty());
        let mut missing = String::new();
        let mut need = |name: &str| {
            find(name).unwrap_or_else(|| {
                missing += &format!("AWS query-string parameters must include '{name}'. ");
                Cow::default()
            })
        };
        let claim = Self {
            algorithm: need("X-Amz-Algorithm"),
            credential: need("X-Amz-Credential"),
            signature: need("X-Amz-Signature"),
            signed_headers: need("X-Amz-SignedHeaders"),
            date: need("X-Amz-Date"),
            expires: find("X-Amz-Expires"),
            token: find("X-Amz-Security-Token"),
            pledge: None,
        };
        if missing.is_empty() {
            Ok(claim)
        } else {
            missing += "Re-examine the query-string parameters.";
            Err(wording::incomplete(missing))
        }
    }

    /// The region that the request is signed for.
    pub(crate) fn region(&self) -> Result<&str, Error> {
        Scope::parse(&self.credential).map(|scope| scope.region)
    }

    /// The id of the access key that the request says it is signed with.
    pub(crate) fn key_id(&self) -> Option<&str> {
        Scope::parse(&self.credential)
            .ok()
            .map(|scope| scope.key_id)
    }

    /// How long a presigned address is good for.
    pub(super) fn lifetime(&self) -> Result<Option<Duration>, Error> {
        let Some(expires) = &self.expires else {
            return Ok(None);
        };
        let seconds = expires.parse().map_err(|_| wording::bad_expires())?;
        let lifetime = Duration::from_secs(seconds);
        if lifetime.is_zero() || lifetime > LONGEST {
            return Err(wording::bad_expires());
        }
        Ok(Some(lifetime))
    }

    pub(super) fn check_algorithm(&self) -> Result<(), Error> {
        if self.algorithm == ALGORITHM {
            Ok(())
        } else {
            Err(wording::algorithm(&self.algorithm))
        }
    }

    /// The host, and every header that means something to the service, must be signed: what is not could
    /// be changed by whoever passes the request on.
    pub(super) fn check_signed_headers(&self, headers: &HeaderMap) -> Result<(), Error> {
        if !self.signs("host") {
            return Err(wording::must_be_signed("Host"));
        }
        let unsigned = headers
            .keys()
            .map(HeaderName::as_str)
            .find(|name| matters(name) && !self.signs(name));
        match unsigned {
            None => Ok(()),
            Some(name) => Err(wording::must_be_signed(name)),
        }
    }

    fn signs(&self, name: &str) -> bool {
        let mut signed = self.signed_headers.split(';');
        signed.any(|signed| signed.eq_ignore_ascii_case(name))
    }
}

/// A coding or a length that is not signed can at worst make the request unreadable; these can change
/// what it means.
fn matters(name: &str) -> bool {
    name.starts_with("x-amz-")
}

/// The fields of the header `Authorization`.
#[derive(Default)]
struct Fields<'a> {
    credential: Option<&'a str>,
    signature: Option<&'a str>,
    signed_headers: Option<&'a str>,
}

impl<'a> Fields<'a> {
    /// One pass: every request has them.
    fn read(text: &'a str) -> Self {
        let mut fields = Self::default();
        let pairs = text.split(',').flat_map(str::split_ascii_whitespace);
        for (name, value) in pairs.filter_map(|pair| pair.split_once('=')) {
            let place = match name {
                "Credential" => &mut fields.credential,
                "Signature" => &mut fields.signature,
                "SignedHeaders" => &mut fields.signed_headers,
                _ => continue,
            };
            if !value.is_empty() {
                place.get_or_insert(value);
            }
        }
        fields
    }
}

fn incomplete_header(header: &str, found: &Fields<'_>, date: Option<&str>) -> Error {
    let mut message = String::new();
    for (name, value) in [
        ("Credential", found.credential),
        ("Signature", found.signature),
        ("SignedHeaders", found.signed_headers),
    ] {
        if value.is_none() {
            message += &format!("Authorization header requires '{name}' parameter. ");
        }
    }
    if date.is_none() {
        message +=
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
    }
    message += "Authorization=";
    message += header;
    wording::incomplete(message)
}

/// The value of a parameter of the query, with its percent signs undone.
fn parameter<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut parameters = parameters(query);
    let found = parameters.find(|(key, _)| key == name);
    found.map(|(_, value)| value)
}

pub(super) fn parameters(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (percent_decoded(name), percent_decoded(value))
    })
}

fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escaped)) = rest.split_once('%') {
        decoded.extend_from_slice(plain.as_bytes());
        let byte = escaped
            .get(..2)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        // A percent sign that begins nothing stands for itself.
        decoded.push(byte.unwrap_or(b'%'));
        let used = if byte.is_some() { 2 } else { 0 };
        rest = escaped.get(used..).unwrap_or_default();
    }
    decoded.extend_from_slice(rest.as_bytes());
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}
