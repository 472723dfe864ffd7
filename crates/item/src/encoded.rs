//! The stored encoding.
//!
//! ```text
//! item  = weight32 entry*                 sorted by name, each name once; no bytes if there is no entry
//! entry = length name value
//! value = tag                             true, false, null
//!       | tag length bytes                S, N (canonical text), B
//!       | tag size32 entry*               M
//!       | tag size32 value*               L
//!       | tag size32 (length bytes)*      SS, NS, BS, sorted, each element once
//! ```
//!
//! `length` is a varint, `size32` four little-endian bytes that count the body that follows, so that a
//! reader skips any value in one step. `weight32` is the size of the item as AWS counts it, four
//! little-endian bytes: a page of a Query adds up the sizes of its items without walking through them.
//! The encoding is canonical: two values are equal exactly when
//! their bytes are.

mod encoder;
pub(crate) mod tag;
pub(crate) mod varint;

use crate::{AttributeValue, Item, ItemView, ValueView};
use bytes::Bytes;
pub(crate) use encoder::Encoder;
use std::fmt;

/// An item in the stored encoding. Cheap to clone.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct EncodedItem(Bytes);

impl EncodedItem {
    /// Takes bytes that this crate once wrote. They are not checked here: damaged bytes read as an item
    /// with fewer attributes; see [`EncodedItem::is_well_formed`].
    pub const fn from_stored(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// An item of one or two texts, such as a key: written at once, into as much room as it needs.
    pub fn from_texts(first: (&str, &str), second: Option<(&str, &str)>) -> Self {
        let (first, second) = match second {
            Some(second) if second.0 == first.0 => (second, None),
            Some(second) if second.0 < first.0 => (second, Some(first)),
            second => (first, second),
        };
        let room = encoder::text_entry_room(first) + second.map_or(0, encoder::text_entry_room);
        let mut encoder = Encoder::of_item_with_room(room);
        for (name, text) in std::iter::once(first).chain(second) {
            encoder.text_entry(name, text);
        }
        encoder.finish_item()
    }

    /// The item, borrowed.
    pub fn view(&self) -> ItemView<'_> {
        ItemView::new(self.0.get(encoder::WEIGHT_BYTES..).unwrap_or_default())
    }

    /// The size of the item in bytes, as AWS counts it: [`ItemView::size`], noted when it was encoded.
    pub fn size(&self) -> usize {
        self.0
            .first_chunk()
            .map_or(0, |weight| u32::from_le_bytes(*weight) as usize)
    }

    /// The stored bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The stored bytes, to keep.
    pub fn into_bytes(self) -> Bytes {
        self.0
    }

    /// Whether there is no attribute.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The item as a tree.
    pub fn to_item(&self) -> Item {
        self.view().to_item()
    }

    /// Whether the bytes are exactly what encoding this item gives.
    pub fn is_well_formed(&self) -> bool {
        Self::from(&self.to_item()).0 == self.0
    }
}

impl fmt::Debug for EncodedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl From<&Item> for EncodedItem {
    fn from(item: &Item) -> Self {
        let mut encoder = Encoder::of_item();
        encoder.entries(item);
        encoder.finish_item()
    }
}

impl From<Item> for EncodedItem {
    fn from(item: Item) -> Self {
        Self::from(&item)
    }
}

/// One value in the stored encoding. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EncodedValue(Bytes);

impl EncodedValue {
    pub(crate) const fn from_encoder(bytes: Bytes) -> Self {
        Self(bytes)
    }

    /// The value, borrowed.
    pub fn view(&self) -> ValueView<'_> {
        // INVARIANT: every constructor writes one whole value.
        ValueView::read(&self.0).unwrap_or(ValueView::Null)
    }

    /// The stored bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for EncodedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl From<&AttributeValue> for EncodedValue {
    fn from(value: &AttributeValue) -> Self {
        let mut encoder = Encoder::default();
        encoder.value(value);
        Self(encoder.finish())
    }
}

impl From<AttributeValue> for EncodedValue {
    fn from(value: AttributeValue) -> Self {
        Self::from(&value)
    }
}

impl From<ValueView<'_>> for EncodedValue {
    fn from(value: ValueView<'_>) -> Self {
        let mut encoder = Encoder::default();
        encoder.view(value);
        Self(encoder.finish())
    }
}

/// Puts an item together from values, in any order of names.
#[derive(Debug)]
pub struct ItemBuilder {
    encoder: Encoder,
    entries: encoder::Entries,
}

impl Default for ItemBuilder {
    fn default() -> Self {
        Self {
            encoder: Encoder::of_item(),
            entries: encoder::Entries::default(),
        }
    }
}

impl ItemBuilder {
    /// No attributes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an attribute. Of two with one name the later one stays.
    pub fn push(&mut self, name: &str, value: ValueView<'_>) {
        self.encoder.begin_entry(&mut self.entries, name);
        self.encoder.view(value);
    }

    /// Adds an attribute from a tree.
    pub fn push_value(&mut self, name: &str, value: &AttributeValue) {
        self.encoder.begin_entry(&mut self.entries, name);
        self.encoder.value(value);
    }

    /// The item.
    pub fn finish(mut self) -> EncodedItem {
        self.encoder
            .end_entries(self.entries, encoder::WEIGHT_BYTES);
        self.encoder.finish_item()
    }
}
