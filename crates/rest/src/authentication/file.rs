//! The file that says who can prove who it is.

use super::api_key::{ApiKey, KeyHolder};
use super::claims::ModelClaims;
use crate::rate_limit::RateLimit;
use jsonwebtoken::Algorithm;
use monotable_item::Item;
use monotable_store::wire;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How long keys of an issuer are kept, if the file does not say.
const REFRESH_SECONDS: u64 = 300;
/// How far clocks may be apart, if the file does not say.
const CLOCK_SKEW_SECONDS: u64 = 30;
/// The most that they may be said to be apart.
const MOST_SKEW_SECONDS: u64 = 600;

/// The issuers, keys and limits of a file.
#[derive(Debug)]
pub struct AuthenticationFile {
    pub(super) issuers: Vec<IssuerDescription>,
    pub(super) keys: Vec<ApiKey>,
    pub(super) models: BTreeMap<String, ModelClaims>,
    pub(super) proxies: Vec<IpAddr>,
    pub(super) limit: Option<RateLimit>,
}

/// An issuer of tokens, as the file describes it.
#[derive(Clone, Debug)]
pub(crate) struct IssuerDescription {
    pub(super) issuer: String,
    pub(super) audience: Vec<String>,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) place: KeyPlace,
    pub(super) clock_skew: u64,
    pub(super) refresh: Duration,
}

/// Where the keys of an issuer are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// A JSON Web Key Set in a file.
    File(PathBuf),
    /// A JSON Web Key Set at an address.
    Url(String),
    /// A secret for HS256 in a file.
    SecretFile(PathBuf),
}

