//! Facts: what one row says about one subject.
//!
//! A fact is a row of bytes whose order is that of the subjects: the topic, the subject, a rank, and fields. Within a
//! subject, facts come by their rank, so that a judge can rely on what it has seen.

use crate::address::{Address, KeyTexts};
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::TableId;

/// What a fact is about: one for each mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Topic {
    Values,
    Keys,
    Numbers,
    Claims,
    References,
    Relations,
    Counters,
    Each,
    Derived,
    Paths,
    Checks,
    Collections,
    Tombstones,
    History,
    Singles,
}

impl Topic {
    pub(crate) const ALL: [Self; 15] = [
        Self::Values,
        Self::Keys,
        Self::Numbers,
        Self::Claims,
        Self::References,
        Self::Relations,
        Self::Counters,
        Self::Each,
        Self::Derived,
        Self::Paths,
        Self::Checks,
        Self::Collections,
        Self::Tombstones,
        Self::History,
        Self::Singles,
    ];

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }
}

/// A row of an entity as it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedRow<'r> {
    pub(crate) address: &'r Address,
    pub(crate) record: &'r Record,
    pub(crate) item: &'r Item,
    /// The layout it stands in; none for the one that is written.
    pub(crate) layout: Option<&'r str>,
    /// Whether the row says whose it is; else nothing can be said about the rows that it goes with.
    pub(crate) says_tenant: bool,
}

/// The fields of a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<u8>);

impl Fields {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.0.extend(length.to_be_bytes());
        self.0.extend(bytes);
        self
    }

    pub(crate) fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    /// A number; facts of one rank are in the order of their first numbers.
    pub(crate) fn number(self, number: u64) -> Self {
        self.bytes(&number.to_be_bytes())
    }

    pub(crate) fn address(self, address: &Address) -> Self {
        let table = u64::try_from(address.table().index()).unwrap_or(u64::MAX);
        let sort = address.sort_key();
        self.number(table)
            .text(address.partition_key())
            .number(u64::from(sort.is_some()))
            .text(sort.unwrap_or_default())
    }

    pub(crate) fn item(self, item: &Item) -> Self {
        self.bytes(EncodedItem::from(item).as_bytes())
    }

    pub(crate) fn value(self, value: Option<&AttributeValue>) -> Self {
        let item = value.map(|value| Item::new().with("v", value.clone()));
        self.item(&item.unwrap_or_default())
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Reads fields in the order in which they were written.
#[derive(Clone, Debug)]
pub(crate) struct FieldReader<'f>(pub(crate) &'f [u8]);

impl<'f> FieldReader<'f> {
    pub(crate) fn bytes(&mut self) -> Option<&'f [u8]> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (field, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(field)
    }

    pub(crate) fn text(&mut self) -> Option<&'f str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let bytes = self.bytes()?;
        Some(u64::from_be_bytes(bytes.try_into().ok()?))
    }

    pub(crate) fn address(&mut self, scope: &Scope) -> Option<Address> {
        let table = self.number()?;
        let partition = self.text()?.to_owned();
        let has_sort = self.number()? == 1;
        let sort = self.text()?.to_owned();
        let texts = KeyTexts::new(partition, has_sort.then_some(sort));
        let table = table_at(scope, usize::try_from(table).ok()?)?;
        scope.addressing().locate_pointer(table, texts, true).ok()
    }

    pub(crate) fn item(&mut self) -> Option<Item> {
        let bytes = self.bytes()?.to_vec();
        Some(EncodedItem::from_stored(bytes.into()).to_item())
    }

    pub(crate) fn value(&mut self) -> Option<AttributeValue> {
        let item = self.item()?;
        item.get("v").cloned()
    }
}

/// The address that a subject is.
pub(crate) fn read_address(scope: &Scope, subject: &SubjectKey) -> Option<Address> {
    FieldReader(&subject.key).address(scope)
}

fn table_at(scope: &Scope, index: usize) -> Option<TableId> {
    let mut tables = scope.model().tables();
    tables.find(|(id, _)| id.index() == index).map(|(id, _)| id)
}

/// What facts are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SubjectKey {
    pub(crate) topic: Topic,
    pub(crate) key: Vec<u8>,
}

/// What follows the subject in a fact's bytes; a zero of the subject itself is followed by something else.
const END: [u8; 2] = [0, 0];
const ESCAPED: [u8; 2] = [0, 1];

/// The bytes of a fact.
pub(crate) fn encode(subject: &SubjectKey, rank: u8, fields: &Fields) -> Vec<u8> {
    encode_raw(subject, rank, &fields.0)
}

pub(super) fn encode_raw(subject: &SubjectKey, rank: u8, fields: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(subject.key.len() + fields.len() + 8);
    bytes.push(subject.topic as u8);
    for byte in &subject.key {
        match byte {
            0 => bytes.extend(ESCAPED),
            other => bytes.push(*other),
        }
    }
    bytes.extend(END);
    bytes.push(rank);
    bytes.extend(fields);
    bytes
}

/// The subject, rank and fields of a fact; none if these are no fact's bytes.
pub(crate) fn decode(bytes: &[u8]) -> Option<(SubjectKey, u8, &[u8])> {
    let (topic, mut rest) = bytes.split_first()?;
    let topic = Topic::from_byte(*topic)?;
    let mut key = Vec::new();
    loop {
        let (byte, after) = rest.split_first()?;
        rest = after;
        if *byte != 0 {
            key.push(*byte);
            continue;
        }
        let (next, after) = rest.split_first()?;
        rest = after;
        match next {
            0 => break,
            _ => key.push(0),
        }
    }
    let (rank, fields) = rest.split_first()?;
    Some((SubjectKey { topic, key }, *rank, fields))
}

/// Where rows state facts.
pub(crate) trait FactSink {
    /// Takes a fact.
    fn state(&mut self, topic: Topic, subject: Fields, rank: u8, fields: Fields);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_with_zeros_stay_apart_and_in_order() {
        let fact = |key: &[u8], rank| {
            let subject = SubjectKey {
                topic: Topic::Keys,
                key: key.to_vec(),
            };
            encode(&subject, rank, &Fields::new().text("x"))
        };
        let (short, zero, long) = (fact(b"a", 9), fact(b"a\0b", 0), fact(b"ab", 0));
        assert!(short < zero && zero < long);
        for (bytes, key) in [(&short, &b"a"[..]), (&zero, b"a\0b"), (&long, b"ab")] {
            let (subject, _, fields) = decode(bytes).unwrap();
            assert_eq!(subject.key, key);
            assert_eq!(FieldReader(fields).text(), Some("x"));
        }
    }
}
