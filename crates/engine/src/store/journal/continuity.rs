//! Whether one batch can follow another.

use super::reader::BatchHead;

/// What is said of a group that was read before.
pub(in crate::store) const REPEATED: &str = "a group that an earlier batch has (the journal is a copy of another one, or of a part of it: move one of the two elsewhere)";

/// How far the batches go that were read so far, within a journal and from one to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct Continuity {
    /// The last group.
    pub(in crate::store) group: Option<u64>,
    /// fjall's number of the last batch.
    pub(in crate::store) fjall_sequence: Option<u64>,
}

impl Continuity {
    /// Goes on to the next batch, or says why it cannot be the next one.
    pub(in crate::store) fn advance(&mut self, next: &BatchHead) -> Result<(), &'static str> {
        if let (Some(before), Some(now)) = (self.group, next.group)
            && now != before + 1
        {
            let is_repeated = self.has_passed(next);
            return Err(if is_repeated {
                REPEATED
            } else {
                "a gap in the group sequence"
            });
        }
        let number = next.fjall_sequence;
        if next.mark.is_some_and(|mark| !mark.admits(number)) {
            return Err("a sequence number that was not given to it");
        }
        // The floor, where there is one, is what the number of the batch before must be below.
        let bound = next.mark.map_or(number, |mark| mark.floor);
        if self.fjall_sequence.is_some_and(|before| before >= bound) {
            return Err("a sequence number that is not above the one before it");
        }
        self.group = next.group.or(self.group);
        self.fjall_sequence = Some(number);
        Ok(())
    }

    /// Whether a batch is one of those that were read, or older.
    pub(in crate::store) fn has_passed(&self, batch: &BatchHead) -> bool {
        let is_old = self.fjall_sequence >= Some(batch.fjall_sequence);
        is_old && batch.group.is_some() && self.group >= batch.group
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::batch_mark::BatchMark;
    use super::*;

    fn head(group: u64, fjall_sequence: u64, floor: Option<u64>) -> BatchHead {
        BatchHead {
            fjall_sequence,
            group: Some(group),
            mark: floor.map(|floor| BatchMark { floor, durable: 0 }),
        }
    }

    fn follows(before: BatchHead, next: BatchHead) -> bool {
        let mut continuity = Continuity::default();
        continuity.advance(&before).unwrap();
        continuity.advance(&next).is_ok()
    }

    #[test]
    fn groups_have_no_gaps_and_numbers_rise() {
        assert!(follows(head(1, 10, None), head(2, 11, None)));
        assert!(!follows(head(1, 10, None), head(3, 11, None)));
        assert!(!follows(head(1, 10, None), head(2, 10, None)));
    }

    #[test]
    fn a_batch_that_was_read_is_told_from_a_gap() {
        let mut continuity = Continuity::default();
        for group in 1..4 {
            continuity.advance(&head(group, group + 10, None)).unwrap();
        }
        let again = continuity.advance(&head(2, 12, None));
        assert_eq!(again, Err(REPEATED));
        let gap = continuity.advance(&head(5, 15, None));
        assert_eq!(gap, Err("a gap in the group sequence"));
    }

    #[test]
    fn a_number_is_between_its_floor_and_the_next_one() {
        assert!(follows(head(1, 12, Some(10)), head(2, 15, Some(13))));
        assert!(!follows(head(1, 13, Some(10)), head(2, 15, Some(13))));
        assert!(!follows(head(1, 12, Some(10)), head(2, 12, Some(13))));
    }
}
