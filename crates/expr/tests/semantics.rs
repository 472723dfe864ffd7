//! What expressions mean, as Amazon DynamoDB documents it or was seen to do it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_expr::{
    Condition, ExpressionKind, KeyCondition, KeyRange, Placeholders, Projection, SortCondition,
    Update, Updated,
};
use monotable_item::{AttributeValue, EncodedItem, EncodedValue, Item};
use std::collections::{BTreeMap, BTreeSet};

fn texts(texts: &[&str]) -> AttributeValue {
    AttributeValue::Ss(texts.iter().map(|text| (*text).to_owned()).collect())
}

fn numbers(numbers: &[i64]) -> AttributeValue {
    AttributeValue::Ns(numbers.iter().map(|number| (*number).into()).collect())
}

fn bytes(bytes: &[u8]) -> AttributeValue {
    AttributeValue::B(bytes.to_vec())
}

fn list(values: impl IntoIterator<Item = impl Into<AttributeValue>>) -> AttributeValue {
    AttributeValue::L(values.into_iter().map(Into::into).collect())
}

fn number(text: &str) -> AttributeValue {
    AttributeValue::N(text.parse().unwrap())
}

/// One attribute of each type, named like it.
fn stored() -> Item {
    Item::new()
        .with("s", "hello")
        .with("n", 41)
        .with("b", bytes(b"hi there"))
        .with("t", true)
        .with("z", AttributeValue::Null)
        .with("m", Item::new().with("x", 1).with("y", list([7, 8, 9])))
        .with(
            "l",
            list([AttributeValue::from("hi"), numbers(&[1, 2]), list([3, 4])]),
        )
        .with("ss", texts(&["cat", "dog"]))
        .with("ns", numbers(&[2, 4, 7]))
        .with("bs", AttributeValue::Bs(BTreeSet::from([b"x".to_vec()])))
}

/// Whether `text` is true of [`stored`], with `v` for `:v` and `w` for `:w`.
fn holds(text: &str, v: impl Into<AttributeValue>, w: impl Into<AttributeValue>) -> bool {
    let item = EncodedItem::from(stored());
    let names = BTreeMap::from([("#s".to_owned(), "s".to_owned())]);
    let values = EncodedItem::from(Item::new().with(":v", v).with(":w", w));
    let mut placeholders = Placeholders::new(&names, &values);
    let condition = Condition::parse(ExpressionKind::Condition, text, &mut placeholders).unwrap();
    condition.matches(item.view())
}

fn holds_with(text: &str, v: impl Into<AttributeValue>) -> bool {
    holds(text, v, 0)
}

#[test]
fn equality_is_of_type_and_value() {
    for (name, value) in &stored() {
        assert!(holds_with(&format!("{name} = :v"), value.clone()), "{name}");
        assert!(
            !holds_with(&format!("{name} <> :v"), value.clone()),
            "{name}"
        );
        for (other, _) in &stored() {
            if other != name {
                assert!(
                    !holds_with(&format!("{name} = {other}"), 0),
                    "{name} {other}"
                );
                assert!(
                    holds_with(&format!("{name} <> {other}"), 0),
                    "{name} {other}"
                );
            }
        }
    }
    assert!(!holds_with("n = :v", "41"));
}

#[test]
fn what_is_missing_equals_nothing_and_has_no_order() {
    for operator in ["=", "<", "<=", ">", ">="] {
        assert!(!holds_with(&format!("gone {operator} :v"), 1));
        assert!(!holds_with(&format!(":v {operator} gone"), 1));
        assert!(!holds_with(&format!("gone {operator} lost"), 1));
        assert!(holds_with(&format!("NOT gone {operator} :v"), 1));
    }
    assert!(holds_with("gone <> :v", 1));
    assert!(holds_with("gone <> lost", 1));
    assert!(!holds_with("gone IN (:v, lost)", 1));
    assert!(!holds_with("gone BETWEEN lost AND :v", 1));
    assert!(!holds_with("contains(gone, :v)", 1));
    assert!(!holds_with("begins_with(gone, :v)", "x"));
    assert!(!holds_with("attribute_type(gone, :v)", "S"));
    assert!(!holds_with("size(gone) = :v", 0));
    assert!(holds_with("size(gone) <> :v", 0));
}

#[test]
fn numbers_are_exact() {
    assert!(holds_with("n = :v", number("41.000")));
    assert!(holds_with(
        "n < :v",
        number("41.000000000000000000000000000000000001")
    ));
    assert!(holds_with("n > :v", number("-1e125")));
    assert!(holds("n BETWEEN :v AND :w", 41, 41));
    assert!(holds("n BETWEEN :v AND :w", 9, 100));
    assert!(!holds("n BETWEEN :v AND :w", 42, 100));
}

