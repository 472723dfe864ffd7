//! Values to plain JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use monotable_item::{ItemView, ValueView};
use monotable_store::wire;
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// An item that serializes as plain JSON.
pub(crate) struct PlainItem<'a>(pub(crate) ItemView<'a>);

/// A value that serializes as plain JSON.
pub(crate) struct PlainValue<'a>(pub(crate) ValueView<'a>);

impl Serialize for PlainItem<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, PlainValue(value))))
    }
}

impl Serialize for PlainValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ValueView::S(text) => serializer.serialize_str(text),
            ValueView::N(number) => DigitsOf(number.as_str()).serialize(serializer),
            ValueView::B(bytes) => serializer.serialize_str(&STANDARD.encode(bytes)),
            ValueView::Bool(value) => serializer.serialize_bool(value),
            ValueView::Null => serializer.serialize_unit(),
            ValueView::M(item) => PlainItem(item).serialize(serializer),
            ValueView::L(list) => serializer.collect_seq(list.iter().map(PlainValue)),
            ValueView::Ss(set) => serializer.collect_seq(set.texts()),
            ValueView::Ns(set) => serializer.collect_seq(set.texts().map(DigitsOf)),
            ValueView::Bs(set) => {
                serializer.collect_seq(set.iter().map(|bytes| STANDARD.encode(bytes)))
            }
        }
    }
}

/// A number's canonical text, which is a JSON number as it stands.
struct DigitsOf<'a>(&'a str);

impl Serialize for DigitsOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.to_owned()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// Whether reading the plain form gives the same item again: no sets, no binary values, and no map that looks like a mark
/// of them.
pub(crate) fn is_reversible(item: ItemView<'_>) -> bool {
    item.iter().all(|(_, value)| is_plain(value))
}

fn is_plain(value: ValueView<'_>) -> bool {
    match value {
        ValueView::S(_) | ValueView::N(_) | ValueView::Bool(_) | ValueView::Null => true,
        ValueView::M(item) => is_reversible(item) && !looks_marked(item),
        ValueView::L(list) => list.iter().all(is_plain),
        ValueView::B(_) | ValueView::Ss(_) | ValueView::Ns(_) | ValueView::Bs(_) => false,
    }
}

fn looks_marked(item: ItemView<'_>) -> bool {
    let mut names = item.iter().map(|(name, _)| name);
    matches!((names.next(), names.next()), (Some(name), None) if wire::is_mark(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain_json::read_item;
    use monotable_item::{AttributeValue, EncodedItem, Item};

    fn plain(item: &Item) -> String {
        serde_json::to_string(&PlainItem(EncodedItem::from(item).view())).unwrap()
    }

    #[test]
    fn plain_values_round_trip() {
        let text = r#"{"l":[1,"a",null,true,{"k":[]}],"n":-0.12345678901234567890123456789012345678,"s":"ü\n"}"#;
        let item = read_item(text).unwrap();
        assert_eq!(plain(&item), text);
        assert!(is_reversible(EncodedItem::from(&item).view()));
    }

    #[test]
    fn sets_are_arrays_and_binaries_are_base64() {
        let numbers = ["1".parse().unwrap(), "2.5".parse().unwrap()];
        let item = Item::new()
            .with("b", AttributeValue::B(vec![0, 255]))
            .with("bs", AttributeValue::Bs([vec![1]].into()))
            .with("ns", AttributeValue::Ns(numbers.into()))
            .with("ss", AttributeValue::Ss(["x".to_owned()].into()));
        assert_eq!(
            plain(&item),
            r#"{"b":"AP8=","bs":["AQ=="],"ns":[1,2.5],"ss":["x"]}"#
        );
        for name in ["b", "bs", "ns", "ss"] {
            let nested = Item::new().with("m", vec![item.get(name).unwrap().clone()]);
            assert!(!is_reversible(EncodedItem::from(&nested).view()), "{name}");
        }
    }

    #[test]
    fn a_map_that_looks_like_a_mark_cannot_be_read_back() {
        let marked = Item::new().with("$set", vec![AttributeValue::from("a")]);
        let item = Item::new().with("m", AttributeValue::M(marked));
        assert!(!is_reversible(EncodedItem::from(&item).view()));
    }
}
