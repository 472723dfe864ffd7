//! Updates change exactly what they say.

use crate::ast::{Action, NewValue, Path, Printer};
use crate::{naive, strategies};
use monotable_expr::{Placeholders, Update};
use monotable_item::{AttributeValue, EncodedItem, Item};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

fn set() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        btree_set(strategies::text(), 1..4).prop_map(AttributeValue::Ss),
        btree_set(strategies::number(), 1..4).prop_map(AttributeValue::Ns),
        btree_set(strategies::bytes(), 1..4).prop_map(AttributeValue::Bs),
    ]
}

fn number() -> impl Strategy<Value = AttributeValue> {
    strategies::number().prop_map(AttributeValue::N)
}

/// A value of the given kind, of the request or of the item.
fn operand(
    literal: impl Strategy<Value = AttributeValue> + 'static,
) -> impl Strategy<Value = NewValue> {
    let literal = literal.boxed();
    prop_oneof![
        2 => literal.clone().prop_map(NewValue::Value),
        2 => strategies::path().prop_map(NewValue::Path),
        1 => (strategies::path(), literal).prop_map(|(path, value)| {
            NewValue::IfNotExists(path, Box::new(NewValue::Value(value)))
        }),
    ]
}

fn new_value() -> impl Strategy<Value = NewValue> {
    let list = || vec(strategies::value(), 0..3).prop_map(AttributeValue::L);
    let pair = |(left, right): (NewValue, NewValue)| (Box::new(left), Box::new(right));
    prop_oneof![
        3 => operand(strategies::value()),
        1 => (operand(number()), operand(number())).prop_map(move |operands| {
            let (left, right) = pair(operands);
            NewValue::Plus(left, right)
        }),
        1 => (operand(number()), operand(number())).prop_map(move |operands| {
            let (left, right) = pair(operands);
            NewValue::Minus(left, right)
        }),
        1 => (operand(list()), operand(list())).prop_map(move |operands| {
            let (first, second) = pair(operands);
            NewValue::ListAppend(first, second)
        }),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        4 => (strategies::path(), new_value()).prop_map(|(path, value)| Action::Set(path, value)),
        3 => strategies::path().prop_map(Action::Remove),
        1 => (strategies::path(), prop_oneof![number(), set()])
            .prop_map(|(path, value)| Action::Add(path, value)),
        1 => (strategies::path(), set()).prop_map(|(path, value)| Action::Delete(path, value)),
    ]
}

/// Paths of an item, so that updates often find what they change.
fn existing_paths(item: &Item) -> Vec<Path> {
    fn below(value: &AttributeValue, path: &Path, found: &mut Vec<Path>) {
        use crate::ast::Step;
        found.push(path.clone());
        let with = |step| {
            let mut path = path.clone();
            path.push(step);
            path
        };
        match value {
            AttributeValue::M(map) => {
                for (name, value) in map {
                    below(value, &with(Step::Name(name.clone())), found);
                }
            }
            AttributeValue::L(list) => {
                for (index, value) in list.iter().enumerate() {
                    below(value, &with(Step::Index(index)), found);
                }
                found.push(with(Step::Index(list.len() + 1)));
                found.push(with(Step::Index(list.len())));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for (name, value) in item {
        below(
            value,
            &vec![crate::ast::Step::Name(name.clone())],
            &mut found,
        );
    }
    found
}

fn aim(action: &mut Action, path: &Path) {
    match action {
        Action::Set(old, _) | Action::Remove(old) => *old = path.clone(),
        Action::Add(old, _) | Action::Delete(old, _) => *old = path.clone(),
    }
}

fn check(item: &Item, actions: &[Action], choices: Vec<bool>) -> Result<(), TestCaseError> {
    let mut printer = Printer::new(choices);
    let text = printer.update(actions);
    let values = printer.values();
    let parsed = Update::parse(&text, &mut Placeholders::new(&printer.names, &values));
    let targets: Vec<_> = actions.iter().map(Action::path).collect();
    prop_assert_eq!(parsed.is_ok(), naive::are_apart(&targets), "{}", text);
    let Ok(parsed) = parsed else { return Ok(()) };
    let stored = EncodedItem::from(item);
    let updated = parsed.apply(stored.view()).ok();
    let expected = naive::update(item, actions);
    let actual = updated.as_ref().map(|updated| updated.item.to_item());
    prop_assert_eq!(&actual, &expected, "{}", text);
    if let (Some(updated), Some(expected)) = (updated, expected) {
        prop_assert!(updated.item.is_well_formed());
        let old = updated.updated_old(stored.view()).to_item();
        prop_assert_eq!(old, naive::project(item, &targets), "{}", text);
        let new = updated.updated_new().to_item();
        prop_assert_eq!(new, naive::project(&expected, &targets), "{}", text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn an_update_agrees_with_the_naive_one(
        actions in vec(action(), 1..5),
        item in strategies::item(),
        choices in vec(any::<bool>(), 0..24),
    ) {
        check(&item, &actions, choices)?;
    }

    #[test]
    fn an_update_of_what_is_there_agrees_with_the_naive_one(
        mut actions in vec(action(), 1..6),
        item in strategies::item(),
        aims in vec(any::<proptest::sample::Index>(), 6),
        choices in vec(any::<bool>(), 0..24),
    ) {
        let paths = existing_paths(&item);
        if !paths.is_empty() {
            for (action, aim_at) in actions.iter_mut().zip(aims) {
                aim(action, aim_at.get(&paths));
            }
        }
        // Of those that clash, the first stays.
        let mut kept: Vec<Action> = Vec::new();
        for action in actions {
            let mut targets: Vec<_> = kept.iter().map(Action::path).collect();
            targets.push(action.path());
            if naive::are_apart(&targets) {
                kept.push(action);
            }
        }
        check(&item, &kept, choices)?;
    }
}
