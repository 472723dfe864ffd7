//! The key of a day and region, made from a secret.

use super::scope::Scope;
use crate::credentials::AccessKey;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

/// Keys of recent days and regions. Making one takes four hashes, about as much as all else together.
///
/// Only a key that verified a signature is kept, one for each access key, so that a stranger cannot fill
/// the cache or push others out.
pub(super) struct KeyCache {
    latest: RwLock<HashMap<String, ScopedKey>>,
}

#[derive(Clone)]
struct ScopedKey {
    scope: String,
    key: [u8; 32],
}

/// A signature and what it was made with.
pub(super) struct Signature {
    text: String,
    /// Not in the cache yet.
    fresh: Option<ScopedKey>,
}

impl Signature {
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }
}

impl KeyCache {
    pub(super) fn new() -> Self {
        Self {
            latest: RwLock::default(),
        }
    }

    pub(super) fn sign(&self, access_key: &AccessKey, scope: &Scope<'_>, text: &str) -> Signature {
        let scoped = scope.to_string();
        if let Some(key) = self.find(scope.key_id, &scoped) {
            return Signature {
                text: hex(&hmac(&key, text)),
                fresh: None,
            };
        }
        let key = derive(access_key.secret.expose(), &scoped);
        Signature {
            text: hex(&hmac(&key, text)),
            fresh: Some(ScopedKey { scope: scoped, key }),
        }
    }

    /// Keeps the key of a signature that was right.
    pub(super) fn keep(&self, scope: &Scope<'_>, signature: &Signature) {
        if let Some(key) = &signature.fresh {
            let mut latest = self.latest.write().unwrap_or_else(PoisonError::into_inner);
            latest.insert(scope.key_id.to_owned(), key.clone());
        }
    }

    fn find(&self, id: &str, scope: &str) -> Option<[u8; 32]> {
        let latest = self.latest.read().unwrap_or_else(PoisonError::into_inner);
        let known = latest.get(id).filter(|known| known.scope == scope);
        known.map(|known| known.key)
    }
}

/// Each part of the scope, in its order, makes the next key from the one before.
fn derive(secret: &str, scope: &str) -> [u8; 32] {
    let mut parts = scope.split('/');
    let day = parts.next().unwrap_or_default();
    let first = hmac(format!("AWS4{secret}").as_bytes(), day);
    parts.fold(first, |key, part| hmac(&key, part))
}

fn hmac(key: &[u8], text: &str) -> [u8; 32] {
    // A key of any length is a key, so this has one arm in practice.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return [0; 32];
    };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().into()
}

/// Lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to memory does not fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
