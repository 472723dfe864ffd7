//! The limits of AWS on expressions, at and past the edge. None may exhaust the stack: the tests run on
//! a stack a quarter of the usual size.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_expr::{Condition, ExpressionKind, Placeholders, Projection, Update};
use monotable_item::{EncodedItem, Item};
use std::collections::BTreeMap;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(test)
        .unwrap()
        .join()
        .unwrap();
}

fn condition(text: &str) -> Result<Condition, String> {
    let values = EncodedItem::from(Item::new().with(":v", 1));
    let names = BTreeMap::new();
    let mut placeholders = Placeholders::new(&names, &values);
    Condition::parse(ExpressionKind::Condition, text, &mut placeholders)
        .map_err(|error| error.to_string())
}

fn update(text: &str) -> Result<Update, String> {
    let values = EncodedItem::from(Item::new().with(":v", 1));
    let names = BTreeMap::new();
    Update::parse(text, &mut Placeholders::new(&names, &values)).map_err(|error| error.to_string())
}

fn item() -> EncodedItem {
    EncodedItem::from(Item::new().with("a", 1).with("b", 2))
}

#[test]
fn parentheses_without_end() {
    on_a_small_stack(|| {
        let text = "(".repeat(4096);
        assert_eq!(
            condition(&text).unwrap_err(),
            "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"(\""
        );
    });
}

#[test]
fn two_thousand_parentheses() {
    on_a_small_stack(|| {
        let text = format!("{}a<b{}", "(".repeat(2000), ")".repeat(2000));
        assert_eq!(
            condition(&text).unwrap_err(),
            "Invalid ConditionExpression: The expression has redundant parentheses;"
        );
    });
}

#[test]
fn nested_functions() {
    on_a_small_stack(|| {
        let unknown = format!("a < {}b{}", "f(".repeat(1355), ")".repeat(1355));
        assert_eq!(
            condition(&unknown).unwrap_err(),
            "Invalid ConditionExpression: Invalid function name; function: f"
        );
        let sizes = format!("a < {}b{}", "size(".repeat(290), ")".repeat(290));
        assert_eq!(
            condition(&sizes).unwrap_err(),
            "Invalid ConditionExpression: Incorrect operand type for operator or function; \
             operator or function: size, operand type: N"
        );
    });
}

#[test]
fn ten_thousand_nots_in_4_kb_are_too_many_operators_or_too_long() {
    on_a_small_stack(|| {
        let text = format!("{}a<b", "NOT ".repeat(10_000));
        assert_eq!(
            condition(&text).unwrap_err(),
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; \
             expression size: 40003"
        );
        let text = format!("{}a<b", "NOT ".repeat(1_000));
        assert_eq!(
            condition(&text).unwrap_err(),
            "Invalid ConditionExpression: The expression contains too many operators; \
             operator count: 301"
        );
        let text = format!("{}a<b", "NOT ".repeat(299));
        assert!(!condition(&text).unwrap().matches(item().view()));
    });
}

#[test]
fn three_hundred_operators_nested_and_chained() {
    on_a_small_stack(|| {
        for operator in ["and", "or"] {
            // 1 + 2 * 149 operators; parentheses do not count.
            let nested = |depth: usize| {
                format!(
                    "a<b {}{}",
                    format!("{operator} (a<b ").repeat(depth),
                    ")".repeat(depth)
                )
            };
            assert!(condition(&nested(149)).unwrap().matches(item().view()));
            assert!(
                condition(&nested(150))
                    .unwrap_err()
                    .ends_with("operator count: 301")
            );
            let chain = |length: usize| format!("a<b{}", format!(" {operator} a<b").repeat(length));
            assert!(condition(&chain(149)).unwrap().matches(item().view()));
            assert!(
                condition(&chain(150))
                    .unwrap_err()
                    .ends_with("operator count: 301")
            );
        }
        // The deepest trees: AND and OR in turns, or AND and NOT.
        let turns = format!("{}a<b{}", "a<b and (b<a or (".repeat(74), "))".repeat(74));
        assert!(condition(&turns).unwrap().matches(item().view()));
        let nots = format!("{}b<a{}", "a<b and NOT (".repeat(99), ")".repeat(99));
        assert!(condition(&nots).unwrap().matches(item().view()));
    });
}

#[test]
fn a_hundred_operands_of_in() {
    let list = |count: usize| format!("a IN ({})", vec![":v"; count].join(","));
    assert!(condition(&list(100)).unwrap().matches(item().view()));
    assert_eq!(
        condition(&list(101)).unwrap_err(),
        "Invalid ConditionExpression: The IN operator is provided with too many operands; \
         number of operands: 101"
    );
}

#[test]
fn thirty_two_levels_of_a_path() {
    let names = BTreeMap::new();
    let values = EncodedItem::default();
    let project = |text: &str| {
        Projection::parse(text, &mut Placeholders::new(&names, &values))
            .map_err(|error| error.to_string())
    };
    assert!(project(&format!("a{}", ".b".repeat(31))).is_ok());
    assert_eq!(
        project(&format!("a{}", "[0]".repeat(32))).unwrap_err(),
        "Invalid ProjectionExpression: The document path has too many nesting levels; \
         nesting levels: 33"
    );
}

#[test]
fn nested_functions_of_an_update() {
    on_a_small_stack(|| {
        let nested = |depth: usize| {
            format!(
                "SET x = {}:v{}",
                "if_not_exists(z,".repeat(depth),
                ")".repeat(depth)
            )
        };
        let updated = update(&nested(238)).unwrap().apply(item().view()).unwrap();
        assert_eq!(updated.item.to_item().get("x"), Some(&1.into()));
        let unknown = format!("SET x = {}:v{}", "f(".repeat(1300), ")".repeat(1300));
        assert_eq!(
            update(&unknown).unwrap_err(),
            "Invalid UpdateExpression: Invalid function name; function: f"
        );
    });
}

#[test]
fn as_many_actions_as_4_kb_hold() {
    let actions: Vec<_> = (0..500).map(|i| format!("a{i}=:v")).collect();
    let text = format!("SET {}", actions.join(","));
    assert!(text.len() < 4096);
    let updated = update(&text).unwrap().apply(item().view()).unwrap();
    assert_eq!(updated.item.to_item().len(), 502);
}
