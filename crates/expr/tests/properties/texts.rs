//! No text whatsoever brings the parser down.

use crate::strategies;
use monotable_expr::{Condition, ExpressionKind, KeyCondition, Placeholders, Projection, Update};
use monotable_item::{EncodedItem, Item};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

const WORDS: [&str; 48] = [
    "a",
    "b",
    "name",
    "#a",
    "#b",
    "#x",
    ":v",
    ":w",
    ":x",
    "AND",
    "or",
    "NOT",
    "between",
    "IN",
    "SET",
    "remove",
    "ADD",
    "delete",
    "size",
    "contains",
    "begins_with",
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "if_not_exists",
    "list_append",
    "f",
    "(",
    "(",
    ")",
    ")",
    "[",
    "]",
    "[0]",
    "0",
    "17",
    ".",
    ",",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "!",
    "é",
];

/// Parses `text` as everything and uses whatever comes out.
fn parse_as_all(text: &str, item: &Item) {
    let names = BTreeMap::from([
        ("#a".to_owned(), "a".to_owned()),
        ("#b".to_owned(), "x.y".to_owned()),
    ]);
    let values = EncodedItem::from(Item::new().with(":v", 1).with(":w", "text"));
    let stored = EncodedItem::from(item);
    let mut placeholders = Placeholders::new(&names, &values);
    for kind in [ExpressionKind::Condition, ExpressionKind::Filter] {
        match Condition::parse(kind, text, &mut placeholders) {
            Ok(condition) => {
                condition.matches(stored.view());
                assert!(condition.attributes().count() < 4096);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(key) = KeyCondition::parse(text, &mut placeholders) {
        let shape = key.check_shape();
        let resolved = key.resolve(&["a"], &["b"]);
        assert!(shape.is_ok() || resolved.is_err());
    }
    if let Ok(projection) = Projection::parse(text, &mut placeholders) {
        assert!(projection.project(stored.view()).is_well_formed());
    }
    if let Ok(update) = Update::parse(text, &mut placeholders)
        && let Ok(updated) = update.apply(stored.view())
    {
        assert!(updated.item.is_well_formed());
    }
    let _ = placeholders.check_all_used();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text(text in any::<String>(), item in strategies::item()) {
        parse_as_all(&text, &item);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..64), item in strategies::item()) {
        parse_as_all(&String::from_utf8_lossy(&bytes), &item);
    }

    #[test]
    fn any_words(
        words in vec(select(&WORDS[..]), 0..24),
        blanks in any::<bool>(),
        item in strategies::item(),
    ) {
        parse_as_all(&words.join(if blanks { " " } else { "" }), &item);
    }

    /// A word too many, too few or another one, in something that was right.
    #[test]
    fn almost_right(
        at in any::<proptest::sample::Index>(),
        word in select(&WORDS[..]),
        remove in any::<bool>(),
        item in strategies::item(),
    ) {
        for text in [
            "( a = :v or NOT ( #a . b [ 0 ] BETWEEN :v AND b ) ) and contains ( a , size ( b ) )",
            "a = :v AND begins_with ( b , :w )",
            "a . b [ 17 ] , #b , b",
            "SET a . b = if_not_exists ( a , :v ) + :v , b = ( #a ) REMOVE #b [ 0 ] ADD c :v",
        ] {
            let mut words: Vec<_> = text.split(' ').collect();
            let position = at.index(words.len());
            if remove {
                words.remove(position);
            }
            words.insert(position, word);
            parse_as_all(&words.join(" "), &item);
        }
    }
}
