//! Where a SELECT goes on: which of its reads, and after which key.
//!
//! ```text
//! token = hash of statement and parameters (16) | read (2) | key as stored
//! ```
//!
//! It is written in hexadecimal digits. It holds nothing that its owner has not seen, and what is in it is checked like
//! any start key, so it needs no seal.

use crate::wording;
use monotable_api::Error;
use monotable_item::{EncodedItem, EncodedValue};
use xxhash_rust::xxh3::Xxh3;

const HASH_BYTES: usize = 16;
const READ_BYTES: usize = 2;

/// A place in the reads of a SELECT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The read to go on with.
    pub(super) read: usize,
    /// The key to go on after; without one, the read has not begun.
    pub(super) after: Option<EncodedItem>,
}

/// What tells one statement from another.
pub(super) fn statement_hash(text: &str, parameters: &[EncodedValue]) -> u128 {
    let mut hash = Xxh3::new();
    for bytes in
        std::iter::once(text.as_bytes()).chain(parameters.iter().map(EncodedValue::as_bytes))
    {
        hash.update(&(bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }
    hash.digest128()
}

impl Place {
    /// The token of this place in the reads of a statement.
    pub(super) fn to_token(&self, statement: u128) -> String {
        let read = u16::try_from(self.read).unwrap_or(u16::MAX);
        let key = self.after.as_ref().map_or(&[][..], EncodedItem::as_bytes);
        let parts = [&statement.to_be_bytes()[..], &read.to_be_bytes(), key];
        let bytes = parts.into_iter().flatten();
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }

    /// The place that a token names, if it is one of this statement.
    pub(super) fn from_token(token: &str, statement: u128) -> Result<Self, Error> {
        let bytes = decode(token).ok_or_else(wording::next_token_invalid)?;
        let (hash, rest) = bytes
            .split_first_chunk::<HASH_BYTES>()
            .ok_or_else(wording::next_token_invalid)?;
        let (read, key) = rest
            .split_first_chunk::<READ_BYTES>()
            .ok_or_else(wording::next_token_invalid)?;
        if u128::from_be_bytes(*hash) != statement {
            return Err(wording::next_token_of_other_statement());
        }
        let after = EncodedItem::from_stored(key.to_vec().into());
        if !after.is_well_formed() {
            return Err(wording::next_token_invalid());
        }
        Ok(Self {
            read: u16::from_be_bytes(*read).into(),
            after: (!after.is_empty()).then_some(after),
        })
    }
}

fn decode(token: &str) -> Option<Vec<u8>> {
    let digits = token.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let byte = |pair: &[u8]| {
        let text = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(text, 16).ok()
    };
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::Item;

    #[test]
    fn a_token_leads_back_to_its_place() {
        let key = EncodedItem::from(Item::new().with("p", "x").with("r", 5));
        for place in [
            Place {
                read: 3,
                after: Some(key),
            },
            Place {
                read: 0,
                after: None,
            },
        ] {
            let token = place.to_token(7);
            assert_eq!(Place::from_token(&token, 7), Ok(place));
            let other = Place::from_token(&token, 8).unwrap_err();
            assert_eq!(other.message(), "NextToken does not match request");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let good = Place {
            read: 0,
            after: Some(EncodedItem::from(Item::new().with("p", "x"))),
        }
        .to_token(0);
        let mut bad: Vec<String> = ["", "x", "zz", "00", "é", "+1"].map(str::to_owned).into();
        bad.extend((1..good.len()).filter_map(|end| good.get(..end).map(str::to_owned)));
        bad.push(format!("{good}00"));
        for token in bad {
            // A token that is cut off right before its key is one of a read that has not begun.
            if token.len() == 2 * (HASH_BYTES + READ_BYTES) {
                continue;
            }
            let refused = Place::from_token(&token, 0).unwrap_err();
            assert_eq!(refused.message(), "Invalid NextToken", "{token}");
        }
    }

    #[test]
    fn parameters_are_part_of_the_statement() {
        let value = |text: &str| EncodedValue::from(monotable_item::AttributeValue::from(text));
        let one = statement_hash("a", &[value("b")]);
        assert_ne!(one, statement_hash("a", &[value("c")]));
        assert_ne!(one, statement_hash("ab", &[]));
    }
}
