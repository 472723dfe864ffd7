//! Attribute values as a tree.

use crate::{AttributeType, Item, Number};
use std::collections::BTreeSet;

/// One DynamoDB value. Sets are kept sorted; DynamoDB gives their order no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// A string.
    S(String),
    /// A number.
    N(Number),
    /// Bytes.
    B(Vec<u8>),
    /// A boolean.
    Bool(bool),
    /// Null.
    Null,
    /// A map.
    M(Item),
    /// A list.
    L(Vec<AttributeValue>),
    /// A set of strings; DynamoDB has no empty sets.
    Ss(BTreeSet<String>),
    /// A set of numbers.
    Ns(BTreeSet<Number>),
    /// A set of byte strings.
    Bs(BTreeSet<Vec<u8>>),
}

impl AttributeValue {
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
}

impl From<&str> for AttributeValue {
    fn from(value: &str) -> Self {
        Self::S(value.into())
    }
}

impl From<String> for AttributeValue {
    fn from(value: String) -> Self {
        Self::S(value)
    }
}

impl From<bool> for AttributeValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<Number> for AttributeValue {
    fn from(value: Number) -> Self {
        Self::N(value)
    }
}

impl From<Item> for AttributeValue {
    fn from(value: Item) -> Self {
        Self::M(value)
    }
}

impl From<Vec<AttributeValue>> for AttributeValue {
    fn from(value: Vec<AttributeValue>) -> Self {
        Self::L(value)
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for AttributeValue {
            fn from(value: $integer) -> Self {
                Self::N(value.into())
            }
        }
    )*};
}

from_integer!(i32, i64, u32, u64, usize);