#[test]
fn order_is_of_one_type_only() {
    assert!(holds_with("s < :v", "hellp"));
    assert!(!holds_with("s < :v", "Z"));
    assert!(holds_with("b >= :v", bytes(b"hi")));
    assert!(holds_with("b < :v", bytes(&[0xff])));
    assert!(!holds_with("n < :v", "99"));
    assert!(!holds_with("s < n", 0));
    assert!(!holds_with("ss <= ns", 0));
    assert!(!holds_with("t >= z", 0));
    // A lower bound above the upper one is only an error if both are in the request.
    assert!(!holds_with("n BETWEEN :v AND m.x", 50));
}

#[test]
fn in_asks_for_equality_with_any() {
    assert!(holds("n IN (:v, :w)", "x", 41));
    assert!(!holds("n IN (:v, :w)", "41", 42));
    assert!(holds("ss IN (:v, :w)", texts(&["dog", "cat"]), 1));
}

#[test]
fn functions() {
    assert!(holds_with("attribute_exists(m.y[2])", 0));
    assert!(!holds_with("attribute_exists(m.y[3])", 0));
    assert!(!holds_with("attribute_exists(m[0])", 0));
    assert!(!holds_with("attribute_exists(l.x)", 0));
    assert!(!holds_with("attribute_exists(s.x)", 0));
    assert!(holds_with("attribute_not_exists(gone)", 0));
    assert!(!holds_with("attribute_not_exists(z)", 0));
    for (name, value) in &stored() {
        let text = format!("attribute_type({name}, :v)");
        assert!(holds_with(&text, value.attribute_type().name()));
        assert!(!holds_with(&text, if name == "s" { "N" } else { "S" }));
    }
    assert!(holds("attribute_type(:w, :v)", "N", 1));
    assert!(holds_with("begins_with(s, :v)", "hell"));
    assert!(holds_with("begins_with(s, :v)", ""));
    assert!(!holds_with("begins_with(s, :v)", "ello"));
    assert!(holds_with("begins_with(b, :v)", bytes(b"hi")));
    assert!(!holds_with("begins_with(s, :v)", bytes(b"he")));
    assert!(holds_with("begins_with(:v, #s)", "hellohi"));
    assert!(!holds_with("begins_with(n, :v)", "4"));
}

#[test]
fn contains_finds_parts_and_elements() {
    assert!(holds_with("contains(s, :v)", "ell"));
    assert!(!holds_with("contains(s, :v)", "elo"));
    assert!(holds_with("contains(b, :v)", bytes(b"the")));
    assert!(holds_with("contains(b, :v)", bytes(b"")));
    assert!(!holds_with("contains(b, :v)", "hi"));
    assert!(holds_with("contains(ss, :v)", "cat"));
    assert!(!holds_with("contains(ss, :v)", "ca"));
    assert!(holds_with("contains(ns, :v)", number("4.0")));
    assert!(!holds_with("contains(ns, :v)", "4"));
    assert!(holds_with("contains(bs, :v)", bytes(b"x")));
    assert!(holds_with("contains(l, :v)", "hi"));
    assert!(holds_with("contains(l, :v)", numbers(&[2, 1])));
    assert!(holds_with("contains(l, :v)", list([3, 4])));
    assert!(!holds_with("contains(l, :v)", list([4, 3])));
    assert!(!holds_with("contains(m, :v)", "x"));
    assert!(!holds_with("contains(n, :v)", 4));
    // Three elements in l, and in y a 9, in ns no 3.
    assert!(holds_with("contains(m.y, :v)", 9));
    assert!(!holds_with("contains(ns, size(l))", 0));
    assert!(holds_with("contains(ns, size(ss))", 0));
}

#[test]
fn size_counts_elements_bytes_and_utf_16_units() {
    for (name, size) in [
        ("s", 5),
        ("b", 8),
        ("m", 2),
        ("l", 3),
        ("ss", 2),
        ("ns", 3),
        ("bs", 1),
    ] {
        assert!(holds_with(&format!("size({name}) = :v"), size), "{name}");
        assert!(holds_with(&format!(":v <= size({name})"), size), "{name}");
        assert!(!holds_with(&format!("size({name}) < :v"), size), "{name}");
    }
    // Reported of AWS (ExtendDB, issue 60): é is one unit, 𝄞 two; not 6 bytes, not 2 characters.
    assert!(holds("size(:w) = :v", 3, "é𝄞"));
    for name in ["n", "t", "z"] {
        assert!(!holds_with(&format!("size({name}) = :v"), 1), "{name}");
    }
    assert!(!holds_with("size(s) = :v", "5"));
    assert!(holds_with("size(s) = size(:v)", "12345"));
    assert!(holds_with("size(s) < n", 0));
}

