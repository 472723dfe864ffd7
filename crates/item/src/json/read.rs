//! DynamoDB JSON straight into the stored encoding.
//!
//! Two kinds of mistakes are told apart, as AWS does: JSON of the wrong shape (`{"S": 5}`) is an error
//! of the reader and becomes a SerializationException; a value that breaks one of DynamoDB's rules (an
//! empty set, a number of 39 digits) is kept as a [`ValueProblem`], because AWS reports it only after
//! it has checked the other members of the request.

mod set;
mod value;

use super::allowance::charge;
use crate::encoded::{Encoder, tag};
use crate::problem::check_attribute_name;
use crate::{AttributeValue, EncodedItem, EncodedValue, Item, ValueProblem};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use value::{EntriesSeed, Sink, ValueSeed};

/// An item as a request gave it: encoded, or the first rule that a value in it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenItem(Result<EncodedItem, ValueProblem>);

impl GivenItem {
    /// The item, if all of its values are DynamoDB's.
    pub const fn checked(&self) -> Result<&EncodedItem, &ValueProblem> {
        self.0.as_ref()
    }

    /// The item, if all of its values are DynamoDB's.
    pub fn into_checked(self) -> Result<EncodedItem, ValueProblem> {
        self.0
    }
}

impl Default for GivenItem {
    fn default() -> Self {
        Self(Ok(EncodedItem::default()))
    }
}

impl From<EncodedItem> for GivenItem {
    fn from(item: EncodedItem) -> Self {
        Self(Ok(item))
    }
}

impl From<Item> for GivenItem {
    fn from(item: Item) -> Self {
        Self::from(&item)
    }
}

impl From<&Item> for GivenItem {
    fn from(item: &Item) -> Self {
        Self(check_tree(item).map(|()| EncodedItem::from(item)))
    }
}

impl Serialize for GivenItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Ok(item) => item.serialize(serializer),
            Err(problem) => Err(serde::ser::Error::custom(problem)),
        }
    }
}

/// What the memory of a value of its own costs beside its bytes.
const ALLOCATION: usize = 32;

impl<'de> Deserialize<'de> for GivenItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        charge(size_of::<Self>() + ALLOCATION)?;
        let mut sink = Sink::new(Encoder::of_item());
        deserializer.deserialize_map(EntriesSeed(&mut sink))?;
        Ok(Self(sink.finish().map(Encoder::finish_item)))
    }
}

impl<'de> Deserialize<'de> for EncodedItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = GivenItem::deserialize(deserializer)?;
        given.0.map_err(serde::de::Error::custom)
    }
}

/// A value as a request gave it: encoded, or the first rule that it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenValue(Result<EncodedValue, ValueProblem>);

impl GivenValue {
    /// The value, if it is one of DynamoDB's.
    pub const fn checked(&self) -> Result<&EncodedValue, &ValueProblem> {
        self.0.as_ref()
    }
}

impl From<EncodedValue> for GivenValue {
    fn from(value: EncodedValue) -> Self {
        Self(Ok(value))
    }
}

impl From<AttributeValue> for GivenValue {
    fn from(value: AttributeValue) -> Self {
        Self(check_value(&value, 0).map(|()| EncodedValue::from(&value)))
    }
}

impl Serialize for GivenValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Ok(value) => value.serialize(serializer),
            Err(problem) => Err(serde::ser::Error::custom(problem)),
        }
    }
}

impl<'de> Deserialize<'de> for GivenValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        charge(size_of::<Self>() + ALLOCATION)?;
        let mut sink = Sink::new(Encoder::default());
        deserializer.deserialize_map(ValueSeed(&mut sink))?;
        let encoded = sink.finish().map(Encoder::finish);
        Ok(Self(encoded.map(EncodedValue::from_encoder)))
    }
}

/// The rules that a tree, unlike JSON, can still break.
fn check_tree(item: &Item) -> Result<(), ValueProblem> {
    check_entries(item, 0)
}

fn check_entries(item: &Item, depth: usize) -> Result<(), ValueProblem> {
    for (name, value) in item {
        check_attribute_name(name)?;
        check_value(value, depth)?;
    }
    Ok(())
}

fn check_value(value: &AttributeValue, depth: usize) -> Result<(), ValueProblem> {
    match value {
        AttributeValue::Ss(set) if set.is_empty() => Err(ValueProblem::EmptyStringSet),
        AttributeValue::Ns(set) if set.is_empty() => Err(ValueProblem::EmptyNumberSet),
        AttributeValue::Bs(set) if set.is_empty() => Err(ValueProblem::EmptyBinarySet),
        AttributeValue::M(_) | AttributeValue::L(_) if depth + 1 >= crate::limits::MAX_NESTING => {
            Err(ValueProblem::TooDeep)
        }
        AttributeValue::M(item) => check_entries(item, depth + 1),
        AttributeValue::L(values) => values
            .iter()
            .try_for_each(|value| check_value(value, depth + 1)),
        AttributeValue::S(_)
        | AttributeValue::N(_)
        | AttributeValue::B(_)
        | AttributeValue::Bool(_)
        | AttributeValue::Null
        | AttributeValue::Ss(_)
        | AttributeValue::Ns(_)
        | AttributeValue::Bs(_) => Ok(()),
    }
}
