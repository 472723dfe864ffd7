//! The id that every answer carries, by which a log line and a client's report find each other.

use std::fmt;

const LENGTH: usize = 52;
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

/// 52 capital letters and digits, as AWS's are.
#[derive(Clone, Copy)]
pub(crate) struct RequestId([u8; LENGTH]);

impl RequestId {
    /// A new one. It is a name and no secret, so the generator need not be a strong one.
    pub(crate) fn random() -> Self {
        let mut id = [0; LENGTH];
        // Twelve characters of five bits from each number.
        for part in id.chunks_mut(12) {
            let mut bits = fastrand::u64(..);
            for place in part {
                *place = character(bits);
                bits >>= 5;
            }
        }
        Self(id)
    }

    pub(crate) const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn character(bits: u64) -> u8 {
    let index = usize::try_from(bits & 31).unwrap_or_default();
    ALPHABET.get(index).copied().unwrap_or(b'A')
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.0).unwrap_or_default())
    }
}
