//! Issuers of tokens, their keys, and whether a token is theirs.
//!
//! The algorithm belongs to the key: an RSA key verifies RS256 and nothing else, whatever a token says of itself. Keys are
//! fetched again after a while, and when a token names one that is not known, but not more often than every few seconds: who
//! invents names of keys makes no traffic.

use super::file::{IssuerDescription, KeyPlace};
use super::remembered::RememberedTokens;
use super::ring_provider;
use futures_util::future::BoxFuture;
use futures_util::lock::Mutex as AsyncMutex;
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A token may have so many bytes; more is not parsed.
const LONGEST_TOKEN: usize = 16 * 1024;
/// Keys are not fetched again sooner than this, whoever asks for it.
const SOONEST: Duration = Duration::from_secs(10);
/// So many keys of an issuer are kept.
const MOST_KEYS: usize = 100;
const UNREADABLE: &str =
    "the token cannot be read: it must be a JWT that is signed with HS256, RS256, ES256 or EdDSA";
const UNKNOWN: &str = "the token is of an issuer that this server does not know";

/// What was fetched: the bytes of a key set or of a secret, or why not.
pub type FetchedKeys = Result<Vec<u8>, String>;
/// Fetches the keys of an issuer.
pub type FetchKeys = Arc<dyn Fn() -> BoxFuture<'static, FetchedKeys> + Send + Sync>;

/// An issuer of tokens.
pub(super) struct Issuer {
    description: IssuerDescription,
    fetch: FetchKeys,
    keys: Mutex<KnownKeys>,
    /// Held by whoever fetches.
    fetching: AsyncMutex<()>,
}

#[derive(Clone, Default)]
pub(super) struct KnownKeys {
    keys: Arc<Vec<IssuerKey>>,
    fetched: Option<Instant>,
}

impl KnownKeys {
    /// Whether these are the very keys that were fetched with the others.
    pub(super) fn are(&self, others: &Self) -> bool {
        Arc::ptr_eq(&self.keys, &others.keys)
    }
}

/// A key with the one algorithm that it verifies.
#[derive(Clone)]
struct IssuerKey {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

/// A token that was verified.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) claims: BTreeMap<String, Box<RawValue>>,
    /// Who is counted for its requests.
    pub(super) account: String,
}

impl std::fmt::Debug for Issuer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issuer")
            .field("issuer", &self.description.issuer)
            .finish_non_exhaustive()
    }
}

/// Verifies a token by the issuer that it names. What is said of a token that is refused tells nothing of its keys.
pub(super) async fn verify(
    issuers: &[Issuer],
    remembered: &RememberedTokens,
    token: &str,
) -> Result<Arc<Verified>, String> {
    let known = |place: usize| issuers.get(place).and_then(Issuer::fresh_keys);
    if let Some(verified) = remembered.find(token, known) {
        return Ok(verified);
    }
    let place = find_issuer(issuers, token)?;
    let issuer = issuers.get(place).ok_or(UNKNOWN)?;
    let header = decode_header(token).map_err(|_| UNREADABLE)?;
    // The header lists what must be understood before the token is believed, and nothing of that kind is understood here.
    if header.crit.is_some() {
        return Err("the header of the token has `crit`, which is not accepted here".to_owned());
    }
    let (keys, key) = issuer.find_key(header.kid.as_deref()).await?;
    if header.alg != key.algorithm {
        return Err("the token says another algorithm than that of its key".to_owned());
    }
    let verified = Arc::new(issuer.verify(token, &key)?);
    remembered.keep(token, place, keys, issuer.description.clock_skew, &verified);
    Ok(verified)
}

/// The place of the issuer that a token names. Nothing of this is believed: it only says whose keys are tried.
fn find_issuer(issuers: &[Issuer], token: &str) -> Result<usize, &'static str> {
    #[derive(Deserialize)]
    struct Named {
        iss: Option<String>,
    }
    if token.is_empty() || token.len() > LONGEST_TOKEN {
        return Err("the token is empty or too long");
    }
    let named: Named = insecure_decode_claims(token).map_err(|_| UNREADABLE)?;
    let mut known = issuers.iter();
    let place = known.position(|issuer| Some(&issuer.description.issuer) == named.iss.as_ref());
    place.ok_or(UNKNOWN)
}

impl Issuer {
    pub(super) fn new(description: IssuerDescription, fetch: FetchKeys) -> Self {
        ring_provider::install();
        Self {
            description,
            fetch,
            keys: Mutex::default(),
            fetching: AsyncMutex::new(()),
        }
    }

    /// Fetches the keys for the first time.
    pub(super) async fn prepare(&self) -> Result<(), String> {
        let fetched = self.fetch_keys(None).await;
        fetched.map_err(|why| format!("the keys of the issuer {}: {why}", self.description.issuer))
    }

    fn verify(&self, token: &str, key: &IssuerKey) -> Result<Verified, String> {
        let mut validation = Validation::new(key.algorithm);
        validation.set_issuer(&[&self.description.issuer]);
        validation.set_audience(&self.description.audience);
        validation.set_required_spec_claims(&["exp", "iss", "aud"]);
        validation.leeway = self.description.clock_skew;
        validation.validate_nbf = true;
        let verified = decode::<BTreeMap<String, Box<RawValue>>>(token, &key.key, &validation);
        let claims = verified.map_err(|error| self.explain(error.kind()))?.claims;
        let subject = claims.get("sub").or_else(|| claims.get("client_id"));
        let subject = subject.map_or("", |raw| raw.get());
        Ok(Verified {
            account: format!("token {} {subject}", self.description.issuer),
            claims,
        })
    }

