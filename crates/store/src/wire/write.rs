//! Values to plain JSON.

use super::{BYTES, MAP, NUMBER, SET, is_mark};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{AttributeValue, Item, Number};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// An item that serializes as plain JSON.
#[derive(Clone, Copy, Debug)]
pub struct PlainItem<'a>(pub &'a Item);

/// A value that serializes as plain JSON.
#[derive(Clone, Copy, Debug)]
pub struct PlainValue<'a>(pub &'a AttributeValue);

impl Serialize for PlainItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, PlainValue(value))))
    }
}

impl Serialize for PlainValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AttributeValue::S(text) => serializer.serialize_str(text),
            AttributeValue::N(number) => PlainNumber(*number).serialize(serializer),
            AttributeValue::B(bytes) => PlainBytes(bytes).serialize(serializer),
            AttributeValue::Bool(flag) => serializer.serialize_bool(*flag),
            AttributeValue::Null => serializer.serialize_unit(),
            AttributeValue::L(values) => serializer.collect_seq(values.iter().map(PlainValue)),
            AttributeValue::M(item) => {
                let mut names = item.iter().map(|(name, _)| name);
                match (names.next(), names.next()) {
                    (Some(name), None) if is_mark(name) => mark(serializer, MAP, &PlainItem(item)),
                    _ => PlainItem(item).serialize(serializer),
                }
            }
            AttributeValue::Ss(texts) => mark(serializer, SET, texts),
            AttributeValue::Ns(numbers) => {
                let numbers: Vec<_> = numbers.iter().copied().map(PlainNumber).collect();
                mark(serializer, SET, &numbers)
            }
            AttributeValue::Bs(blobs) => {
                let blobs: Vec<_> = blobs.iter().map(|bytes| PlainBytes(bytes)).collect();
                mark(serializer, SET, &blobs)
            }
        }
    }
}

fn mark<S: Serializer>(
    serializer: S,
    name: &str,
    value: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(name, value)?;
    map.end()
}

struct PlainBytes<'a>(&'a [u8]);

impl Serialize for PlainBytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        mark(serializer, BYTES, &STANDARD.encode(self.0))
    }
}

struct PlainNumber(Number);

impl Serialize for PlainNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits = self.0.to_string();
        if !is_exact_double(self.0, &digits) {
            return mark(serializer, NUMBER, &digits);
        }
        let raw = RawValue::from_string(digits).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Whether a reader that makes a double of the digits gets exactly this number: its shortest text is the number again.
fn is_exact_double(number: Number, digits: &str) -> bool {
    let double: Option<f64> = digits.parse().ok();
    let again = double.and_then(|double| format!("{double:?}").parse::<Number>().ok());
    again == Some(number)
}
