//! Conditions mean what they say.

use crate::ast::{Condition, Operand, Printer};
use crate::{naive, strategies};
use monotable_expr::{ExpressionError, ExpressionKind, Placeholders};
use monotable_item::{AttributeType, EncodedItem};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn operand() -> impl Strategy<Value = Operand> {
    let leaf = || {
        prop_oneof![
            3 => strategies::path().prop_map(Operand::Path),
            2 => strategies::value().prop_map(Operand::Value),
        ]
    };
    prop_oneof![
        6 => leaf(),
        1 => leaf().prop_map(|operand| Operand::Size(Box::new(operand))),
    ]
}

fn number() -> impl Strategy<Value = Operand> {
    strategies::number().prop_map(|number| Operand::Value(number.into()))
}

fn simple_condition() -> impl Strategy<Value = Condition> {
    let operator = select(vec!["=", "<>", "<", "<=", ">", ">="]);
    prop_oneof![
        4 => (operator, operand(), operand())
            .prop_map(|(operator, left, right)| Condition::Compare(operator, left, right)),
        1 => (operand(), operand(), operand())
            .prop_map(|(operand, lower, upper)| Condition::Between(operand, lower, upper)),
        1 => (operand(), number(), number())
            .prop_map(|(operand, lower, upper)| Condition::Between(operand, lower, upper)),
        1 => (operand(), vec(operand(), 1..5))
            .prop_map(|(operand, candidates)| Condition::In(operand, candidates)),
        1 => strategies::path().prop_map(Condition::Exists),
        1 => strategies::path().prop_map(Condition::NotExists),
        1 => (operand(), select(AttributeType::ALL.to_vec()))
            .prop_map(|(operand, kind)| Condition::Type(operand, kind)),
        1 => (operand(), operand())
            .prop_map(|(operand, prefix)| Condition::BeginsWith(operand, prefix)),
        2 => (operand(), operand())
            .prop_map(|(operand, element)| Condition::Contains(operand, element)),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    simple_condition().prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            inner
                .clone()
                .prop_map(|inner| Condition::Not(Box::new(inner))),
            (inner.clone(), inner.clone())
                .prop_map(|(left, right)| Condition::And(Box::new(left), Box::new(right))),
            (inner.clone(), inner)
                .prop_map(|(left, right)| Condition::Or(Box::new(left), Box::new(right))),
        ]
    })
}

fn parse(
    condition: &Condition,
    choices: Vec<bool>,
) -> (String, Result<monotable_expr::Condition, ExpressionError>) {
    let mut printer = Printer::new(choices);
    let text = printer.condition(condition);
    let values = printer.values();
    let mut placeholders = Placeholders::new(&printer.names, &values);
    placeholders.check_keys().unwrap();
    let parsed = monotable_expr::Condition::parse(ExpressionKind::Filter, &text, &mut placeholders);
    if parsed.is_ok() {
        placeholders.check_all_used().unwrap();
    }
    (text, parsed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_simple_condition_agrees_with_the_naive_evaluator(
        condition in simple_condition(),
        item in strategies::item(),
        choices in vec(any::<bool>(), 0..24),
    ) {
        let (text, parsed) = parse(&condition, choices);
        prop_assert_eq!(parsed.is_ok(), naive::is_valid(&condition), "{}", text);
        if let Ok(parsed) = parsed {
            let stored = EncodedItem::from(&item);
            let expected = naive::is_true(&condition, &item);
            prop_assert_eq!(parsed.matches(stored.view()), expected, "{}", text);
        }
    }

    #[test]
    fn a_condition_agrees_with_the_naive_evaluator(
        condition in condition().prop_filter("valid", naive::is_valid),
        item in strategies::item(),
        choices in vec(any::<bool>(), 0..24),
    ) {
        let (text, parsed) = parse(&condition, choices);
        let stored = EncodedItem::from(&item);
        let expected = naive::is_true(&condition, &item);
        prop_assert_eq!(parsed.unwrap().matches(stored.view()), expected, "{}", text);
    }

    #[test]
    fn taste_does_not_matter(
        condition in condition().prop_filter("valid", naive::is_valid),
        one in vec(any::<bool>(), 0..24),
        two in vec(any::<bool>(), 0..24),
    ) {
        let (one, two) = (parse(&condition, one), parse(&condition, two));
        prop_assert_eq!(one.1.unwrap(), two.1.unwrap(), "{} / {}", one.0, two.0);
    }
}
