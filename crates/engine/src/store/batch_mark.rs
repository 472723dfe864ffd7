//! The row by which every batch in the journal vouches for itself.
//!
//! fjall orders versions of a row by sequence numbers of its own, one for each batch. They stand in the head of a batch, outside of
//! its checksum: one flipped bit there makes an old value the newest one, or hides a whole batch behind what is in table
//! files. So every batch has a row with two numbers, which the checksum does cover:
//!
//! - the *floor*: the number that fjall would have given out next when the batch was made. The batch's own number is this one or
//!   slightly higher, because fjall's background threads draw from the same counter; and it is below the floor of the next batch.
//!   Within these two bounds, any number leaves every row as it is: nothing else has a number between them.
//! - the last group that was *durable* then. A batch that can be read proves that this group was in the journal: so what is
//!   unreadable before it is damage, and not the torn end of a crash.

/// The row of the space of definitions that every batch overwrites.
pub(crate) const BATCH_MARK_KEY: &[u8] = b"batch";

/// More numbers than fjall's threads can draw while a batch is made.
const MOST_DRAWN: u64 = 1 << 32;

/// What a batch says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BatchMark {
    /// The least sequence number that fjall can have given to the batch.
    pub(super) floor: u64,
    /// The last group that was durable when the batch was made.
    pub(super) durable: u64,
}

impl BatchMark {
    pub(super) fn encode(self) -> [u8; 16] {
        let both = (u128::from(self.floor) << 64) | u128::from(self.durable);
        both.to_be_bytes()
    }

    pub(super) fn decode(value: &[u8]) -> Option<Self> {
        let both = u128::from_be_bytes(value.try_into().ok()?);
        Some(Self {
            floor: (both >> 64) as u64,
            durable: both as u64,
        })
    }

    /// Whether fjall can have given this number to the batch.
    pub(super) const fn admits(self, fjall_sequence: u64) -> bool {
        self.floor <= fjall_sequence && fjall_sequence - self.floor < MOST_DRAWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_read_as_it_was_written() {
        let mark = BatchMark {
            floor: 0x0102_0304_0506_0708,
            durable: 77,
        };
        assert_eq!(BatchMark::decode(&mark.encode()), Some(mark));
        assert_eq!(BatchMark::decode(&mark.encode()[..15]), None);
        assert!(mark.admits(mark.floor) && !mark.admits(mark.floor - 1));
        assert!(!mark.admits(u64::MAX));
    }
}
