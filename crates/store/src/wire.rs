//! Values as plain JSON, for operations and rows that leave or enter the process as text.
//!
//! Texts, booleans, null, lists and maps are what they look like. A number is a JSON number if a double holds exactly that
//! number; else it is `{"$number": "0.1234567890123456789"}`. What JSON lacks is marked: `{"$bytes": base64}` and
//! `{"$set": [..]}`. A map with a single member that looks like a mark is wrapped: `{"$map": {..}}`. Numbers are read as their
//! digits, so a JSON number of 38 digits is taken as it is.

mod members;
mod read;
mod write;

pub use members::Members;
pub use read::{WireError, read_item, read_value};
pub use write::{PlainItem, PlainValue};

use monotable_item::Item;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serializer};
use serde_json::value::RawValue;
use std::time::Duration;

const BYTES: &str = "$bytes";
const MAP: &str = "$map";
const NUMBER: &str = "$number";
const SET: &str = "$set";

/// Whether a member's name is that of a mark: a map whose only member has such a name is read as what it marks.
#[must_use]
pub fn is_mark(name: &str) -> bool {
    [BYTES, MAP, NUMBER, SET].contains(&name)
}

/// Items as members of operations.
pub(crate) mod item {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(item: &Item, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&PlainItem(item), serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Item, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        read_item(raw.get()).map_err(serde::de::Error::custom)
    }
}

/// Durations as whole seconds.
pub(crate) mod seconds {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(time.as_secs())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_secs)
    }
}

/// A member that may be null, which is something else than its absence.
pub(super) fn read_nullable<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// Items as a list.
pub(super) fn serialize_items<S: Serializer>(
    items: &[Item],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(items.len()))?;
    for item in items {
        list.serialize_element(&PlainItem(item))?;
    }
    list.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::{AttributeValue, Number};

    fn render_item(item: &Item) -> String {
        serde_json::to_string(&PlainItem(item)).unwrap()
    }

    #[test]
    fn every_kind_of_value_comes_back() {
        let digits: Number = "0.12345678901234567890123456789012345678".parse().unwrap();
        let numbers = ["1".parse().unwrap(), digits];
        let item = Item::new()
            .with("b", AttributeValue::B(vec![0, 255]))
            .with("bs", AttributeValue::Bs([vec![1]].into()))
            .with("l", vec![AttributeValue::from(1), "a".into()])
            .with("m", Item::new().with("$bytes", "not a mark"))
            .with("n", digits)
            .with("ns", AttributeValue::Ns(numbers.into()))
            .with("small", 7)
            .with("ss", AttributeValue::Ss(["x".to_owned()].into()))
            .with("t", true)
            .with("z", AttributeValue::Null);
        let text = render_item(&item);
        assert_eq!(
            text,
            concat!(
                r#"{"b":{"$bytes":"AP8="},"bs":{"$set":[{"$bytes":"AQ=="}]},"l":[1,"a"],"#,
                r#""m":{"$map":{"$bytes":"not a mark"}},"n":{"$number":"0.12345678901234567890123456789012345678"},"#,
                r#""ns":{"$set":[{"$number":"0.12345678901234567890123456789012345678"},1]},"small":7,"#,
                r#""ss":{"$set":["x"]},"t":true,"z":null}"#
            )
        );
        assert_eq!(read_item(&text).unwrap(), item);
    }

    #[test]
    fn an_empty_name_is_refused() {
        let problem = |text: &str| read_item(text).unwrap_err().to_string();
        assert_eq!(problem(r#"{"": 1}"#), "the name of an attribute is empty");
        for text in [r#"{"m": [{"": 1}]}"#, r#"{"m": [{"$map": {"": 1}}]}"#] {
            assert!(
                problem(text).starts_with("m[0]: a name in the map is empty"),
                "{text}: {}",
                problem(text)
            );
        }
    }

    #[test]
    fn json_numbers_keep_their_digits() {
        let item = read_item(r#"{"n": 0.12345678901234567890123456789012345678}"#).unwrap();
        let digits: Number = "0.12345678901234567890123456789012345678".parse().unwrap();
        assert_eq!(item.get("n"), Some(&AttributeValue::N(digits)));
    }

    #[test]
    fn texts_are_read_with_and_without_escapes() {
        let text = |json: &str| match read_item(&format!("  {{\"t\": {json}}}\n")) {
            Ok(item) => item.get("t").cloned(),
            Err(_) => None,
        };
        for (json, wanted) in [
            (r#""""#, ""),
            (r#""ä \u00e4 \n""#, "ä ä \n"),
            (r#""\"""#, "\""),
            (r#""a/b""#, "a/b"),
        ] {
            assert_eq!(text(json), Some(wanted.into()), "{json}");
        }
        for wrong in ["\"a\nb\"", r#""\x""#, r#""\ud800""#, r#""a"#, r#""a" "b""#] {
            assert_eq!(text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn problems_name_the_attribute() {
        let problem = |text: &str| read_item(text).unwrap_err().to_string();
        assert!(problem(r#"{"a": {"b": {"$bytes": 1}}}"#).starts_with("a.b: "));
        assert!(problem(r#"{"a": {"$set": []}}"#).starts_with("a: a set has one element"));
        assert!(problem(r#"{"a": {"$set": [1, "x"]}}"#).starts_with("a: "));
        assert!(problem("[]").starts_with("not a JSON object"));
    }
}
