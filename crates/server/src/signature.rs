//! AWS Signature Version 4, verified.
//!
//! A client and this server share a secret that never travels. The client writes the request down in a
//! canonical form (`canonical.rs`): method, path, query, the headers it names, and the hash of the body.
//! It hashes that together with the time and the scope (day, region, service), and signs the hash with a
//! key made from its secret and the scope (`key.rs`). The server does the same with the request as it
//! arrived and compares. So nothing that was signed can have changed on the way, a signature is worth
//! nothing after a quarter of an hour, and one for another service or day is worth nothing here.
//!
//! The signature travels in the header `Authorization` or in the query of a presigned address
//! (`claim.rs`). The checks come in the order of Amazon's service and fail in its words (`wording.rs`).
//!
//! Without credentials, any signature is accepted, but there must be one, and it must be whole: a program
//! that works here will not be surprised there.

mod canonical;
mod claim;
mod date;
mod key;
mod scope;
mod wording;

pub(crate) use claim::Claim;
pub(crate) use date::write_time;

use crate::credentials::{AccessKey, Credentials};
use date::AmzDate;
use hyper::http::request::Parts;
use key::KeyCache;
use monotable_api::Error;
use scope::Scope;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use subtle::ConstantTimeEq;

/// How far the clocks of client and server may be apart.
const WINDOW: Duration = Duration::from_secs(15 * 60);

/// The longest time that a presigned address is good for.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Verifies signatures, or, without credentials, only looks whether there is one.
pub(crate) struct Verifier {
    known: Option<RwLock<Arc<Known>>>,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

/// The access keys, and what was made of their secrets. Both are replaced together: a request that is being verified
/// meanwhile must not leave behind what it made of a secret that is no longer one.
struct Known {
    credentials: Credentials,
    keys: KeyCache,
}

/// What the signature of a request is to be verified with, once its body is there.
struct Pledge {
    key: Arc<AccessKey>,
    known: Arc<Known>,
    date: AmzDate,
}

impl Known {
    fn new(credentials: Credentials) -> Arc<Self> {
        Arc::new(Self {
            credentials,
            keys: KeyCache::new(),
        })
    }
}

impl Verifier {
    pub(crate) fn new(
        credentials: Option<Credentials>,
        clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
    ) -> Self {
        Self {
            known: credentials.map(|credentials| RwLock::new(Known::new(credentials))),
            clock,
        }
    }

    /// Whether signatures are verified.
    pub(crate) const fn is_strict(&self) -> bool {
        self.known.is_some()
    }

    /// The time that signatures are judged by.
    pub(crate) fn now(&self) -> SystemTime {
        (self.clock)()
    }

    /// Takes other access keys from now on. A server that began without any stays without.
    pub(crate) fn replace(&self, credentials: Credentials) {
        if let Some(known) = &self.known {
            *known.write().unwrap_or_else(PoisonError::into_inner) = Known::new(credentials);
        }
    }

    /// Whether this is the secret of a key that needs no session token.
    pub(crate) fn knows(&self, id: &str, secret: &str) -> bool {
        let known = self.known.as_ref().map(|known| {
            let known = known.read().unwrap_or_else(PoisonError::into_inner);
            known.credentials.find(id).cloned()
        });
        known.flatten().is_some_and(|key| {
            let is_right = is_same(key.secret.expose().as_bytes(), secret.as_bytes());
            is_right && key.session_token.is_none()
        })
    }

    /// Whether the id of a key may be written down: a program that mistakes one for the other sends its secret in the
    /// place of the id. Without credentials there are no secrets.
    pub(crate) fn may_tell(&self, id: &str) -> bool {
        self.known.as_ref().is_none_or(|known| {
            let known = known.read().unwrap_or_else(PoisonError::into_inner);
            known.credentials.find(id).is_some()
        })
    }

    /// Checks all of a signature that the head of a request tells: that its time and scope are right and its key is
    /// known, if signatures are verified. The body needs no memory before.
    pub(crate) fn check_head<'a>(
        &self,
        mut claim: Claim<'a>,
        parts: &Parts,
    ) -> Result<Claim<'a>, Error> {
        if let Some(known) = &self.known {
            let known = Arc::clone(&known.read().unwrap_or_else(PoisonError::into_inner));
            claim.pledge = Some(self.check_claim(known, &claim, parts)?);
        }
        Ok(claim)
    }

    fn check_claim(
        &self,
        known: Arc<Known>,
        claim: &Claim<'_>,
        parts: &Parts,
    ) -> Result<Pledge, Error> {
        let date = AmzDate::parse(&claim.date)?;
        self.check_time(claim, date)?;
        claim.check_signed_headers(&parts.headers)?;
        claim.check_algorithm()?;
        let scope = Scope::parse(&claim.credential)?;
        scope.check(date)?;
        let key = known
            .credentials
            .find(scope.key_id)
            .ok_or_else(wording::unknown_key)?;
        check_token(key, claim.token.as_deref())?;
        Ok(Pledge {
            key: Arc::clone(key),
            known,
            date,
        })
    }

    /// Verifies a signature whose head was checked, with the body as it was sent. Gives back the key that it was made with, if
    /// signatures are verified.
    pub(crate) fn verify(
        &self,
        claim: &Claim<'_>,
        parts: &Parts,
        body: &[u8],
    ) -> Result<Option<Arc<AccessKey>>, Error> {
        let Some(Pledge { key, known, date }) = &claim.pledge else {
            return Ok(None);
        };
        let scope = Scope::parse(&claim.credential)?;
        let text = canonical::string_to_sign(parts, body, claim, *date, &scope)?;
        let signature = known.keys.sign(key, &scope, &text);
        if !is_same(signature.as_bytes(), claim.signature.as_bytes()) {
            return Err(wording::mismatch());
        }
        known.keys.keep(&scope, &signature);
        Ok(Some(Arc::clone(key)))
    }

    fn check_time(&self, claim: &Claim<'_>, date: AmzDate) -> Result<(), Error> {
        let now = AmzDate::of(self.now());
        let signed = date.seconds();
        let lifetime = claim.lifetime()?.unwrap_or(WINDOW);
        if signed > now.seconds() + WINDOW.as_secs() {
            return Err(wording::not_yet(date, now, WINDOW));
        }
        if signed + lifetime.as_secs() < now.seconds() {
            return Err(wording::expired(date, now, lifetime));
        }
        Ok(())
    }
}

/// A temporary key is only good with its token, and others have none.
fn check_token(key: &AccessKey, token: Option<&str>) -> Result<(), Error> {
    let fits = match (&key.session_token, token) {
        (None, None) => true,
        (Some(expected), Some(given)) => is_same(expected.expose().as_bytes(), given.as_bytes()),
        (None, Some(_)) | (Some(_), None) => false,
    };
    if fits {
        Ok(())
    } else {
        Err(wording::unknown_key())
    }
}

/// How long it takes says nothing about where they differ.
fn is_same(expected: &[u8], given: &[u8]) -> bool {
    expected.ct_eq(given).into()
}
