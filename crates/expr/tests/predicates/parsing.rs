//! What is accepted, and its normal form.

use monotable_expr::predicate::Predicate;
use monotable_item::{AttributeValue, Item};

#[track_caller]
fn normal(text: &str) -> String {
    let predicate = Predicate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let printed = predicate.to_string();
    assert_eq!(printed.parse::<Predicate>().unwrap(), predicate, "{text}");
    printed
}

#[test]
fn every_construct_has_a_normal_form() {
    for (text, printed) in [
        ("a='x'", "a = 'x'"),
        (
            "a<>b and a<1 AND a<=2 aNd a>3 and a>=4",
            "a <> b AND a < 1 AND a <= 2 AND a > 3 AND a >= 4",
        ),
        ("a In('x',b , 1)", "a IN ('x', b, 1)"),
        ("a between 1 and 2 and b=c", "a BETWEEN 1 AND 2 AND b = c"),
        ("attribute_exists( a.b )", "attribute_exists(a.b)"),
        (
            "attribute_not_exists(a[0].b)",
            "attribute_not_exists(a[0].b)",
        ),
        ("attribute_type(a,'BOOL')", "attribute_type(a, 'BOOL')"),
        ("begins_with(a,'x')", "begins_with(a, 'x')"),
        (
            "contains(principal.roles,'admin')",
            "contains(principal.roles, 'admin')",
        ),
        ("size(a)>0", "size(a) > 0"),
        ("not a=1", "NOT a = 1"),
        ("NOT NOT a = 1", "a = 1"),
        (
            "((a=1)) or (b=2 and (c=3 or d=4))",
            "a = 1 OR b = 2 AND (c = 3 OR d = 4)",
        ),
        (
            "(a=1 OR b=2) AND NOT (c=3 AND d=4)",
            "(a = 1 OR b = 2) AND NOT (c = 3 AND d = 4)",
        ),
        ("\n a = b\t", "a = b"),
        ("a = TRUE OR b = False", "a = true OR b = false"),
        ("expiresAt < Now", "expiresAt < now"),
        ("a = 'it''s'''", "a = 'it''s'''"),
        ("a = ''", "a = ''"),
        (
            "a = -01.50 OR a = 1e3 OR a = 2E-2",
            "a = -1.5 OR a = 1000 OR a = 0.02",
        ),
        (
            "a=12345678901234567890123456789012345678",
            "a = 12345678901234567890123456789012345678",
        ),
    ] {
        assert_eq!(normal(text), printed, "{text}");
    }
}

#[test]
fn any_word_is_a_name() {
    for text in [
        "name = status",
        "_a1 = size",
        "contains = attribute_exists",
        "setting.in = param.and",
        "a.true.now = b.between",
        "old = new",
        "old[0] = principal",
        "New.x = Old.x",
    ] {
        assert_eq!(normal(text), text);
    }
}

#[test]
fn other_names_stand_in_backquotes() {
    for (text, printed) in [
        ("`md#x` = 1", "`md#x` = 1"),
        ("`a``b` = 1", "`a``b` = 1"),
        ("`a` = 1", "a = 1"),
        ("`now` = 1", "`now` = 1"),
        ("`AND` = 1", "`AND` = 1"),
        ("`old`.x = 1", "`old`.x = 1"),
        ("old.`x` = 1", "old.x = 1"),
        ("old.`x.y`[2] = 1", "old.`x.y`[2] = 1"),
        ("a.`and` = 1", "a.and = 1"),
    ] {
        assert_eq!(normal(text), printed, "{text}");
    }
    let quoted = Predicate::parse("`old`.x = 1").unwrap();
    assert_eq!(quoted.paths()[0].root(), None);
    assert_ne!(quoted, Predicate::parse("old.x = 1").unwrap());
}

#[test]
fn equality_ignores_places_only() {
    let parse = |text: &str| Predicate::parse(text).unwrap();
    assert_eq!(parse("a = 1"), parse("  (a)  =  1.0"));
    assert_ne!(parse("a = 1"), parse("a = '1'"));
    assert_ne!(parse("a = 1"), parse("b = 1"));
    assert_ne!(parse("a.b = 1"), parse("new.b = 1"));
}

#[test]
fn literals_are_exact() {
    let parse = |text: &str| Predicate::parse(text).unwrap();
    let predicate = parse("a IN ('it''s', 0.1, true, 'é')");
    let comparison = &predicate.comparisons()[0];
    let values: Vec<_> = comparison
        .literals
        .iter()
        .map(|one| one.to_value())
        .collect();
    let tenth: monotable_item::Number = "0.1".parse().unwrap();
    let expected: [AttributeValue; 4] = ["it's".into(), tenth.into(), true.into(), "é".into()];
    assert_eq!(values, expected);
    assert_ne!(AttributeValue::from(Item::new()), values[0]);
}

#[test]
fn predicates_can_be_joined() {
    let parse = |text: &str| Predicate::parse(text).unwrap();
    let joined = parse("a = 1 AND b = 2")
        .and(parse("c = 3"))
        .or(parse("d = 4"))
        .negated();
    assert_eq!(
        joined.to_string(),
        "NOT (a = 1 AND b = 2 AND c = 3 OR d = 4)"
    );
    assert_eq!(joined.conditions().len(), 4);
}