#[test]
fn operators_bind_not_then_and_then_or() {
    let (yes, no) = ("n = n2", "n <> n2");
    let truth = |text: &str| {
        let item = EncodedItem::from(Item::new().with("n", 1).with("n2", 1));
        let (names, values) = (BTreeMap::new(), EncodedItem::default());
        let text = text.replace('T', yes).replace('F', no);
        Condition::parse(
            ExpressionKind::Filter,
            &text,
            &mut Placeholders::new(&names, &values),
        )
        .unwrap()
        .matches(item.view())
    };
    assert!(truth("T or F and F"));
    assert!(!truth("(T or F) and F"));
    assert!(truth("not F and T"));
    assert!(!truth("not (F or T)"));
    assert!(truth("not F or T"));
    assert!(truth("F or F or T"));
    assert!(!truth("T and T and F"));
}

#[test]
fn a_condition_names_what_it_reads() {
    let names = BTreeMap::from([("#x".to_owned(), "x.y".to_owned())]);
    let values = EncodedItem::from(Item::new().with(":v", 1));
    let condition = Condition::parse(
        ExpressionKind::Condition,
        "size(a.b) = :v AND NOT (#x IN (c, :v) OR attribute_exists(d[0]))",
        &mut Placeholders::new(&names, &values),
    )
    .unwrap();
    let attributes: Vec<_> = condition.attributes().collect();
    assert_eq!(attributes, ["a", "x.y", "c", "d"]);
}

fn project(text: &str, item: Item) -> Item {
    let (names, values) = (BTreeMap::new(), EncodedItem::default());
    let projection = Projection::parse(text, &mut Placeholders::new(&names, &values)).unwrap();
    projection.project(EncodedItem::from(item).view()).to_item()
}

#[test]
fn projections_keep_the_structure() {
    let a = |a: Item| Item::new().with("a", a);
    let element = Item::new().with("x", "hi").with("y", "yo");
    let stored = a(Item::new()
        .with(
            "b",
            list([AttributeValue::from(2), 4.into(), element.into()]),
        )
        .with("c", 5))
    .with("b", "hello");
    for (text, expected) in [
        ("b, gone", Item::new().with("b", "hello")),
        ("a.b[0]", a(Item::new().with("b", list([2])))),
        (
            "a.b[2].y",
            a(Item::new().with("b", list([Item::new().with("y", "yo")]))),
        ),
        ("a.b[1], a.b[0]", a(Item::new().with("b", list([2, 4])))),
        (
            "a.b[0], a.c",
            a(Item::new().with("b", list([2])).with("c", 5)),
        ),
        ("a.c, b", a(Item::new().with("c", 5)).with("b", "hello")),
        (
            "a.x, a.b[0], x, a.b[3].x",
            a(Item::new().with("b", list([2]))),
        ),
        ("a.b[3]", Item::new()),
        ("a.x.y", Item::new()),
        ("a.b.x", Item::new()),
        ("a[0]", Item::new()),
        ("a.b[0][0]", Item::new()),
        ("b[0]", Item::new()),
    ] {
        assert_eq!(project(text, stored.clone()), expected, "{text}");
    }
}

/// `text` applied to `item`, with `v` for `:v`.
fn apply(text: &str, item: &Item, v: impl Into<AttributeValue>) -> Updated {
    let values = EncodedItem::from(Item::new().with(":v", v));
    let names = BTreeMap::new();
    let update = Update::parse(text, &mut Placeholders::new(&names, &values)).unwrap();
    update.apply(EncodedItem::from(item).view()).unwrap()
}

fn update(text: &str, item: &Item, v: impl Into<AttributeValue>) -> Item {
    apply(text, item, v).item.to_item()
}

