//! Writes the stored encoding.

use super::{tag, varint};
use crate::{AttributeValue, EncodedItem, Item, ItemView, ValueView};
use bytes::Bytes;
use std::fmt::Write;
use std::ops::Range;

/// How many bytes at the start of an item say its size.
pub(super) const WEIGHT_BYTES: usize = 4;

/// Room for an item whose size is not known, in bytes: it is not moved again and again while it grows.
const USUAL_ITEM: usize = 512;

/// Appends values to one buffer.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    buffer: Vec<u8>,
    /// Space for a number's text.
    text: String,
}

/// Where the entries of an open map start, to put them in order when it closes.
#[derive(Debug, Default)]
pub(crate) struct Entries(Vec<usize>);

/// An open body whose size is not known yet.
pub(crate) struct OpenBody {
    size_at: usize,
}

impl OpenBody {
    /// Where the body starts.
    pub(crate) const fn start(&self) -> usize {
        self.size_at + 4
    }
}

impl Encoder {
    /// Begins an item: entries are to follow.
    pub(crate) fn of_item() -> Self {
        Self::of_item_with_room(USUAL_ITEM)
    }

    /// Begins an item whose entries take so many bytes.
    pub(crate) fn of_item_with_room(bytes: usize) -> Self {
        let mut buffer = Vec::with_capacity(WEIGHT_BYTES + bytes);
        buffer.extend_from_slice(&[0; WEIGHT_BYTES]);
        let text = String::new();
        Self { buffer, text }
    }

    /// The item; INVARIANT: begun by `of_item` or `of_item_with_room`.
    pub(crate) fn finish_item(mut self) -> EncodedItem {
        let entries = self.buffer.get(WEIGHT_BYTES..).unwrap_or_default();
        if entries.is_empty() {
            return EncodedItem::default();
        }
        let weight = ItemView::new(entries).size() as u32;
        if let Some(space) = self.buffer.first_chunk_mut() {
            *space = weight.to_le_bytes();
        }
        // An item may be kept for long, in a cache or in a memtable: without the room that was not needed.
        self.buffer.shrink_to_fit();
        EncodedItem::from_stored(self.finish())
    }

    /// Appends the entries of an item that is encoded already.
    pub(crate) fn append(&mut self, item: ItemView<'_>) {
        self.buffer.extend_from_slice(item.as_bytes());
    }

    /// How much is written.
    pub(crate) fn len(&self) -> usize {
        self.buffer.len()
    }

    pub(crate) fn finish(self) -> Bytes {
        self.buffer.into()
    }

    /// Starts a value with a body of unknown size.
    pub(crate) fn open(&mut self, tag: u8) -> OpenBody {
        self.buffer.push(tag);
        let size_at = self.buffer.len();
        self.buffer.extend_from_slice(&[0; 4]);
        OpenBody { size_at }
    }

    /// Ends it and notes its size.
    pub(crate) fn close(&mut self, body: OpenBody) {
        let size = self.buffer.len().saturating_sub(body.start()) as u32;
        if let Some(space) = self.buffer.get_mut(body.size_at..body.start()) {
            space.copy_from_slice(&size.to_le_bytes());
        }
    }

    pub(crate) fn begin_entry(&mut self, entries: &mut Entries, name: &str) {
        entries.0.push(self.buffer.len());
        self.sized(name.as_bytes());
    }

    /// Puts the entries that start at `start` in order of their names. Of two with one name the
    /// later one stays.
    pub(crate) fn end_entries(&mut self, entries: Entries, start: usize) {
        let ranges = entries.ranges(self.buffer.len());
        let name = |range: &Range<usize>| entry_name(self.buffer.get(range.clone()).unwrap_or(&[]));
        if ranges.is_sorted_by(|a, b| name(a) < name(b)) {
            return;
        }
        let mut ordered = ranges;
        // Later entries first among equals, so that `dedup` keeps the last one given.
        ordered.reverse();
        ordered.sort_by(|a, b| name(a).cmp(name(b)));
        ordered.dedup_by(|later, first| name(later) == name(first));
        let mut body = Vec::with_capacity(self.buffer.len().saturating_sub(start));
        for range in ordered {
            body.extend_from_slice(self.buffer.get(range).unwrap_or_default());
        }
        self.buffer.truncate(start);
        self.buffer.extend_from_slice(&body);
    }

    /// A length and that many bytes.
    fn sized(&mut self, bytes: &[u8]) {
        varint::write(&mut self.buffer, bytes.len());
        self.buffer.extend_from_slice(bytes);
    }