    /// Why a token is refused. It names what the server wants only where that is no secret to whoever has a token of the issuer.
    fn explain(&self, problem: &ErrorKind) -> String {
        let audience = self.description.audience.join("` or `");
        match problem {
            ErrorKind::ExpiredSignature => {
                "the token has expired (`exp`): get a new one from its issuer".to_owned()
            }
            ErrorKind::ImmatureSignature => "the token is not valid yet (`nbf`)".to_owned(),
            ErrorKind::InvalidAudience => {
                format!("the token is for another audience (`aud`): wanted is `{audience}`")
            }
            ErrorKind::InvalidSignature => {
                "the signature of the token is not one of its issuer's key".to_owned()
            }
            ErrorKind::MissingRequiredClaim(claim) => {
                format!("the token has no claim `{claim}` that can be read")
            }
            _ => "the token is refused: its signature or its claims cannot be read".to_owned(),
        }
    }

    /// The keys, unless it is time to fetch them again.
    fn fresh_keys(&self) -> Option<KnownKeys> {
        Some(self.known()).filter(|known| !self.are_old(known))
    }

    fn are_old(&self, known: &KnownKeys) -> bool {
        known
            .fetched
            .is_none_or(|fetched| fetched.elapsed() >= self.description.refresh)
    }

    /// The key that a token names, and the set that it is of; a token that names none is of the only key.
    async fn find_key(&self, id: Option<&str>) -> Result<(KnownKeys, IssuerKey), String> {
        let known = self.known();
        let is_old = self.are_old(&known);
        let found = choose(&known.keys, id);
        if found.is_none() || is_old {
            // Keys that could not be fetched again are still good for the tokens that they know.
            let fetched = self.fetch_keys(known.fetched).await;
            if let (None, Err(why)) = (&found, fetched) {
                return Err(format!("the keys of the issuer cannot be had: {why}"));
            }
        }
        let known = self.known();
        let found = choose(&known.keys, id).or(found.filter(|_| !is_old));
        let found = found.ok_or("the token names a key that its issuer does not have")?;
        Ok((known, found))
    }

    fn known(&self) -> KnownKeys {
        let known = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        known.clone()
    }

    /// Fetches the keys, unless somebody has done that since `seen`, or a moment ago.
    async fn fetch_keys(&self, seen: Option<Instant>) -> Result<(), String> {
        let _guard = self.fetching.lock().await;
        let known = self.known().fetched;
        if known != seen || known.is_some_and(|fetched| fetched.elapsed() < SOONEST) {
            return Ok(());
        }
        let fetched = (self.fetch)().await;
        let keys = fetched.and_then(|bytes| self.description.read_keys(&bytes));
        let mut known = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        // Also a failure is not repeated at once.
        known.fetched = Some(Instant::now());
        known.keys = Arc::new(keys?);
        Ok(())
    }
}

fn choose(keys: &[IssuerKey], id: Option<&str>) -> Option<IssuerKey> {
    match (id, keys) {
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
        // A secret has no name of its own, and some issuers invent one.
        (Some(_), [only]) if only.id.is_none() && only.algorithm == Algorithm::HS256 => {
            Some(only.clone())
        }
        (Some(id), keys) => {
            let mut named = keys.iter().filter(|key| key.id.as_deref() == Some(id));
            named.next().cloned()
        }
    }
}

impl IssuerDescription {
    /// The keys that verify tokens of this issuer. Others of the set are left out: keys for encryption, and algorithms that
    /// the file does not name.
    fn read_keys(&self, bytes: &[u8]) -> Result<Vec<IssuerKey>, String> {
        if let KeyPlace::SecretFile(_) = self.place {
            let secret = bytes.trim_ascii_end();
            if secret.len() < 32 {
                return Err("a secret for HS256 has 32 bytes at least".to_owned());
            }
            return Ok(vec![IssuerKey {
                id: None,
                algorithm: Algorithm::HS256,
                key: DecodingKey::from_secret(secret),
            }]);
        }
        let set: JwkSet = serde_json::from_slice(bytes)
            .map_err(|error| format!("it is no JSON Web Key Set: {error}"))?;
        let keys = set.keys.iter().take(MOST_KEYS).filter_map(|jwk| {
            let algorithm = find_algorithm(jwk)?;
            // Whoever can answer for an address must not be able to say what a secret is.
            let is_public =
                algorithm != Algorithm::HS256 || matches!(self.place, KeyPlace::File(_));
            let is_wanted = self.algorithms.contains(&algorithm) && is_public;
            let key = DecodingKey::from_jwk(jwk).ok().filter(|_| is_wanted)?;
            Some(IssuerKey {
                id: jwk.common.key_id.clone(),
                algorithm,
                key,
            })
        });
        let keys: Vec<_> = keys.collect();
        if keys.is_empty() {
            return Err("no key of the set verifies an algorithm that the file names".to_owned());
        }
        Ok(keys)
    }
}

/// The one algorithm that a key verifies; none if it is for something else.
fn find_algorithm(jwk: &Jwk) -> Option<Algorithm> {
    let (algorithm, said) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
        }
        AlgorithmParameters::OctetKey(_) => (Algorithm::HS256, KeyAlgorithm::HS256),
        _ => return None,
    };
    let is_for_signatures = !matches!(
        jwk.common.public_key_use,
        Some(jsonwebtoken::jwk::PublicKeyUse::Encryption)
    );
    let agrees = jwk.common.key_algorithm.is_none_or(|known| known == said);
    (is_for_signatures && agrees).then_some(algorithm)
}
