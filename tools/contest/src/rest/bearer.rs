//! Tokens as an issuer signs them.

use crate::failure::Failure;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Who signs, and for whom.
pub(super) const ISSUER: &str = "https://issuer.example.com/";
pub(super) const AUDIENCE: &str = "contest";
/// How long tokens are good, in seconds: longer than any run.
const LIFETIME: u64 = 24 * 60 * 60;
/// The name of the key in its set.
const KEY_ID: &str = "contest";

/// What tokens are signed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenAlgorithm {
    Hs256,
    Es256,
}

impl TokenAlgorithm {
    const ALL: [Self; 2] = [Self::Hs256, Self::Es256];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hs256 => "HS256",
            Self::Es256 => "ES256",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
    }
}

/// A key of an issuer.
pub(super) enum TokenKey {
    Secret(Vec<u8>),
    Pair(Box<EcdsaKeyPair>, SystemRandom),
}

impl TokenKey {
    pub(super) fn generate(algorithm: TokenAlgorithm) -> Result<Self, Failure> {
        let random = SystemRandom::new();
        match algorithm {
            TokenAlgorithm::Hs256 => {
                let secret: [u8; 32] = ring::rand::generate(&random)
                    .map_err(|_| "the machine gives no random bytes")?
                    .expose();
                Ok(Self::Secret(secret.to_vec()))
            }
            TokenAlgorithm::Es256 => {
                let kind = &ECDSA_P256_SHA256_FIXED_SIGNING;
                let document = EcdsaKeyPair::generate_pkcs8(kind, &random)
                    .map_err(|_| "no key can be made")?;
                let pair = EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random)
                    .map_err(|error| error.to_string())?;
                Ok(Self::Pair(Box::new(pair), random))
            }
        }
    }

    /// The key set that a server verifies tokens with.
    pub(super) fn to_jwks(&self) -> Value {
        let key = match self {
            Self::Secret(secret) => json!({"kty": "oct", "kid": KEY_ID, "k": encode(secret)}),
            Self::Pair(pair, _) => {
                // A public key is a byte 4 and two coordinates.
                let point = pair.public_key().as_ref().get(1..).unwrap_or_default();
                let (x, y) = point.split_at(point.len() / 2);
                json!({"kty": "EC", "crv": "P-256", "kid": KEY_ID, "x": encode(x), "y": encode(y)})
            }
        };
        json!({ "keys": [key] })
    }

    /// A token of this subject.
    pub(super) fn sign(&self, subject: &str) -> Result<String, Failure> {
        let algorithm = match self {
            Self::Secret(_) => TokenAlgorithm::Hs256,
            Self::Pair(..) => TokenAlgorithm::Es256,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
        let header = json!({"alg": algorithm.name(), "typ": "JWT", "kid": KEY_ID});
        let claims = json!({
            "iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + LIFETIME,
            "scope": "openid profile email",
        });
        let message = format!(
            "{}.{}",
            encode(header.to_string()),
            encode(claims.to_string())
        );
        let signature = match self {
            Self::Secret(secret) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
                hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
            }
            Self::Pair(pair, random) => pair
                .sign(random, message.as_bytes())
                .map_err(|_| "a token cannot be signed")?
                .as_ref()
                .to_vec(),
        };
        Ok(format!("{message}.{}", encode(signature)))
    }
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