    pub(crate) fn scalar(&mut self, tag: u8, bytes: &[u8]) {
        self.buffer.push(tag);
        self.sized(bytes);
    }

    /// An entry whose value is a text; INVARIANT: entries come in the order of their names, each once.
    pub(super) fn text_entry(&mut self, name: &str, text: &str) {
        self.sized(name.as_bytes());
        self.scalar(tag::S, text.as_bytes());
    }

    pub(crate) fn null(&mut self) {
        self.buffer.push(tag::NULL);
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.buffer.push(if value { tag::TRUE } else { tag::FALSE });
    }

    pub(crate) fn number(&mut self, number: crate::Number) {
        self.with_text(number, |encoder, text| encoder.scalar(tag::N, text));
    }

    fn with_text(&mut self, number: crate::Number, write: impl FnOnce(&mut Self, &[u8])) {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        // Writing to a String cannot fail.
        let _ = write!(text, "{number}");
        write(self, text.as_bytes());
        self.text = text;
    }

    /// A set; INVARIANT: `elements` are in order, each once.
    pub(crate) fn set<'a>(&mut self, tag: u8, elements: impl Iterator<Item = &'a [u8]>) {
        let body = self.open(tag);
        elements.for_each(|element| self.sized(element));
        self.close(body);
    }

    /// A set of numbers; INVARIANT: `elements` are in order, each once.
    pub(crate) fn number_set<'a>(&mut self, elements: impl Iterator<Item = &'a crate::Number>) {
        let body = self.open(tag::NS);
        for number in elements {
            self.with_text(*number, |encoder, text| encoder.sized(text));
        }
        self.close(body);
    }

    /// The entries of an item; a tree is in order already.
    pub(crate) fn entries(&mut self, item: &Item) {
        for (name, value) in item {
            self.sized(name.as_bytes());
            self.value(value);
        }
    }

    pub(crate) fn value(&mut self, value: &AttributeValue) {
        match value {
            AttributeValue::S(text) => self.scalar(tag::S, text.as_bytes()),
            AttributeValue::N(number) => self.number(*number),
            AttributeValue::B(bytes) => self.scalar(tag::B, bytes),
            AttributeValue::Bool(value) => self.bool(*value),
            AttributeValue::Null => self.null(),
            AttributeValue::M(item) => {
                let body = self.open(tag::M);
                self.entries(item);
                self.close(body);
            }
            AttributeValue::L(values) => {
                let body = self.open(tag::L);
                values.iter().for_each(|value| self.value(value));
                self.close(body);
            }
            AttributeValue::Ss(set) => self.set(tag::SS, set.iter().map(|text| text.as_bytes())),
            AttributeValue::Ns(set) => self.number_set(set.iter()),
            AttributeValue::Bs(set) => self.set(tag::BS, set.iter().map(Vec::as_slice)),
        }
    }

    /// A value that is encoded already.
    pub(crate) fn view(&mut self, value: ValueView<'_>) {
        match value {
            ValueView::S(text) => self.scalar(tag::S, text.as_bytes()),
            ValueView::N(number) => self.scalar(tag::N, number.as_str().as_bytes()),
            ValueView::B(bytes) => self.scalar(tag::B, bytes),
            ValueView::Bool(value) => self.bool(value),
            ValueView::Null => self.null(),
            ValueView::M(item) => self.body(tag::M, item.as_bytes()),
            ValueView::L(list) => self.body(tag::L, list.as_bytes()),
            ValueView::Ss(set) => self.body(tag::SS, set.as_bytes()),
            ValueView::Ns(set) => self.body(tag::NS, set.as_bytes()),
            ValueView::Bs(set) => self.body(tag::BS, set.as_bytes()),
        }
    }

    fn body(&mut self, tag: u8, bytes: &[u8]) {
        let body = self.open(tag);
        self.buffer.extend_from_slice(bytes);
        self.close(body);
    }
}

impl Entries {
    fn ranges(&self, end: usize) -> Vec<Range<usize>> {
        let ends = self.0.iter().copied().skip(1).chain([end]);
        self.0
            .iter()
            .copied()
            .zip(ends)
            .map(|(a, b)| a..b)
            .collect()
    }
}

/// How many bytes an entry takes whose value is a text.
pub(super) const fn text_entry_room((name, text): (&str, &str)) -> usize {
    let lengths = varint::room(name.len()) + varint::room(text.len());
    lengths + name.len() + 1 + text.len()
}

/// The name at the start of an entry.
fn entry_name(entry: &[u8]) -> &[u8] {
    varint::read(entry)
        .and_then(|(length, rest)| rest.get(..length))
        .unwrap_or(&[])
}
