//! The stored encoding, its views, its JSON and its key bytes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/arbitrary.rs"]
mod arbitrary;

use arbitrary::{item, name, text, value};
use bytes::Bytes;
use monotable_item::key::{KeyType, read_component, write_component, write_prefix};
use monotable_item::{
    AttributeValue, EncodedItem, EncodedValue, GivenItem, Item, ItemBuilder, ValueProblem,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// DynamoDB JSON, written the plain way.
fn json_of(value: &AttributeValue) -> Value {
    use base64::Engine;
    let base64 = |bytes: &Vec<u8>| base64::engine::general_purpose::STANDARD.encode(bytes);
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number.to_string() }),
        AttributeValue::B(bytes) => json!({ "B": base64(bytes) }),
        AttributeValue::Bool(value) => json!({ "BOOL": value }),
        AttributeValue::Null => json!({ "NULL": true }),
        AttributeValue::M(item) => json!({ "M": json_of_item(item) }),
        AttributeValue::L(values) => json!({ "L": values.iter().map(json_of).collect::<Vec<_>>() }),
        AttributeValue::Ss(set) => json!({ "SS": set }),
        AttributeValue::Ns(set) => {
            json!({ "NS": set.iter().map(ToString::to_string).collect::<Vec<_>>() })
        }
        AttributeValue::Bs(set) => json!({ "BS": set.iter().map(base64).collect::<Vec<_>>() }),
    }
}

fn json_of_item(item: &Item) -> Value {
    let members = item
        .iter()
        .map(|(name, value)| (name.clone(), json_of(value)));
    Value::Object(members.collect::<Map<_, _>>())
}

/// AWS's size rules, on the tree.
fn size_of(value: &AttributeValue) -> usize {
    let number = |text: String| {
        let digits = text.replace(['-', '.'], "");
        let digits = digits.trim_start_matches('0').trim_end_matches('0');
        // Pairs of digits on even powers of ten, by walking over the written-out number.
        let unsigned = text.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let whole = if whole.len() % 2 == 1 {
            format!("0{whole}")
        } else {
            whole.to_owned()
        };
        let fraction = if fraction.len() % 2 == 1 {
            format!("{fraction}0")
        } else {
            fraction.to_owned()
        };
        let pairs: Vec<bool> = format!("{whole}{fraction}")
            .as_bytes()
            .chunks(2)
            .map(|pair| pair != b"00")
            .collect();
        let first = pairs.iter().position(|used| *used);
        let last = pairs.iter().rposition(|used| *used);
        let spanned = first.zip(last).map_or(0, |(first, last)| last - first + 1);
        if digits.is_empty() {
            1
        } else {
            1 + spanned + usize::from(text.starts_with('-'))
        }
    };
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(value) => number(value.to_string()),
        AttributeValue::B(bytes) => bytes.len(),
        AttributeValue::Bool(_) | AttributeValue::Null => 1,
        AttributeValue::M(item) => {
            3 + item
                .iter()
                .map(|(n, v)| n.len() + size_of(v) + 1)
                .sum::<usize>()
        }
        AttributeValue::L(values) => 3 + values.iter().map(|v| size_of(v) + 1).sum::<usize>(),
        AttributeValue::Ss(set) => set.iter().map(String::len).sum(),
        AttributeValue::Ns(set) => set.iter().map(|value| number(value.to_string())).sum(),
        AttributeValue::Bs(set) => set.iter().map(Vec::len).sum(),
    }
}

