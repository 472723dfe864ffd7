//! What predicates mean. The rules on operands are DynamoDB's and tested with them; here are the leaves.

use monotable_expr::predicate::{Context, Predicate, Root};
use monotable_item::{AttributeValue, EncodedItem, EncodedValue, Item};

fn holds(text: &str) -> bool {
    let list = AttributeValue::L(vec![Item::new().with("b", 7).into(), "x".into()]);
    let row = Item::new()
        .with("a", "row")
        .with("n", 5)
        .with("list", list)
        .with("md#x", true)
        .with("now", "attribute")
        .with("old", Item::new().with("a", "attribute"));
    let row = EncodedItem::from(row);
    let items = Root::ITEMS.map(|root| EncodedItem::from(Item::new().with("a", root.name())));
    let now = EncodedValue::from(AttributeValue::from("2025"));
    let mut context = Context::new(row.view()).at(now.view());
    for (root, item) in Root::ITEMS.into_iter().zip(&items) {
        context = context.with(root, item.view());
    }
    let predicate = Predicate::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    predicate.matches(|path| context.get(path))
}

#[test]
fn every_root_has_its_own_values() {
    for (path, value) in [
        ("a", "row"),
        ("principal.a", "principal"),
        ("old.a", "old"),
        ("new.a", "new"),
        ("setting.a", "setting"),
        ("tenant.a", "tenant"),
        ("param.a", "param"),
        ("`old`.a", "attribute"),
        ("now", "2025"),
        ("`now`", "attribute"),
    ] {
        assert!(holds(&format!("{path} = '{value}'")), "{path}");
        assert!(!holds(&format!("{path} = 'other'")), "{path}");
    }
}

#[test]
fn every_construct_can_be_true_and_false() {
    for (text, negation) in [
        ("a = 'row'", "a = 'column'"),
        ("a <> 'x'", "a <> 'row'"),
        ("n < 5.1", "n < 5"),
        ("n <= 5", "n <= 4.9"),
        ("n > -5", "n > 5"),
        ("n >= 5", "n >= 6"),
        ("n IN (1, 5)", "n IN (1, '5')"),
        ("n BETWEEN 5 AND 6", "n BETWEEN 6 AND 7"),
        ("attribute_exists(list[0].b)", "attribute_exists(list[2])"),
        (
            "attribute_not_exists(tenant.b)",
            "attribute_not_exists(tenant.a)",
        ),
        ("attribute_type(a, 'S')", "attribute_type(a, 'N')"),
        ("begins_with(a, 'ro')", "begins_with(a, 'ow')"),
        ("contains(list, 'x')", "contains(list, 'y')"),
        ("size(list) = 2", "size(n) = 1"),
        ("`md#x` = true", "`md#x` = false"),
        ("NOT a = 'x'", "NOT a = 'row'"),
        ("a = 'row' AND n = 5", "a = 'row' AND n = 6"),
        ("a = 'x' OR n = 5", "a = 'x' OR n = 6"),
        ("now > '2024'", "now > '2026'"),
    ] {
        assert!(holds(text), "{text}");
        assert!(!holds(negation), "{negation}");
    }
}

#[test]
fn what_is_missing_equals_nothing() {
    assert!(!holds("missing = 'x'"));
    assert!(holds("missing <> 'x'"));
    assert!(!holds("principal.missing < 1"));
    assert!(!holds("missing IN ('x', param.missing)"));
    assert!(holds("old.x <> new.x"));
    assert!(!holds("a < 5"));
}
