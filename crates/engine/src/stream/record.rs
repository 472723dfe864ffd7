//! The records of a stream as they are kept.
//!
//! ```text
//! key    stream id (4) | sequence number (8, big-endian)
//! value  time (8, big-endian, milliseconds since 1970) | flags (1) | [length (4, little-endian) old item] [new item] [key]
//!
//! flags  1 modify, 2 remove, neither insert | 4 by time to live | 8 an old item follows | 16 a new item follows
//!        | 32 the item's key follows, because no image does
//! ```
//!
//! Which images are kept is decided by the stream's view when the record is made. Where an image is kept, the key is in it.

use crate::catalog::StreamId;
use crate::index::pick;
use bytes::Bytes;
use monotable_api::{OperationType, StreamViewType};
use monotable_item::EncodedItem;

const MODIFY: u8 = 1;
const REMOVE: u8 = 2;
const TIME_TO_LIVE: u8 = 4;
const OLD: u8 = 8;
const NEW: u8 = 16;
const KEY: u8 = 32;

const TIME_BYTES: usize = 8;
const HEAD_BYTES: usize = TIME_BYTES + 1;
const LENGTH_BYTES: usize = 4;

/// Who wrote an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// A request.
    Client,
    /// The item's time had come.
    TimeToLive,
}

/// A record that has no number and no time yet.
#[derive(Debug)]
pub(crate) struct RecordDraft {
    pub(crate) stream: StreamId,
    value: Vec<u8>,
}

impl RecordDraft {
    /// The record of a change; none if nothing changes. `key` has the names of the key attributes, in order.
    pub(crate) fn of_change(
        (stream, view): (StreamId, StreamViewType),
        key: &[String],
        old: Option<&EncodedItem>,
        new: Option<&EncodedItem>,
        author: Author,
    ) -> Option<Self> {
        let (kind, present) = match (old, new) {
            (None, Some(new)) => (0, new),
            (Some(old), None) => (REMOVE, old),
            // Equal items have equal bytes.
            (Some(old), Some(new)) if old != new => (MODIFY, new),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let (shows_old, shows_new) = match view {
            StreamViewType::KeysOnly => (false, false),
            StreamViewType::OldImage => (true, false),
            StreamViewType::NewImage => (false, true),
            StreamViewType::NewAndOldImages => (true, true),
        };
        let (old, new) = (old.filter(|_| shows_old), new.filter(|_| shows_new));
        let key = match (old, new) {
            (None, None) => Some(pick(key, present.view())),
            _ => None,
        };
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = kind
            | flag(author == Author::TimeToLive, TIME_TO_LIVE)
            | flag(old.is_some(), OLD)
            | flag(new.is_some(), NEW)
            | flag(key.is_some(), KEY);
        let images = [old, new, key.as_ref()];
        let room = images.iter().flatten().map(|item| item.as_bytes().len());
        let mut value = Vec::with_capacity(HEAD_BYTES + LENGTH_BYTES + room.sum::<usize>());
        value.extend_from_slice(&[0; TIME_BYTES]);
        value.push(flags);
        if let Some(old) = old {
            value.extend_from_slice(&(old.as_bytes().len() as u32).to_le_bytes());
        }
        for item in images.into_iter().flatten() {
            value.extend_from_slice(item.as_bytes());
        }
        Some(Self { stream, value })
    }

    /// The value of its row, written at `now`, in milliseconds since 1970.
    pub(crate) fn into_value(mut self, now: u64) -> Bytes {
        if let Some(time) = self.value.first_chunk_mut() {
            *time = now.to_be_bytes();
        }
        self.value.into()
    }
}

/// A record, read.
#[derive(Debug, PartialEq)]
pub(crate) struct StoredRecord {
    /// Milliseconds since 1970.
    pub(crate) time: u64,
    pub(crate) kind: OperationType,
    pub(crate) author: Author,
    pub(crate) key: EncodedItem,
    pub(crate) old: Option<EncodedItem>,
    pub(crate) new: Option<EncodedItem>,
}

impl StoredRecord {
    /// Reads the value of a row; none if it is damaged.
    pub(crate) fn read(value: &Bytes, key: &[String]) -> Option<Self> {
        let flags = *value.get(TIME_BYTES)?;
        let mut rest = value.slice(HEAD_BYTES..);
        let mut old = None;
        if flags & OLD != 0 {
            let length = u32::from_le_bytes(*rest.first_chunk()?) as usize;
            let end = LENGTH_BYTES + length;
            if rest.len() < end {
                return None;
            }
            old = Some(EncodedItem::from_stored(rest.slice(LENGTH_BYTES..end)));
            rest = rest.slice(end..);
        }
        let last = EncodedItem::from_stored(rest);
        let new = (flags & NEW != 0).then(|| last.clone());
        let key = match new.as_ref().or(old.as_ref()) {
            Some(image) => pick(key, image.view()),
            None => last,
        };
        Some(Self {
            time: Self::time_of(value)?,
            kind: match flags & (MODIFY | REMOVE) {
                MODIFY => OperationType::Modify,
                REMOVE => OperationType::Remove,
                _ => OperationType::Insert,
            },
            author: match flags & TIME_TO_LIVE {
                0 => Author::Client,
                _ => Author::TimeToLive,
            },
            key,
            old,
            new,
        })
    }

