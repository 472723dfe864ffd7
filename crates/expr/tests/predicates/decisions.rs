//! Predicates of which not everything is known.

use monotable_expr::predicate::{Finding, Predicate, Truth};
use monotable_item::{EncodedItem, Item};

/// Decides with `a` known to be 1, `none` known to be absent, and everything else not known.
fn decide(text: &str) -> Truth {
    let row = EncodedItem::from(Item::new().with("a", 1));
    let predicate = Predicate::parse(text).unwrap();
    predicate.decide(|path| match path.first_name() {
        Some("a" | "none") => path.resolve(row.view()).into(),
        _ => Finding::Unknown,
    })
}

#[test]
fn comparisons_with_something_unknown_are_unknown() {
    for text in [
        "x = 1",
        "x <> 1",
        "a < x",
        "attribute_exists(x)",
        "attribute_not_exists(x)",
        "attribute_type(x, 'S')",
        "size(x) > 0",
        "begins_with(x, 'a')",
        "contains(x, a)",
        "NOT x = 1",
        "a BETWEEN 0 AND x",
        "a IN (2, x)",
        "none = x",
    ] {
        assert_eq!(decide(text), Truth::Unknown, "{text}");
    }
}

#[test]
fn an_absent_attribute_is_known() {
    assert_eq!(decide("attribute_not_exists(none)"), Truth::True);
    assert_eq!(decide("none = 1"), Truth::False);
    assert_eq!(decide("none <> 1"), Truth::True);
    assert_eq!(decide("NOT none > 3"), Truth::True);
}

#[test]
fn what_is_known_decides_where_it_can() {
    for (text, truth) in [
        ("a = 1 OR x = 1", Truth::True),
        ("x = 1 OR a = 1", Truth::True),
        ("a = 2 OR x = 1", Truth::Unknown),
        ("a = 2 AND x = 1", Truth::False),
        ("x = 1 AND a = 2", Truth::False),
        ("a = 1 AND x = 1", Truth::Unknown),
        ("NOT (a = 1 OR x = 1)", Truth::False),
        ("NOT (a = 2 AND x = 1)", Truth::True),
        ("a BETWEEN 5 AND x", Truth::False),
        ("a IN (x, 1)", Truth::True),
        ("NOT a IN (x, 1)", Truth::False),
    ] {
        assert_eq!(decide(text), truth, "{text}");
    }
}