#[test]
fn set_replaces_or_creates() {
    let item = Item::new().with("a", 1).with("m", Item::new().with("x", 1));
    assert_eq!(
        update("SET a = :v", &item, "new"),
        item.clone().with("a", "new")
    );
    assert_eq!(update("SET b = a", &item, 0), item.clone().with("b", 1));
    assert_eq!(
        update("SET m.y = :v", &item, 2),
        item.clone()
            .with("m", Item::new().with("x", 1).with("y", 2))
    );
    assert_eq!(
        update("SET b = (m.x + :v)", &item, 2),
        item.clone().with("b", 3)
    );
    assert_eq!(
        update("SET b = :v - a", &item, 0),
        item.clone().with("b", -1)
    );
    assert_eq!(
        update("SET b = if_not_exists(b, :v) + a", &item, 5),
        item.clone().with("b", 6)
    );
    assert_eq!(
        update("SET a = if_not_exists(a, :v)", &item, 5),
        item.clone()
    );
    assert_eq!(
        update(
            "SET b = list_append(if_not_exists(b, :v), :v)",
            &item,
            list([1])
        ),
        item.clone().with("b", list([1, 1]))
    );
}

#[test]
fn right_sides_are_read_before_the_update() {
    let item = Item::new().with("a", 1).with("b", 2);
    assert_eq!(
        update("SET a = b, b = a", &item, 0),
        Item::new().with("a", 2).with("b", 1)
    );
    assert_eq!(
        update("REMOVE a SET b = a", &item, 0),
        Item::new().with("b", 1)
    );
    let list_item = Item::new().with("l", list([1, 2]));
    assert_eq!(
        update("SET l[0] = l[1], l[1] = l[0]", &list_item, 0),
        Item::new().with("l", list([2, 1]))
    );
}

#[test]
fn list_indexes_mean_the_old_list() {
    let item = |values: &[i64]| Item::new().with("l", list(values.iter().copied()));
    assert_eq!(update("SET l[9] = :v", &item(&[1, 2]), 3), item(&[1, 2, 3]));
    assert_eq!(
        update("SET l[84] = :v, l[37] = l[0], l[1] = :v", &item(&[1, 2]), 3),
        item(&[1, 3, 1, 3])
    );
    assert_eq!(
        update("REMOVE l[0], l[2], l[7]", &item(&[1, 2, 3, 4]), 0),
        item(&[2, 4])
    );
    assert_eq!(
        update("REMOVE l[1] SET l[3] = :v", &item(&[2, 3, 4, 5, 6, 7]), 17),
        item(&[2, 4, 17, 6, 7])
    );
    assert_eq!(update("REMOVE l[0]", &item(&[1]), 0), item(&[]));
    assert_eq!(update("SET l[0] = :v", &item(&[]), 1), item(&[1]));
}

#[test]
fn remove_is_silent_about_what_is_missing() {
    let item = Item::new().with("m", Item::new().with("x", 1));
    assert_eq!(update("REMOVE gone, m.gone", &item, 0), item);
    assert_eq!(
        update("REMOVE m.x", &item, 0),
        Item::new().with("m", Item::new())
    );
    // Inside something that is missing it is refused, except where there is no item at all.
    let (names, values) = (BTreeMap::new(), EncodedItem::default());
    let remove =
        Update::parse("REMOVE a.b, c[0]", &mut Placeholders::new(&names, &values)).unwrap();
    let key = EncodedItem::from(Item::new().with("pk", 1));
    assert!(remove.apply(key.view()).is_err());
    assert_eq!(remove.apply_to_missing(key.view()).unwrap().item, key);
    assert!(!remove.creates_item());
}

#[test]
fn add_and_delete() {
    let item = Item::new().with("n", 1).with("s", texts(&["a", "b"]));
    assert_eq!(
        update("ADD n :v", &item, number("0.5")),
        item.clone().with("n", number("1.5"))
    );
    assert_eq!(update("ADD x :v", &item, 5), item.clone().with("x", 5));
    assert_eq!(
        update("ADD s :v", &item, texts(&["b", "c"])),
        item.clone().with("s", texts(&["a", "b", "c"]))
    );
    assert_eq!(
        update("ADD x :v", &item, numbers(&[1])),
        item.clone().with("x", numbers(&[1]))
    );
    assert_eq!(
        update("DELETE s :v", &item, texts(&["b", "z"])),
        item.clone().with("s", texts(&["a"]))
    );
    assert_eq!(
        update("DELETE s :v", &item, texts(&["a", "b"])),
        Item::new().with("n", 1)
    );
    assert_eq!(update("DELETE x :v", &item, texts(&["a"])), item);
}

