//! Where the next page begins: a text that nobody can read or change, and that serves one question only.
//!
//! A cursor holds a position and a MAC over it, the pattern, the parameters, the direction, the tenant and the caller.
//! One that was changed, or is brought to another question, is refused.

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::secrets::Secrets;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use monotable_item::{EncodedItem, Item};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Where a page begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Position {
    /// Behind this key, which says its partition too where there are several.
    Key(Item),
    /// Behind so many rows.
    Count(usize),
}

#[derive(Serialize, Deserialize)]
enum Written {
    Key(EncodedItem),
    Count(usize),
}

const TAG_BYTES: usize = 16;

/// What a cursor serves: a pattern with its parameters, read in one direction.
pub(crate) struct Question<'q> {
    pub(crate) reader: &'q Reader<'q>,
    pub(crate) asked: &'q str,
    pub(crate) given: &'q Item,
    pub(crate) descending: bool,
}

impl Question<'_> {
    /// The cursor of a position.
    pub(crate) async fn seal(&self, position: &Position) -> Result<String, Interrupt> {
        let secrets = self.reader.secrets().await?;
        let secret = secrets.current();
        let written = match position {
            Position::Key(key) => Written::Key(EncodedItem::from(key)),
            Position::Count(count) => Written::Count(*count),
        };
        let text = serde_json::to_vec(&written).unwrap_or_default();
        let mut bytes = self.tag(secret, &text);
        // Hidden, so that nobody builds on what is in it: keys hold ids of others.
        bytes.extend(hide(secret, &bytes, &text));
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The position of a cursor, if it is one of this question.
    pub(crate) async fn open(&self, cursor: &str) -> Result<Position, Interrupt> {
        let known = self.reader.secrets().await?;
        if let Some(position) = self.unseal_with(&known, cursor) {
            return Ok(position);
        }
        // It may have been sealed with a secret that is newer than what this process has read.
        let renewed = self.reader.renewed_secrets().await?;
        if let Some(position) = renewed.and_then(|renewed| self.unseal_with(&renewed, cursor)) {
            return Ok(position);
        }
        let message = if known.is_shared() {
            "this cursor is not one of this pattern with these parameters; begin without one"
        } else {
            "this cursor is not one of this pattern with these parameters, or another process has made it: without the \
             right to read the item `monotable#store`, cursors serve their own process only; begin without one"
        };
        Err(Error::usage(message).into())
    }

    fn unseal_with(&self, secrets: &Secrets, cursor: &str) -> Option<Position> {
        let mut secrets = secrets.all();
        secrets.find_map(|secret| self.unseal(secret, cursor))
    }

    fn unseal(&self, secret: &[u8], cursor: &str) -> Option<Position> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (mark, rest) = bytes.split_at_checked(TAG_BYTES)?;
        let text = hide(secret, mark, rest);
        let mut mac = self.begin(secret);
        mac.update(&text);
        mac.verify_truncated_left(mark).ok()?;
        match serde_json::from_slice(&text).ok()? {
            Written::Key(key) => Some(Position::Key(key.to_item())),
            Written::Count(count) => Some(Position::Count(count)),
        }
    }

    fn tag(&self, secret: &[u8], text: &[u8]) -> Vec<u8> {
        let mut mac = self.begin(secret);
        mac.update(text);
        let whole = mac.finalize().into_bytes();
        whole.iter().take(TAG_BYTES).copied().collect()
    }

    /// A MAC that has taken in everything that makes up the question, each part with its length.
    fn begin(&self, secret: &[u8]) -> Hmac<Sha256> {
        let mut mac = keyed(secret, b"cursor");
        let circumstances = &self.reader.circumstances;
        let parameters = EncodedItem::from(self.given);
        let principal = EncodedItem::from(&circumstances.principal);
        let parts: [&[u8]; 5] = [
            self.asked.as_bytes(),
            parameters.as_bytes(),
            principal.as_bytes(),
            circumstances
                .tenant
                .as_deref()
                .unwrap_or_default()
                .as_bytes(),
            if self.descending { b"<" } else { b">" },
        ];
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

fn keyed(secret: &[u8], purpose: &[u8]) -> Hmac<Sha256> {
    // A MAC takes keys of any length.
    #[expect(clippy::expect_used, reason = "an HMAC key may have any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("any length");
    mac.update(purpose);
    mac
}

/// The text under a stream of bytes that the tag selects; done twice it is the text again.
fn hide(secret: &[u8], tag: &[u8], text: &[u8]) -> Vec<u8> {
    let mut hidden = Vec::with_capacity(text.len());
    for (block, chunk) in text.chunks(32).enumerate() {
        let mut mac = keyed(secret, b"stream");
        mac.update(tag);
        mac.update(&(block as u64).to_be_bytes());
        let stream = mac.finalize().into_bytes();
        hidden.extend(chunk.iter().zip(stream).map(|(byte, mask)| byte ^ mask));
    }
    hidden
}
