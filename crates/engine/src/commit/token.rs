//! Idempotency tokens: rows that say which request was done with which token.
//!
//! ```text
//! token/TOKEN           expiry (8, seconds since 1970) | hash of the request (16)
//! token-until/EXPIRY TOKEN   empty; finds what has expired
//! ```
//!
//! The claim is written together with what the request writes, so it survives exactly when that does.

use crate::store::{KeyRange, Space};
use bytes::Bytes;
use monotable_item::limits::TOKEN_SECONDS;
use xxhash_rust::xxh3::xxh3_128;

const CLAIMS: &[u8] = b"token/";
const EXPIRIES: &[u8] = b"token-until/";

/// A token as a request brings it.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    text: String,
    request: u128,
    /// Seconds since 1970.
    now: u64,
}

impl Token {
    /// The token of a request with these bytes, sent at `now`.
    pub(crate) fn new(text: String, request: &[u8], now: u64) -> Self {
        Self {
            text,
            request: xxh3_128(request),
            now,
        }
    }

    const fn expiry(&self) -> u64 {
        self.now + TOKEN_SECONDS
    }

    pub(super) fn to_row(&self) -> Bytes {
        let expiry = self.expiry().to_be_bytes();
        [&expiry[..], &self.request.to_be_bytes()].concat().into()
    }

    /// Whether a claim still counts.
    pub(super) fn is_honoured(&self, claim: &[u8]) -> bool {
        TokenRows::expiry_of_claim(claim).is_some_and(|expiry| expiry > self.now)
    }

    pub(super) fn is_same_request(&self, claim: &[u8]) -> bool {
        claim.get(8..) == Some(&self.request.to_be_bytes())
    }
}

/// The rows of tokens.
pub(crate) struct TokenRows;

impl TokenRows {
    pub(crate) const SPACE: Space = Space::Meta;

    pub(super) fn claim(token: &Token) -> Bytes {
        Self::claim_of(token.text.as_bytes())
    }

    fn claim_of(text: &[u8]) -> Bytes {
        [CLAIMS, text].concat().into()
    }

    pub(super) fn expiry(token: &Token) -> Bytes {
        let expiry = token.expiry().to_be_bytes();
        [EXPIRIES, &expiry, token.text.as_bytes()].concat().into()
    }

    /// The expiry rows of all tokens that have expired at `now`.
    pub(crate) fn expired(now: u64) -> KeyRange {
        KeyRange {
            start: Bytes::from_static(EXPIRIES),
            end: Some([EXPIRIES, &(now + 1).to_be_bytes()].concat().into()),
        }
    }

    /// The claim that an expiry row belongs to.
    pub(crate) fn claim_of_expiry(key: &[u8]) -> Option<Bytes> {
        key.get(EXPIRIES.len() + 8..).map(Self::claim_of)
    }

    pub(crate) fn expiry_of_claim(claim: &[u8]) -> Option<u64> {
        let (expiry, _) = claim.split_first_chunk::<8>()?;
        Some(u64::from_be_bytes(*expiry))
    }
}
