//! Values of attributes as values of Rust.

use monotable_item::{AttributeValue, Item, Number};

/// A value of Rust that an attribute can hold.
pub trait TypedValue: Sized {
    /// The value as an attribute holds it.
    fn into_value(self) -> AttributeValue;

    /// The value of an attribute; none if the attribute holds something else.
    fn from_value(value: AttributeValue) -> Option<Self>;
}

/// Bytes of a `binary` attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

/// Adds a value to an item.
pub fn put(item: &mut Item, name: &str, value: impl TypedValue) {
    item.insert(name.to_owned(), value.into_value());
}

/// Adds a value to an item, if there is one.
pub fn put_optional(item: &mut Item, name: &str, value: Option<impl TypedValue>) {
    if let Some(value) = value {
        put(item, name, value);
    }
}

impl TypedValue for String {
    fn into_value(self) -> AttributeValue {
        AttributeValue::S(self)
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::S(text) => Some(text),
            // A computed attribute shows whatever its source holds.
            AttributeValue::N(number) => Some(number.to_string()),
            AttributeValue::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }
}

impl TypedValue for i64 {
    fn into_value(self) -> AttributeValue {
        self.into()
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::N(number) => number.to_string().parse().ok(),
            _ => None,
        }
    }
}

impl TypedValue for Number {
    fn into_value(self) -> AttributeValue {
        AttributeValue::N(self)
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::N(number) => Some(number),
            _ => None,
        }
    }
}

impl TypedValue for bool {
    fn into_value(self) -> AttributeValue {
        AttributeValue::Bool(self)
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::Bool(flag) => Some(flag),
            _ => None,
        }
    }
}

impl TypedValue for Bytes {
    fn into_value(self) -> AttributeValue {
        AttributeValue::B(self.0)
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::B(bytes) => Some(Self(bytes)),
            _ => None,
        }
    }
}

impl TypedValue for Item {
    fn into_value(self) -> AttributeValue {
        self.into()
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::M(map) => Some(map),
            _ => None,
        }
    }
}

impl TypedValue for AttributeValue {
    fn into_value(self) -> AttributeValue {
        self
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        Some(value)
    }
}

impl<T: TypedValue> TypedValue for Vec<T> {
    fn into_value(self) -> AttributeValue {
        AttributeValue::L(self.into_iter().map(T::into_value).collect())
    }

    fn from_value(value: AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::L(values) => values.into_iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}
