//! `ExpressionAttributeValues`: what stands for the `:name`s of a request's expressions.

use monotable_item::{
    AttributeValue, EncodedItem, GivenValue, Item, ItemBuilder, ValueProblem, ValueView,
};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};
use std::fmt;

/// Values by placeholder, read straight into the stored encoding.
///
/// Like a [`GivenItem`](monotable_item::GivenItem) it keeps the first rule that a value breaks until
/// the request's other members are checked; unlike one it also keeps whose value that was, because
/// AWS says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpressionValues {
    values: EncodedItem,
    problem: Option<BrokenValue>,
}

/// A value that breaks a rule of DynamoDB's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BrokenValue {
    pub(crate) placeholder: String,
    pub(crate) problem: ValueProblem,
}

impl ExpressionValues {
    /// The values by placeholder, if all of them are DynamoDB's.
    pub(crate) const fn checked(&self) -> Result<&EncodedItem, &BrokenValue> {
        match &self.problem {
            None => Ok(&self.values),
            Some(problem) => Err(problem),
        }
    }

    /// What stands for a placeholder.
    #[must_use]
    pub fn get(&self, placeholder: &str) -> Option<ValueView<'_>> {
        self.values.view().get(placeholder)
    }

    /// One more value. A placeholder given twice has the last value.
    pub fn insert(&mut self, placeholder: &str, value: impl Into<AttributeValue>) {
        let mut reader = Reader::over(std::mem::take(self));
        reader.push(placeholder.to_owned(), GivenValue::from(value.into()));
        *self = reader.finish();
    }
}

impl From<Item> for ExpressionValues {
    fn from(values: Item) -> Self {
        let mut reader = Reader::over(Self::default());
        for (placeholder, value) in values {
            reader.push(placeholder, GivenValue::from(value));
        }
        reader.finish()
    }
}

impl Serialize for ExpressionValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.checked() {
            Ok(values) => values.serialize(serializer),
            Err(broken) => Err(S::Error::custom(&broken.problem)),
        }
    }
}

impl<'de> Deserialize<'de> for ExpressionValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader::over(Self::default()))
    }
}

/// Collects values.
struct Reader {
    builder: ItemBuilder,
    problem: Option<BrokenValue>,
}

impl Reader {
    fn over(values: ExpressionValues) -> Self {
        let mut builder = ItemBuilder::new();
        for (placeholder, value) in values.values.view().iter() {
            builder.push(placeholder, value);
        }
        Self {
            builder,
            problem: values.problem,
        }
    }

    fn push(&mut self, placeholder: String, value: GivenValue) {
        match value.checked() {
            Ok(value) => self.builder.push(&placeholder, value.view()),
            Err(problem) if self.problem.is_none() => {
                self.problem = Some(BrokenValue {
                    placeholder,
                    problem: problem.clone(),
                });
            }
            Err(_) => {}
        }
    }

    fn finish(self) -> ExpressionValues {
        ExpressionValues {
            values: self.builder.finish(),
            problem: self.problem,
        }
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = ExpressionValues;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
        while let Some((placeholder, value)) = map.next_entry::<String, GivenValue>()? {
            self.push(placeholder, value);
        }
        Ok(self.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_can_be_added() {
        let mut values = ExpressionValues::default();
        values.insert(":a", "x");
        values.insert(":b", 1);
        let expected = Item::new().with(":a", "x").with(":b", 1);
        assert_eq!(values, ExpressionValues::from(expected));
    }

    #[test]
    fn the_first_broken_value_is_remembered_with_its_placeholder() {
        let text = r#"{":a":{"S":"x"},":b":{},":c":{"NULL":false}}"#;
        let values: ExpressionValues = serde_json::from_str(text).unwrap();
        let broken = values.checked().unwrap_err();
        assert_eq!(
            (broken.placeholder.as_str(), &broken.problem),
            (":b", &ValueProblem::NoType)
        );
    }
}
