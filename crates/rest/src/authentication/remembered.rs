//! Tokens that were verified.
//!
//! A caller sends one token with every request until it expires. Its signature is checked once for a set of keys: what was
//! remembered counts only as long as the issuer has the very set of keys that verified it, and until the token expires.

use super::issuer::{KnownKeys, Verified};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// So many tokens are remembered. Only tokens that were verified get here, so strangers cannot fill it.
const MOST_TOKENS: usize = 1024;

/// The tokens of all issuers.
pub(super) struct RememberedTokens {
    tokens: Cache<Box<str>, CachedToken>,
}

#[derive(Clone)]
struct CachedToken {
    /// The place of its issuer among the issuers.
    issuer: usize,
    /// The keys of the issuer when the token was verified.
    keys: KnownKeys,
    /// In seconds since 1970, the issuer's clock skew included.
    expires: u64,
    verified: Arc<Verified>,
}

impl std::fmt::Debug for RememberedTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RememberedTokens({})", self.tokens.len())
    }
}

impl Default for RememberedTokens {
    fn default() -> Self {
        Self {
            tokens: Cache::new(MOST_TOKENS),
        }
    }
}

impl RememberedTokens {
    /// What a token says, if it was verified by keys that its issuer still has. `known` tells the keys of an issuer, if they need
    /// not be fetched again.
    pub(super) fn find(
        &self,
        token: &str,
        known: impl FnOnce(usize) -> Option<KnownKeys>,
    ) -> Option<Arc<Verified>> {
        let remembered = self.tokens.get(token)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let is_alive = now.as_secs() <= remembered.expires;
        let is_same = known(remembered.issuer)?.are(&remembered.keys);
        if is_alive && is_same {
            return Some(remembered.verified);
        }
        self.tokens.remove(token);
        None
    }

    /// Remembers a token that was verified just now.
    pub(super) fn keep(
        &self,
        token: &str,
        issuer: usize,
        keys: KnownKeys,
        clock_skew: u64,
        verified: &Arc<Verified>,
    ) {
        // A number of seconds that is no whole one is rare, and not remembered.
        let claim = verified.claims.get("exp");
        let Some(expires) = claim.and_then(|raw| raw.get().parse::<u64>().ok()) else {
            return;
        };
        self.tokens.insert(
            token.into(),
            CachedToken {
                issuer,
                keys,
                expires: expires.saturating_add(clock_skew),
                verified: Arc::clone(verified),
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::RawValue;

    fn verify(expires: u64) -> Arc<Verified> {
        let expires = RawValue::from_string(expires.to_string()).unwrap();
        Arc::new(Verified {
            claims: [("exp".to_owned(), expires)].into(),
            account: "token".to_owned(),
        })
    }

    fn now() -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.unwrap().as_secs()
    }

    #[test]
    fn a_token_is_remembered_as_long_as_its_keys_are_the_same() {
        let (tokens, keys) = (RememberedTokens::default(), KnownKeys::default());
        tokens.keep("a", 1, keys.clone(), 0, &verify(now() + 1000));
        let is_known = |known: Option<KnownKeys>| tokens.find("a", |_| known).is_some();
        assert!(is_known(Some(keys.clone())));
        assert!(!is_known(None), "the keys are to be fetched again");
        assert!(is_known(Some(keys.clone())));
        assert!(!is_known(Some(KnownKeys::default())), "other keys");
        assert!(!is_known(Some(keys)), "it was forgotten");
        assert!(tokens.find("b", |_| None).is_none());
    }

    #[test]
    fn a_token_is_forgotten_when_it_expires() {
        let (tokens, keys) = (RememberedTokens::default(), KnownKeys::default());
        for (expires, clock_skew, is_known) in [(now() - 100, 0, false), (now() - 100, 1000, true)]
        {
            tokens.keep("a", 0, keys.clone(), clock_skew, &verify(expires));
            let found = tokens.find("a", |_| Some(keys.clone()));
            assert_eq!(found.is_some(), is_known);
        }
    }
}