#[test]
fn updated_values_are_the_updated_paths() {
    let item = Item::new()
        .with("a", Item::new().with("b", "dog").with("c", list([1, 2, 3])))
        .with("d", "cat");
    let old = EncodedItem::from(&item);
    let a = |a: Item| Item::new().with("a", a);
    let cases = [
        (
            "SET a.b = :v",
            a(Item::new().with("b", "dog")),
            a(Item::new().with("b", 7)),
        ),
        (
            "SET a.c[1] = :v, d = :v",
            a(Item::new().with("c", list([2]))).with("d", "cat"),
            a(Item::new().with("c", list([7]))).with("d", 7),
        ),
        ("SET a.x = :v", Item::new(), a(Item::new().with("x", 7))),
        // Appended, but not at 100.
        ("SET a.c[100] = :v", Item::new(), Item::new()),
        // What moved there.
        (
            "REMOVE a.c[1]",
            a(Item::new().with("c", list([2]))),
            a(Item::new().with("c", list([3]))),
        ),
        ("REMOVE d", Item::new().with("d", "cat"), Item::new()),
    ];
    for (text, expected_old, expected_new) in cases {
        let text = if text.contains(":v") {
            text.to_owned()
        } else {
            format!("{text} SET q = :v")
        };
        let updated = apply(&text, &item, 7);
        let without_q = |item: EncodedItem| {
            let mut item = item.to_item();
            item.remove("q");
            item
        };
        assert_eq!(
            without_q(updated.updated_old(old.view())),
            expected_old,
            "{text}"
        );
        assert_eq!(without_q(updated.updated_new()), expected_new, "{text}");
    }
}

#[test]
fn an_update_names_what_it_changes() {
    let (names, values) = (BTreeMap::new(), EncodedItem::default());
    let update = Update::parse(
        "SET b.x = c, a = d REMOVE e[0]",
        &mut Placeholders::new(&names, &values),
    )
    .unwrap();
    assert_eq!(update.attributes().collect::<Vec<_>>(), ["a", "b", "e"]);
    assert!(update.touches("b"));
    assert!(!update.touches("c"));
    assert!(update.creates_item());
    let paths: Vec<_> = update.paths().iter().map(|path| path.attribute()).collect();
    assert_eq!(paths, ["b", "c", "a", "d", "e"]);
}

#[test]
fn key_conditions_select_a_range() {
    let values = EncodedItem::from(Item::new().with(":h", "h").with(":x", 1).with(":y", 2));
    let names = BTreeMap::new();
    let value = |value: AttributeValue| EncodedValue::from(value);
    let (h, x, y) = (value("h".into()), value(1.into()), value(2.into()));
    let range = |text: &str| {
        let mut placeholders = Placeholders::new(&names, &values);
        let condition = KeyCondition::parse(text, &mut placeholders).unwrap();
        condition.check_shape().unwrap();
        let range = condition.resolve(&["pk"], &["sk"]).unwrap();
        assert_eq!(range.hash, std::slice::from_ref(&h));
        assert!(range.leading.is_empty());
        range.range
    };
    for (text, expected) in [
        ("pk = :h", SortCondition::Any),
        ("pk = :h AND sk = :x", SortCondition::Equal(x.clone())),
        ("(sk < :x) AND (pk = :h)", SortCondition::Less(x.clone())),
        (
            "((:h = pk) AND (:x < sk))",
            SortCondition::Greater(x.clone()),
        ),
        (
            "pk = :h AND :x >= sk",
            SortCondition::LessOrEqual(x.clone()),
        ),
        (
            "pk = :h AND sk >= :x",
            SortCondition::GreaterOrEqual(x.clone()),
        ),
        (
            "pk = :h and sk between :x and :y",
            SortCondition::Between(x.clone(), y),
        ),
        (
            "begins_with(sk, :h) AND pk = :h",
            SortCondition::BeginsWith(h.clone()),
        ),
    ] {
        assert_eq!(range(text), expected, "{text}");
    }
}

#[test]
fn keys_of_several_attributes() {
    let values = EncodedItem::from(Item::new().with(":x", 1));
    let names = BTreeMap::new();
    let x = || EncodedValue::from(AttributeValue::from(1));
    let resolve = |text: &str| {
        let mut placeholders = Placeholders::new(&names, &values);
        let condition = KeyCondition::parse(text, &mut placeholders).unwrap();
        condition.resolve(&["h", "i"], &["a", "b", "c"]).unwrap()
    };
    assert_eq!(
        resolve("b > :x AND i = :x AND a = :x AND h = :x"),
        KeyRange {
            hash: vec![x(), x()],
            leading: vec![x()],
            range: SortCondition::Greater(x()),
        }
    );
    assert_eq!(
        resolve("i = :x AND h = :x"),
        KeyRange {
            hash: vec![x(), x()],
            leading: vec![],
            range: SortCondition::Any,
        }
    );
}