fn component(value: &AttributeValue) -> Vec<u8> {
    let mut bytes = Vec::new();
    assert!(write_component(
        &mut bytes,
        EncodedValue::from(value).view()
    ));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn items_round_trip(item in item()) {
        let encoded = EncodedItem::from(&item);
        prop_assert_eq!(&encoded.to_item(), &item);
        prop_assert!(encoded.is_well_formed());
        for (name, value) in &item {
            prop_assert_eq!(encoded.view().get(name).unwrap().to_value(), value.clone());
        }
        prop_assert_eq!(encoded.view().len(), item.len());
    }

    #[test]
    fn equal_values_have_equal_bytes(a in value(), b in value()) {
        let (x, y) = (EncodedValue::from(&a), EncodedValue::from(&b));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a == b, x.view() == y.view());
    }

    #[test]
    fn json_is_written_and_read(item in item()) {
        let encoded = EncodedItem::from(&item);
        let text = serde_json::to_string(&encoded).unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json_of_item(&item));
        let given: GivenItem = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(given.checked().unwrap(), &encoded);
    }

    #[test]
    fn json_names_in_any_order_encode_alike(item in item(), seed in any::<u64>()) {
        let mut members: Vec<_> = item.iter().collect();
        members.sort_by_key(|(name, _)| name.len() as u64 ^ seed.rotate_left(name.bytes().map(u32::from).sum()));
        let parts: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{}:{}", Value::String((*name).clone()), json_of(value)))
            .collect();
        let given: GivenItem = serde_json::from_str(&format!("{{{}}}", parts.join(","))).unwrap();
        prop_assert_eq!(given.checked().unwrap(), &EncodedItem::from(&item));
    }

    #[test]
    fn sizes_follow_the_rules(item in item()) {
        let expected: usize = item.iter().map(|(name, value)| name.len() + size_of(value)).sum();
        let encoded = EncodedItem::from(&item);
        prop_assert_eq!(encoded.view().size(), expected);
        prop_assert_eq!(encoded.size(), expected);
        prop_assert_eq!(encoded.view().to_encoded().size(), expected);
    }

    #[test]
    fn a_builder_sorts_and_keeps_the_last(pairs in proptest::collection::vec((name(), value()), 0..8)) {
        let mut builder = ItemBuilder::new();
        for (name, value) in &pairs {
            builder.push(name, EncodedValue::from(value).view());
        }
        let item: Item = pairs.into_iter().collect();
        prop_assert_eq!(builder.finish(), EncodedItem::from(&item));
    }

    #[test]
    fn texts_encode_like_the_item_of_them(
        first in (name(), text()),
        second in proptest::option::of((name(), text())),
        twice in any::<bool>(),
    ) {
        // One name given twice is rare by chance.
        let second = second.map(|(name, text)| if twice { (first.0.clone(), text) } else { (name, text) });
        let pairs = [Some(first.clone()), second.clone()].into_iter().flatten();
        let item: Item = pairs.map(|(name, text)| (name, AttributeValue::S(text))).collect();
        let encoded = EncodedItem::from_texts(
            (&first.0, &first.1),
            second.as_ref().map(|(name, text)| (name.as_str(), text.as_str())),
        );
        prop_assert_eq!(encoded.size(), EncodedItem::from(&item).size());
        prop_assert_eq!(encoded, EncodedItem::from(&item));
    }

    #[test]
    fn damaged_bytes_never_panic(item in item(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut bytes = EncodedItem::from(&item).as_bytes().to_vec();
        if !bytes.is_empty() {
            let index = at.index(bytes.len());
            bytes[index] = byte;
            bytes.truncate(cut.index(bytes.len()) + 1);
        }
        let damaged = EncodedItem::from_stored(Bytes::from(bytes));
        let _ = (damaged.to_item(), damaged.view().size(), serde_json::to_string(&damaged));
        let _ = damaged.is_well_formed();
    }

    #[test]
    fn string_keys_keep_their_order(a in text(), b in text(), tail in any::<[u8; 2]>()) {
        let (x, y) = (AttributeValue::S(a.clone()), AttributeValue::S(b.clone()));
        prop_assert_eq!(component(&x).cmp(&component(&y)), a.as_bytes().cmp(b.as_bytes()));
        let mut bytes = component(&x);
        bytes.extend_from_slice(&tail);
        prop_assert_eq!(read_component(&bytes, KeyType::S).unwrap(), (x, &tail[..]));
    }

    #[test]
    fn binary_keys_keep_their_order_and_prefixes(
        a in proptest::collection::vec(prop_oneof![Just(0u8), Just(1), Just(255), any::<u8>()], 0..6),
        b in proptest::collection::vec(prop_oneof![Just(0u8), Just(1), Just(255), any::<u8>()], 0..6),
    ) {
        let (x, y) = (component(&AttributeValue::B(a.clone())), component(&AttributeValue::B(b.clone())));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        let mut prefix = Vec::new();
        write_prefix(&mut prefix, &b);
        prop_assert_eq!(x.starts_with(&prefix), a.starts_with(&b));
    }

    #[test]
    fn no_key_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        for kind in [KeyType::S, KeyType::N, KeyType::B] {
            let _ = read_component(&bytes, kind);
        }
    }

    #[test]
    fn no_json_panics(text in "[{}\\[\\]:,\"SNBML0-9a ]{0,60}") {
        let _ = serde_json::from_str::<GivenItem>(&text);
    }
}

