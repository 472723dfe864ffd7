//! Predicates of which a part is not known: against Kleene's tables, and against everything that could become known.

use crate::ast::{Condition, Operand, Step};
use crate::predicates::{matches, small, write};
use crate::{naive, strategies};
use monotable_expr::predicate::{Finding, Predicate, Truth};
use monotable_item::{EncodedItem, Item};
use proptest::collection::btree_set;
use proptest::prelude::*;
use std::collections::BTreeSet;

type Unknown = BTreeSet<&'static str>;

fn unknown() -> impl Strategy<Value = Unknown> {
    btree_set(proptest::sample::select(&strategies::NAMES[..]), 0..4)
}

fn decide(predicate: &Predicate, item: &Item, unknown: &Unknown) -> Truth {
    let stored = EncodedItem::from(item);
    predicate.decide(|path| match path.first_name() {
        Some(name) if unknown.contains(name) => Finding::Unknown,
        _ => path.resolve(stored.view()).into(),
    })
}

/// The tables as they stand in a book: 0 is false, 1 unknown, 2 true; AND is the least, OR the greatest.
fn naive(condition: &Condition, item: &Item, unknown: &Unknown) -> u8 {
    let ask = |condition: &Condition| naive(condition, item, unknown);
    match condition {
        Condition::Not(inner) => 2 - ask(inner),
        Condition::And(left, right) => ask(left).min(ask(right)),
        Condition::Or(left, right) => ask(left).max(ask(right)),
        Condition::Between(operand, lower, upper) => {
            let at_least = Condition::Compare(">=", operand.clone(), lower.clone());
            let at_most = Condition::Compare("<=", operand.clone(), upper.clone());
            ask(&at_least).min(ask(&at_most))
        }
        Condition::In(operand, candidates) => {
            let equal = |one: &Operand| Condition::Compare("=", operand.clone(), one.clone());
            candidates.iter().map(|one| ask(&equal(one))).max().unwrap()
        }
        simple
            if names(simple)
                .iter()
                .any(|name| unknown.contains(name.as_str())) =>
        {
            1
        }
        simple => 2 * u8::from(naive::is_true(simple, item)),
    }
}

/// The attributes that a simple condition reads.
fn names(condition: &Condition) -> Vec<String> {
    fn of_path(path: &[Step]) -> Vec<String> {
        match &path[0] {
            Step::Name(name) => vec![name.clone()],
            Step::Index(_) => Vec::new(),
        }
    }
    fn of_operand(operand: &Operand) -> Vec<String> {
        match operand {
            Operand::Path(path) => of_path(path),
            Operand::Value(_) => Vec::new(),
            Operand::Size(inner) => of_operand(inner),
        }
    }
    match condition {
        Condition::Exists(path) | Condition::NotExists(path) => of_path(path),
        Condition::Type(operand, _) => of_operand(operand),
        Condition::Compare(_, a, b) | Condition::BeginsWith(a, b) | Condition::Contains(a, b) => {
            [of_operand(a), of_operand(b)].concat()
        }
        other => panic!("{other:?}"),
    }
}

const fn number(truth: Truth) -> u8 {
    match truth {
        Truth::False => 0,
        Truth::Unknown => 1,
        Truth::True => 2,
    }
}

fn valid() -> impl Strategy<Value = Condition> {
    small().prop_filter("valid", naive::is_valid)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_decision_agrees_with_the_tables(
        condition in valid(),
        item in strategies::item(),
        unknown in unknown(),
    ) {
        let predicate = Predicate::parse(&write(&condition, Vec::new())).unwrap();
        let decided = decide(&predicate, &item, &unknown);
        prop_assert_eq!(number(decided), naive(&condition, &item, &unknown), "{}", predicate);
    }

    #[test]
    fn a_decision_without_unknowns_is_what_matches_says(
        condition in valid(),
        item in strategies::item(),
    ) {
        let predicate = Predicate::parse(&write(&condition, Vec::new())).unwrap();
        let decided = decide(&predicate, &item, &Unknown::new());
        prop_assert_eq!(decided, Truth::from(matches(&predicate, &item)), "{}", predicate);
    }

    /// What is decided stays decided: any value, or none, in the place of one unknown attribute.
    #[test]
    fn knowing_more_never_changes_a_decision(
        condition in valid(),
        item in strategies::item(),
        unknown in unknown(),
        value in proptest::option::of(strategies::value()),
    ) {
        let predicate = Predicate::parse(&write(&condition, Vec::new())).unwrap();
        let before = decide(&predicate, &item, &unknown);
        for name in &unknown {
            let mut known: Item = item.clone();
            known.remove(name);
            if let Some(value) = value.clone() {
                known.insert(*name, value);
            }
            let mut rest = unknown.clone();
            rest.remove(name);
            let after = decide(&predicate, &known, &rest);
            prop_assert!(before == Truth::Unknown || before == after, "{}: {:?} {:?}", predicate, before, after);
        }
    }
}
