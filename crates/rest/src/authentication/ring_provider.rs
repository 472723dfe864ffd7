//! The signatures of tokens, verified by ring.
//!
//! jsonwebtoken brings two sets of cryptography, one that needs cmake and one of a dozen crates. ring is here already for TLS,
//! so this says how it verifies the four algorithms that are accepted. Nothing is signed.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::hmac;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};
use signature::Verifier;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: refuse_to_sign,
    verifier_factory: find_verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes ring what tokens are verified with. Whoever has installed something else before is left alone.
pub(super) fn install() {
    // An error says that one is installed already.
    let _ = PROVIDER.install_default();
}

fn refuse_to_sign(_: &Algorithm, _: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Err(ErrorKind::UnsupportedAlgorithm.into())
}

/// A verifier of an algorithm with a key of its family: no key of one family is ever used as one of another.
fn find_verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    let wanted = match algorithm {
        Algorithm::HS256 => AlgorithmFamily::Hmac,
        Algorithm::RS256 => AlgorithmFamily::Rsa,
        Algorithm::ES256 => AlgorithmFamily::Ec,
        Algorithm::EdDSA => AlgorithmFamily::Ed,
        _ => return Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    if key.family() != wanted {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(RingVerifier {
        algorithm: *algorithm,
        key: key.clone(),
    }))
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let verified = match (self.algorithm, self.key.kind()) {
            (Algorithm::HS256, DecodingKeyKind::SecretOrDer(secret)) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
                hmac::verify(&key, message, signature).is_ok()
            }
            (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
                let key = RsaPublicKeyComponents { n, e };
                let algorithm = &RSA_PKCS1_2048_8192_SHA256;
                key.verify(algorithm, message, signature).is_ok()
            }
            (Algorithm::ES256, DecodingKeyKind::SecretOrDer(key)) => {
                is_signed(&ECDSA_P256_SHA256_FIXED, key, message, signature)
            }
            (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(key)) => {
                is_signed(&ED25519, key, message, signature)
            }
            _ => false,
        };
        if verified {
            Ok(())
        } else {
            Err(signature::Error::new())
        }
    }
}

fn is_signed(
    algorithm: &'static dyn VerificationAlgorithm,
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    let key = UnparsedPublicKey::new(algorithm, key);
    key.verify(message, signature).is_ok()
}