fn problem(json: &str) -> ValueProblem {
    let given: GivenItem = serde_json::from_str(json).unwrap();
    given.checked().unwrap_err().clone()
}

#[test]
fn broken_rules_are_told_in_the_words_of_aws() {
    let words = [
        (
            r#"{"a":{}}"#,
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
        (
            r#"{"a":{"X":1}}"#,
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
        (
            r#"{"a":{"S":null}}"#,
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
        (
            r#"{"a":{"S":"x","N":"1"}}"#,
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        ),
        (
            r#"{"a":{"NULL":false}}"#,
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
        ),
        (
            r#"{"a":{"SS":[]}}"#,
            "One or more parameter values were invalid: An string set  may not be empty",
        ),
        (
            r#"{"a":{"NS":[]}}"#,
            "One or more parameter values were invalid: An number set  may not be empty",
        ),
        (
            r#"{"a":{"BS":[]}}"#,
            "One or more parameter values were invalid: Binary sets should not be empty",
        ),
        (
            r#"{"a":{"SS":["x","x"]}}"#,
            "One or more parameter values were invalid: Input collection [x, x] contains duplicates.",
        ),
        (
            r#"{"a":{"NS":["1","1.0"]}}"#,
            "Input collection contains duplicates",
        ),
        (
            r#"{"a":{"BS":["AA==","AA=="]}}"#,
            "One or more parameter values were invalid: Input collection [AA==, AA==]of type BS contains duplicates.",
        ),
        (
            r#"{"a":{"N":""}}"#,
            "The parameter cannot be converted to a numeric value",
        ),
        (
            r#"{"a":{"N":"x"}}"#,
            "The parameter cannot be converted to a numeric value: x",
        ),
        (
            r#"{"a":{"L":[{"M":{"b":{"N":"1e126"}}}]}}"#,
            "Number overflow. Attempting to store a number with magnitude larger than supported range",
        ),
    ];
    for (json, expected) in words {
        assert_eq!(problem(json).to_string(), expected, "{json}");
    }
}

#[test]
fn nesting_ends_at_31_documents() {
    let nested = |levels: usize| {
        format!(
            r#"{{"a":{}{{"S":"x"}}{}}}"#,
            r#"{"L":["#.repeat(levels),
            "]}".repeat(levels)
        )
    };
    assert!(
        serde_json::from_str::<GivenItem>(&nested(31))
            .unwrap()
            .checked()
            .is_ok()
    );
    assert_eq!(problem(&nested(32)), ValueProblem::TooDeep);
    assert_eq!(problem(&nested(5000)), ValueProblem::TooDeep);

    let tree = |levels: usize| {
        (0..levels).fold(AttributeValue::Null, |inner, _| {
            AttributeValue::L(vec![inner])
        })
    };
    assert!(
        GivenItem::from(Item::new().with("a", tree(31)))
            .checked()
            .is_ok()
    );
    assert_eq!(
        GivenItem::from(Item::new().with("a", tree(32))).checked(),
        Err(&ValueProblem::TooDeep)
    );
}

#[test]
fn json_of_the_wrong_shape_is_an_error_of_the_reader() {
    for json in [
        r#"{"a":{"S":5}}"#,
        r#"{"a":{"N":5}}"#,
        r#"{"a":{"B":"***"}}"#,
        r#"{"a":{"SS":"x"}}"#,
        r#"{"a":{"M":[]}}"#,
        r#"{"a":{"L":{}}}"#,
        r#"{"a":"x"}"#,
        r#"{"a":null}"#,
        "[]",
    ] {
        assert!(serde_json::from_str::<GivenItem>(json).is_err(), "{json}");
    }
}
