//! Tokens that are signed for tests, also wrong ones.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256,
    RsaKeyPair,
};
use ring::{hmac, rsa};
use serde_json::{Value, json};

/// A key that signs.
pub(crate) enum Signer {
    Secret(Vec<u8>),
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Signer {
    /// The RSA key of tests, which signs nothing else.
    pub(crate) fn rsa() -> Self {
        let text: String = include_str!("test_only_rsa_key.txt")
            .split_whitespace()
            .collect();
        Self::Rsa(RsaKeyPair::from_pkcs8(&STANDARD.decode(text).unwrap()).unwrap())
    }

    pub(crate) fn ec() -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let key = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self::Ec(EcdsaKeyPair::from_pkcs8(algorithm, key.as_ref(), &random).unwrap())
    }

    pub(crate) fn ed() -> Self {
        let key = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::Ed(Ed25519KeyPair::from_pkcs8(key.as_ref()).unwrap())
    }

    pub(crate) const fn algorithm(&self) -> &'static str {
        match self {
            Self::Secret(_) => "HS256",
            Self::Rsa(_) => "RS256",
            Self::Ec(_) => "ES256",
            Self::Ed(_) => "EdDSA",
        }
    }

    /// The public key as a key of a set.
    pub(crate) fn jwk(&self, id: &str) -> Value {
        match self {
            Self::Secret(secret) => json!({"kty": "oct", "kid": id, "k": encode(secret)}),
            Self::Rsa(key) => {
                let public: rsa::PublicKeyComponents<Vec<u8>> = key.public().into();
                json!({"kty": "RSA", "kid": id, "alg": "RS256", "use": "sig", "n": encode(public.n), "e": encode(public.e)})
            }
            Self::Ec(key) => {
                let point = key.public_key().as_ref();
                json!({"kty": "EC", "kid": id, "crv": "P-256", "x": encode(&point[1..33]), "y": encode(&point[33..])})
            }
            Self::Ed(key) => {
                json!({"kty": "OKP", "kid": id, "crv": "Ed25519", "x": encode(key.public_key().as_ref())})
            }
        }
    }

    pub(crate) fn sign(&self, header: &Value, claims: &Value) -> String {
        let message = format!(
            "{}.{}",
            encode(header.to_string()),
            encode(claims.to_string())
        );
        let bytes = message.as_bytes();
        let random = SystemRandom::new();
        let signature = match self {
            Self::Secret(secret) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
                hmac::sign(&key, bytes).as_ref().to_vec()
            }
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &random, bytes, &mut signature)
                    .unwrap();
                signature
            }
            Self::Ec(key) => key.sign(&random, bytes).unwrap().as_ref().to_vec(),
            Self::Ed(key) => key.sign(bytes).as_ref().to_vec(),
        };
        format!("{message}.{}", encode(signature))
    }

    /// A token with the usual header.
    pub(crate) fn token(&self, id: &str, claims: &Value) -> String {
        let header = json!({"typ": "JWT", "alg": self.algorithm(), "kid": id});
        self.sign(&header, claims)
    }
}

/// Seconds since 1970, some seconds from now.
pub(crate) fn from_now(seconds: i64) -> i64 {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    i64::try_from(now.as_secs()).unwrap() + seconds
}

/// The claims of a user, as the issuer of tests makes them.
pub(crate) fn claims(subject: &str) -> Value {
    json!({"iss": "https://id.example", "aud": "api", "sub": subject, "exp": from_now(300), "org": "acme"})
}