    /// When the record in this row was written, in milliseconds since 1970.
    pub(crate) fn time_of(value: &[u8]) -> Option<u64> {
        value.first_chunk().map(|time| u64::from_be_bytes(*time))
    }

    /// How large key and images are.
    pub(crate) fn size(&self) -> usize {
        let images = [Some(&self.key), self.old.as_ref(), self.new.as_ref()];
        images.into_iter().flatten().map(EncodedItem::size).sum()
    }

    pub(crate) fn is_well_formed(&self) -> bool {
        let images = [Some(&self.key), self.old.as_ref(), self.new.as_ref()];
        images
            .into_iter()
            .flatten()
            .all(EncodedItem::is_well_formed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::Item;

    fn item(text: &str) -> EncodedItem {
        Item::new().with("pk", "a").with("x", text).into()
    }

    fn stored(
        view: StreamViewType,
        old: Option<&EncodedItem>,
        new: Option<&EncodedItem>,
    ) -> Option<StoredRecord> {
        let stream = (StreamId(3), view);
        let key = ["pk".to_owned()];
        let draft = RecordDraft::of_change(stream, &key, old, new, Author::TimeToLive)?;
        StoredRecord::read(&draft.into_value(77), &key)
    }

    #[test]
    fn views_show_what_they_say_and_the_key_always() {
        let (before, after) = (item("before"), item("after"));
        let key: EncodedItem = Item::new().with("pk", "a").into();
        let views = [
            (StreamViewType::KeysOnly, false, false),
            (StreamViewType::OldImage, true, false),
            (StreamViewType::NewImage, false, true),
            (StreamViewType::NewAndOldImages, true, true),
        ];
        for (view, shows_old, shows_new) in views {
            for (old, new, kind) in [
                (None, Some(&after), OperationType::Insert),
                (Some(&before), Some(&after), OperationType::Modify),
                (Some(&before), None, OperationType::Remove),
            ] {
                let expected = StoredRecord {
                    time: 77,
                    kind,
                    author: Author::TimeToLive,
                    key: key.clone(),
                    old: old.filter(|_| shows_old).cloned(),
                    new: new.filter(|_| shows_new).cloned(),
                };
                assert_eq!(stored(view, old, new), Some(expected));
            }
        }
    }

    #[test]
    fn nothing_is_recorded_of_what_changes_nothing() {
        let (same, equal) = (item("x"), item("x"));
        assert_eq!(stored(StreamViewType::KeysOnly, None, None), None);
        assert_eq!(
            stored(StreamViewType::KeysOnly, Some(&same), Some(&equal)),
            None
        );
    }

    #[test]
    fn a_value_that_is_cut_off_is_damaged() {
        let key = ["pk".to_owned()];
        assert_eq!(
            StoredRecord::read(&Bytes::from_static(b"short"), &key),
            None
        );
        let cut = Bytes::from_static(&[0, 0, 0, 0, 0, 0, 0, 1, OLD | REMOVE, 200, 0, 0, 0, 1]);
        assert_eq!(StoredRecord::read(&cut, &key), None);
    }
}
