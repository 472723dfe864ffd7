//! Stored values, read in place.
//!
//! The views never fail: bytes that are not an encoding (a damaged disk block that slipped through)
//! read as a shorter item, and [`crate::EncodedItem::is_well_formed`] tells.

mod cursor;
mod size;

use crate::encoded::Encoder;
use crate::{AttributeType, AttributeValue, EncodedItem, EncodedValue, Item, Number};
use cursor::Cursor;
use std::cmp::Ordering;
use std::fmt;

/// A stored item or map.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct ItemView<'a>(&'a [u8]);

impl<'a> ItemView<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<ValueView<'a>> {
        let mut cursor = Cursor::new(self.0);
        loop {
            match cursor.sized()?.cmp(name.as_bytes()) {
                Ordering::Less => cursor.skip_value()?,
                Ordering::Equal => return cursor.value(),
                // Names are in order: it cannot come any more.
                Ordering::Greater => return None,
            }
        }
    }

    /// The attributes, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, ValueView<'a>)> + use<'a> {
        let mut cursor = Cursor::new(self.0);
        std::iter::from_fn(move || Some((cursor.text()?, cursor.value()?)))
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is no attribute.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How deep lists and maps nest below its attributes: 0 for scalars and sets only.
    pub fn nesting(&self) -> usize {
        self.iter()
            .map(|(_, value)| value.nesting())
            .max()
            .unwrap_or(0)
    }

    /// The stored bytes.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// A copy of the item, still encoded.
    pub fn to_encoded(&self) -> EncodedItem {
        let mut encoder = Encoder::of_item();
        encoder.append(*self);
        encoder.finish_item()
    }

    /// The item as a tree.
    pub fn to_item(&self) -> Item {
        self.iter()
            .map(|(name, value)| (name.to_owned(), value.to_value()))
            .collect()
    }
}

impl fmt::Debug for ItemView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueView<'a> {
    /// A string.
    S(&'a str),
    /// A number.
    N(NumberView<'a>),
    /// Bytes.
    B(&'a [u8]),
    /// A boolean.
    Bool(bool),
    /// Null.
    Null,
    /// A map.
    M(ItemView<'a>),
    /// A list.
    L(ListView<'a>),
    /// A set of strings.
    Ss(SetView<'a>),
    /// A set of numbers.
    Ns(SetView<'a>),
    /// A set of byte strings.
    Bs(SetView<'a>),
}

impl<'a> ValueView<'a> {
    /// The value at the start of `bytes`.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        Cursor::new(bytes).value()
    }

    /// A number as a 32-bit float, rounded; none of a number that it cannot hold, and of anything else.
    pub fn to_f32(&self) -> Option<f32> {
        let Self::N(number) = self else {
            return None;
        };
        let float = number.as_str().parse::<f32>().ok()?;
        float.is_finite().then_some(float)
    }

    /// The type of this value.
    pub const fn attribute_type(&self) -> AttributeType {
        match self {
            Self::S(_) => AttributeType::S,
            Self::N(_) => AttributeType::N,
            Self::B(_) => AttributeType::B,
            Self::Bool(_) => AttributeType::Bool,
            Self::Null => AttributeType::Null,
            Self::M(_) => AttributeType::M,
            Self::L(_) => AttributeType::L,
            Self::Ss(_) => AttributeType::Ss,
            Self::Ns(_) => AttributeType::Ns,
            Self::Bs(_) => AttributeType::Bs,
        }
    }

    /// The order of two strings, two numbers or two byte strings; other values have none.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::S(a), Self::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Self::N(a), Self::N(b)) => Some(a.to_number().cmp(&b.to_number())),
            (Self::B(a), Self::B(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }

    /// How many lists and maps are inside one another here, this one included.
    fn nesting(&self) -> usize {
        match self {
            Self::M(item) => 1 + item.nesting(),
            Self::L(list) => 1 + list.iter().map(|value| value.nesting()).max().unwrap_or(0),
            Self::S(_)
            | Self::N(_)
            | Self::B(_)
            | Self::Bool(_)
            | Self::Null
            | Self::Ss(_)
            | Self::Ns(_)
            | Self::Bs(_) => 0,
        }
    }

    /// A copy of the value, still encoded.
    pub fn to_encoded(&self) -> EncodedValue {
        EncodedValue::from(*self)
    }

    /// The value as a tree.
    pub fn to_value(&self) -> AttributeValue {
        match self {
            Self::S(text) => AttributeValue::S((*text).to_owned()),
            Self::N(number) => AttributeValue::N(number.to_number()),
            Self::B(bytes) => AttributeValue::B(bytes.to_vec()),
            Self::Bool(value) => AttributeValue::Bool(*value),
            Self::Null => AttributeValue::Null,
            Self::M(item) => AttributeValue::M(item.to_item()),
            Self::L(list) => AttributeValue::L(list.iter().map(|value| value.to_value()).collect()),
            Self::Ss(set) => AttributeValue::Ss(set.texts().map(str::to_owned).collect()),
            Self::Ns(set) => AttributeValue::Ns(
                set.texts()
                    .map(|text| NumberView(text).to_number())
                    .collect(),
            ),
            Self::Bs(set) => AttributeValue::Bs(set.iter().map(<[u8]>::to_vec).collect()),
        }
    }
}

/// A stored number: its canonical text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberView<'a>(&'a str);

impl<'a> NumberView<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The canonical text.
    pub const fn as_str(&self) -> &'a str {
        self.0
    }

    /// The number.
    pub fn to_number(&self) -> Number {
        // INVARIANT: the encoder writes only what `Number` prints.
        self.0.parse().unwrap_or(Number::ZERO)
    }
}

/// A stored list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ListView<'a>(&'a [u8]);

impl<'a> ListView<'a> {
    /// The values, in order.
    pub fn iter(&self) -> impl Iterator<Item = ValueView<'a>> + use<'a> {
        let mut cursor = Cursor::new(self.0);
        std::iter::from_fn(move || cursor.value())
    }

    /// The value at `index`, from 0.
    pub fn get(&self, index: usize) -> Option<ValueView<'a>> {
        let mut cursor = Cursor::new(self.0);
        for _ in 0..index {
            cursor.skip_value()?;
        }
        cursor.value()
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        let mut cursor = Cursor::new(self.0);
        std::iter::from_fn(|| cursor.skip_value()).count()
    }

    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stored bytes.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }
}

impl fmt::Debug for ListView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A stored set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SetView<'a>(&'a [u8]);

impl<'a> SetView<'a> {
    /// The elements: the text of strings, the canonical text of numbers, or bytes.
    pub fn iter(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let mut cursor = Cursor::new(self.0);
        std::iter::from_fn(move || cursor.sized())
    }

    /// The elements of a set of strings or numbers, as text.
    pub fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut cursor = Cursor::new(self.0);
        std::iter::from_fn(move || cursor.text())
    }

    /// Whether `element` is in the set.
    pub fn contains(&self, element: &[u8]) -> bool {
        self.iter().any(|other| other == element)
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is no element; DynamoDB has no such sets.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stored bytes.
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }
}

impl fmt::Debug for SetView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = self.iter().map(String::from_utf8_lossy);
        f.debug_set().entries(texts).finish()
    }
}