/// Why a file cannot be used.
#[derive(Debug)]
pub struct FileError(String);

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FileError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    #[serde(default)]
    issuer: Vec<IssuerText>,
    #[serde(default)]
    key: Vec<KeyText>,
    #[serde(default)]
    model: BTreeMap<String, ModelClaims>,
    #[serde(default)]
    trusted_proxies: Vec<IpAddr>,
    limits: Option<LimitsText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IssuerText {
    issuer: String,
    audience: Vec<String>,
    algorithms: Vec<String>,
    jwks_file: Option<PathBuf>,
    jwks_url: Option<String>,
    secret_file: Option<PathBuf>,
    clock_skew: Option<u64>,
    refresh: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyText {
    name: String,
    sha256: String,
    #[serde(default)]
    models: Vec<String>,
    principal: Option<toml::Table>,
    #[serde(default)]
    program: bool,
    tenant: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsText {
    requests_per_second: f64,
    burst: Option<u32>,
}

impl AuthenticationFile {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, FileError> {
        let file: FileText = toml::from_str(text).map_err(|error| FileError(error.to_string()))?;
        if file.issuer.is_empty() && file.key.is_empty() {
            return Err(FileError(
                "it has neither [[issuer]] nor [[key]], so nobody could call".to_owned(),
            ));
        }
        let issuers: Result<_, _> = file.issuer.into_iter().map(IssuerText::read).collect();
        let keys: Result<Vec<ApiKey>, _> = file.key.into_iter().map(KeyText::read).collect();
        let keys = keys?;
        refuse_same_keys(&keys)?;
        let limit = file.limits.map(LimitsText::read).transpose()?;
        Ok(Self {
            issuers: issuers?,
            keys,
            models: file.model,
            proxies: file.trusted_proxies,
            limit,
        })
    }

    /// Whether keys are fetched over the network.
    pub fn places(&self) -> impl Iterator<Item = &KeyPlace> {
        self.issuers.iter().map(|issuer| &issuer.place)
    }
}

/// A name stands for one holder in logs and limits, and a key for one name.
fn refuse_same_keys(keys: &[ApiKey]) -> Result<(), FileError> {
    for (position, key) in keys.iter().enumerate() {
        for other in keys.iter().skip(position + 1) {
            if other.name == key.name {
                return Err(FileError(format!(
                    "two keys are called {}: give each a name of its own",
                    key.name
                )));
            }
            if other.sha256 == key.sha256 {
                return Err(FileError(format!(
                    "the keys {} and {} have the same `sha256`: they would be one key with two holders",
                    key.name, other.name
                )));
            }
        }
    }
    Ok(())
}

impl IssuerText {
    fn read(self) -> Result<IssuerDescription, FileError> {
        let wrong = |what: &str| FileError(format!("the issuer {}: {what}", self.issuer));
        let algorithms: Option<Vec<_>> = self.algorithms.iter().map(|name| find(name)).collect();
        let algorithms = algorithms.filter(|list| !list.is_empty());
        let algorithms = algorithms
            .ok_or_else(|| wrong("`algorithms` are some of HS256, RS256, ES256 and EdDSA"))?;
        if self.audience.is_empty() {
            return Err(wrong(
                "`audience` names the audience that its tokens must be for",
            ));
        }
        let place = match (
            self.jwks_file.clone(),
            self.jwks_url.clone(),
            self.secret_file.clone(),
        ) {
            (Some(path), None, None) => KeyPlace::File(path),
            (None, Some(url), None) => KeyPlace::Url(url),
            (None, None, Some(path)) => KeyPlace::SecretFile(path),
            _ => {
                return Err(wrong(
                    "exactly one of `jwks_file`, `jwks_url` and `secret_file` says where its keys are",
                ));
            }
        };
        let has_secret = matches!(place, KeyPlace::SecretFile(_));
        if has_secret && algorithms != [Algorithm::HS256] {
            return Err(wrong("a secret is for HS256 and nothing else"));
        }
        let clock_skew = self.clock_skew.unwrap_or(CLOCK_SKEW_SECONDS);
        if clock_skew > MOST_SKEW_SECONDS {
            return Err(wrong("`clock_skew` is at most 600 seconds"));
        }
        Ok(IssuerDescription {
            issuer: self.issuer,
            audience: self.audience,
            algorithms,
            place,
            clock_skew,
            refresh: Duration::from_secs(self.refresh.unwrap_or(REFRESH_SECONDS)),
        })
    }
}

fn find(name: &str) -> Option<Algorithm> {
    Some(match name {
        "HS256" => Algorithm::HS256,
        "RS256" => Algorithm::RS256,
        "ES256" => Algorithm::ES256,
        "EdDSA" => Algorithm::EdDSA,
        _ => return None,
    })
}

impl KeyText {
    fn read(self) -> Result<ApiKey, FileError> {
        let wrong = |what: &str| FileError(format!("the key {}: {what}", self.name));
        let sha256 = read_hash(&self.sha256)
            .ok_or_else(|| wrong("`sha256` is the SHA-256 of the key, in 64 hexadecimal digits"))?;
        let holder = match (&self.principal, self.program) {
            (None, true) => KeyHolder::Program,
            (Some(table), false) => {
                let json =
                    serde_json::to_string(table).map_err(|error| wrong(&error.to_string()))?;
                let principal: Item =
                    wire::read_item(&json).map_err(|error| wrong(&error.to_string()))?;
                KeyHolder::Principal(principal)
            }
            _ => {
                return Err(wrong(
                    "either `principal` says whose it is, or `program = true` that it is a program's own",
                ));
            }
        };
        Ok(ApiKey {
            name: self.name,
            sha256,
            models: self.models,
            holder,
            tenant: self.tenant,
        })
    }
}

fn read_hash(text: &str) -> Option<[u8; 32]> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| u8::try_from(c.to_digit(16)?).ok())
        .collect();
    let digits = digits.filter(|digits| digits.len() == 64)?;
    let bytes: Vec<u8> = digits
        .chunks_exact(2)
        .filter_map(|pair| Some(pair.first()? * 16 + pair.last()?))
        .collect();
    bytes.try_into().ok()
}

impl LimitsText {
    fn read(self) -> Result<RateLimit, FileError> {
        let rate = self.requests_per_second;
        if !rate.is_finite() || rate <= 0.0 {
            return Err(FileError(
                "`requests_per_second` of [limits] is a number above 0".to_owned(),
            ));
        }
        let burst = self.burst.map_or_else(|| rate.max(1.0), f64::from);
        Ok(RateLimit::new(rate, burst.max(1.0)))
    }
}
