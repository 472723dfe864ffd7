//! Predicates mean what DynamoDB's conditions mean, and print as they parse.

use crate::ast::{Condition, Operand, Step};
use crate::{naive, strategies};
use monotable_expr::predicate::{Context, Meaning, Predicate, Root, Translation};
use monotable_item::{AttributeType, AttributeValue, EncodedItem, Item, Number};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Names that need quotes, or look as if they did.
const NAMES: [&str; 16] = [
    "a",
    "_x",
    "md#x",
    "and",
    "TRUE",
    "now",
    "old",
    "principal",
    "a`b",
    "size",
    "in",
    "0",
    "é",
    "b c",
    "param",
    "x.y",
];

fn literal() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        strategies::text().prop_map(AttributeValue::S),
        strategies::number().prop_map(AttributeValue::N),
        any::<bool>().prop_map(AttributeValue::Bool),
    ]
}

/// Values beyond the small world: any text, any number.
fn any_literal() -> impl Strategy<Value = AttributeValue> {
    let number = (any::<i64>(), -120_i32..100);
    prop_oneof![
        any::<String>().prop_map(AttributeValue::S),
        "[a-c'`\" ]{0,6}".prop_map(AttributeValue::S),
        number.prop_map(|(digits, exponent)| {
            let number: Number = format!("{digits}e{exponent}").parse().unwrap();
            AttributeValue::N(number)
        }),
        literal(),
    ]
}

fn any_path() -> impl Strategy<Value = Vec<Step>> {
    let name = || select(&NAMES[..]).prop_map(|name| Step::Name(name.to_owned()));
    let step = prop_oneof![3 => name(), 1 => (0_usize..12).prop_map(Step::Index)];
    (name(), vec(step, 0..3)).prop_map(|(first, rest)| {
        let mut path = vec![first];
        path.extend(rest);
        path
    })
}

fn condition(
    path: BoxedStrategy<Vec<Step>>,
    value: BoxedStrategy<AttributeValue>,
) -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        3 => path.clone().prop_map(Operand::Path),
        2 => value.prop_map(Operand::Value),
    ]
    .boxed();
    let operand = prop_oneof![
        6 => leaf.clone(),
        1 => leaf.prop_map(|operand| Operand::Size(Box::new(operand))),
    ]
    .boxed();
    let one = || operand.clone();
    let operator = select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let simple = prop_oneof![
        4 => (operator, one(), one()).prop_map(|(symbol, a, b)| Condition::Compare(symbol, a, b)),
        2 => (one(), one(), one()).prop_map(|(a, b, c)| Condition::Between(a, b, c)),
        2 => (one(), vec(one(), 1..5)).prop_map(|(a, list)| Condition::In(a, list)),
        1 => path.clone().prop_map(Condition::Exists),
        1 => path.prop_map(Condition::NotExists),
        1 => (one(), select(AttributeType::ALL.to_vec())).prop_map(|(a, kind)| Condition::Type(a, kind)),
        1 => (one(), one()).prop_map(|(a, b)| Condition::BeginsWith(a, b)),
        2 => (one(), one()).prop_map(|(a, b)| Condition::Contains(a, b)),
    ];
    simple.prop_recursive(4, 12, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        let boxed = |(a, b)| (Box::new(a), Box::new(b));
        prop_oneof![
            inner.prop_map(|inner| Condition::Not(Box::new(inner))),
            pair.clone()
                .prop_map(boxed)
                .prop_map(|(a, b)| Condition::And(a, b)),
            pair.prop_map(boxed).prop_map(|(a, b)| Condition::Or(a, b)),
        ]
    })
}

/// Conditions on the small world of all these tests.
pub(crate) fn small() -> impl Strategy<Value = Condition> {
    condition(strategies::path().boxed(), literal().boxed())
}

/// Writes predicates down; taste is decided by the next of the given choices.
struct Writer {
    choices: Vec<bool>,
    next: usize,
}

impl Writer {
    fn choose(&mut self) -> bool {
        self.next += 1;
        !self.choices.is_empty() && self.choices[self.next % self.choices.len()]
    }

    fn keyword(&mut self, keyword: &str) -> String {
        let lower = keyword.to_lowercase();
        format!("\n{} ", if self.choose() { &lower } else { keyword })
    }

    fn path(&mut self, path: &[Step]) -> String {
        let mut text = String::new();
        for (position, step) in path.iter().enumerate() {
            match step {
                Step::Index(index) => text += &format!("[ {index}]"),
                Step::Name(name) => {
                    if position > 0 {
                        text += " . ";
                    }
                    let is_word = name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
                    let is_keyword = ["and", "TRUE", "now", "in"].contains(&name.as_str());
                    let bare = is_word && (position > 0 || !is_keyword);
                    if bare && self.choose() {
                        text += name;
                    } else {
                        text += &format!("`{}`", name.replace('`', "``"));
                    }
                }
            }
        }
        text
    }

    fn value(&mut self, value: &AttributeValue) -> String {
        match value {
            AttributeValue::S(text) => format!("'{}'", text.replace('\'', "''")),
            AttributeValue::N(number) => number.to_string(),
            AttributeValue::Bool(value) if self.choose() => value.to_string().to_uppercase(),
            AttributeValue::Bool(value) => value.to_string(),
            other => panic!("{other:?}"),
        }
    }

    fn operand(&mut self, operand: &Operand) -> String {
        let text = match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(inner) => format!("size({})", self.operand(inner)),
        };
        if self.choose() {
            format!("(({text}))")
        } else {
            text
        }
    }

    fn call(&mut self, name: &str, first: &Operand, second: &Operand) -> String {
        format!("{name} ({},{})", self.operand(first), self.operand(second))
    }

    /// With parentheses around every part of a junction, or around none that needs none.
    fn condition(&mut self, condition: &Condition, least: u8) -> String {
        let (precedence, text) = match condition {
            Condition::Or(left, right) => {
                let left = self.condition(left, 1);
                (1, left + &self.keyword("OR") + &self.condition(right, 2))
            }
            Condition::And(left, right) => {
                let left = self.condition(left, 2);
                (2, left + &self.keyword("AND") + &self.condition(right, 3))
            }
            Condition::Not(inner) => (3, self.keyword("NOT") + &self.condition(inner, 3)),
            simple => (4, self.simple(simple)),
        };
        if precedence < least || self.choose() {
            format!("({text})")
        } else {
            text
        }
    }

    fn simple(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(operator, left, right) => {
                format!("{}{operator}{}", self.operand(left), self.operand(right))
            }
            Condition::Between(operand, lower, upper) => {
                let (operand, between) = (self.operand(operand), self.keyword("BETWEEN"));
                let (lower, and) = (self.operand(lower), self.keyword("AND"));
                operand + &between + &lower + &and + &self.operand(upper)
            }
            Condition::In(operand, candidates) => {
                let (operand, keyword) = (self.operand(operand), self.keyword("IN"));
                let list: Vec<_> = candidates.iter().map(|one| self.operand(one)).collect();
                format!("{operand}{keyword}({})", list.join(","))
            }
            Condition::Exists(path) => format!("attribute_exists({})", self.path(path)),
            Condition::NotExists(path) => format!("attribute_not_exists({})", self.path(path)),
            Condition::Type(operand, kind) => self.call(
                "attribute_type",
                operand,
                &Operand::Value(kind.name().into()),
            ),
            Condition::BeginsWith(a, b) => self.call("begins_with", a, b),
            Condition::Contains(a, b) => self.call("contains", a, b),
            Condition::Not(_) | Condition::And(..) | Condition::Or(..) => unreachable!(),
        }
    }
}

pub(crate) fn write(condition: &Condition, choices: Vec<bool>) -> String {
    Writer { choices, next: 0 }.condition(condition, 0)
}

pub(crate) fn matches(predicate: &Predicate, item: &Item) -> bool {
    let stored = EncodedItem::from(item);
    let context = Context::new(stored.view());
    predicate.matches(|path| context.get(path))
}

/// Uses `text` in every way.
fn use_all(text: &str, item: &Item) {
    let predicate = match Predicate::parse(text) {
        Ok(predicate) => predicate,
        Err(error) => {
            assert!(text.get(error.span.range()).is_some(), "{text:?} {error:?}");
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    for path in predicate.paths() {
        assert!(text.get(path.span().range()).is_some());
    }
    assert_eq!(predicate.to_string().parse().as_ref(), Ok(&predicate));
    predicate.comparisons();
    let _ = predicate.to_condition(Meaning::attribute);
    matches(&predicate, item);
}

const WORDS: [&str; 44] = [
    "a",
    "b",
    "old",
    "principal",
    "now",
    "true",
    "`x y`",
    "``",
    "'t'",
    "''",
    "'",
    "\"",
    "`",
    "1",
    "0",
    "-2.5e3",
    "1e999",
    "AND",
    "or",
    "NOT",
    "between",
    "IN",
    "size",
    "contains",
    "begins_with",
    "attribute_exists",
    "attribute_type",
    "exists",
    "if_not_exists",
    "(",
    "(",
    ")",
    ")",
    "[",
    "]",
    ".",
    ",",
    "=",
    "<>",
    "<",
    "!=",
    "==",
    ":v",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_predicate_agrees_with_the_naive_evaluator(
        condition in small(),
        item in strategies::item(),
        choices in vec(any::<bool>(), 0..24),
    ) {
        let text = write(&condition, choices);
        let parsed = Predicate::parse(&text);
        prop_assert_eq!(parsed.is_ok(), naive::is_valid(&condition), "{}: {:?}", text, parsed);
        if let Ok(predicate) = parsed {
            prop_assert_eq!(matches(&predicate, &item), naive::is_true(&condition, &item), "{}", text);
        }
    }

    #[test]
    fn the_translation_agrees_with_the_predicate(
        condition in small().prop_filter("valid", naive::is_valid),
        item in strategies::item(),
    ) {
        let predicate = Predicate::parse(&write(&condition, Vec::new())).unwrap();
        let value = match predicate.to_condition(Meaning::attribute).unwrap() {
            Translation::Always(value) => value,
            Translation::Condition(text) => {
                text.condition.matches(EncodedItem::from(&item).view())
            }
        };
        prop_assert_eq!(value, matches(&predicate, &item), "{}", predicate);
    }

    /// Some attributes are known before, some known to be absent, the rest is asked of the item.
    #[test]
    fn what_is_known_before_makes_no_difference(
        condition in small().prop_filter("valid", naive::is_valid),
        item in strategies::item(),
        known in vec(any::<bool>(), 3),
    ) {
        let predicate = Predicate::parse(&write(&condition, Vec::new())).unwrap();
        let stored = EncodedItem::from(&item);
        let is_known = |name: &str| ["a", "b", "name"].iter().zip(&known).any(|(one, known)| *one == name && *known);
        let translated = predicate.to_condition(|path| match path.resolve(stored.view()) {
            _ if !is_known(path.first_name().unwrap()) => Meaning::attribute(path),
            Some(value) => Meaning::Value(value.to_value()),
            None => Meaning::Absent,
        });
        let value = match translated.unwrap() {
            Translation::Always(value) => value,
            Translation::Condition(text) => text.condition.matches(stored.view()),
        };
        prop_assert_eq!(value, matches(&predicate, &item), "{}", predicate);
    }

    #[test]
    fn a_predicate_prints_and_parses_back(
        condition in condition(any_path().boxed(), any_literal().boxed()),
        choices in vec(any::<bool>(), 0..24),
    ) {
        let text = write(&condition, choices);
        if let Ok(predicate) = Predicate::parse(&text) {
            let printed = predicate.to_string();
            let again = Predicate::parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&predicate), "{:?} as {:?}", text, printed);
            prop_assert_eq!(again.unwrap().to_string(), printed);
        }
    }

    #[test]
    fn a_literal_keeps_its_value_and_a_name_its_characters(
        literal in any_literal(),
        name in "\\PC{1,8}",
        choices in vec(any::<bool>(), 0..8),
    ) {
        let path = vec![Step::Name("principal".into()), Step::Name(name.clone())];
        let condition = Condition::Compare("=", Operand::Path(path.clone()), Operand::Value(literal.clone()));
        let text = write(&condition, choices).replace("`principal`", "principal");
        let predicate = Predicate::parse(&text).unwrap();
        let comparison = &predicate.comparisons()[0];
        prop_assert_eq!(comparison.literals[0].to_value(), literal);
        prop_assert_eq!(comparison.path.root(), Some(Root::Principal));
        prop_assert_eq!(comparison.path.first_name(), Some(name.as_str()));
    }

    #[test]
    fn any_text(text in any::<String>(), item in strategies::item()) {
        use_all(&text, &item);
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..64), item in strategies::item()) {
        use_all(&String::from_utf8_lossy(&bytes), &item);
    }

    #[test]
    fn any_words(
        words in vec(select(&WORDS[..]), 0..24),
        blanks in any::<bool>(),
        item in strategies::item(),
    ) {
        use_all(&words.join(if blanks { " " } else { "" }), &item);
    }

    /// A word too many, too few or another one, in something that was right.
    #[test]
    fn almost_right(
        condition in small(),
        at in any::<proptest::sample::Index>(),
        word in select(&WORDS[..]),
        remove in any::<bool>(),
        item in strategies::item(),
    ) {
        let text = write(&condition, Vec::new());
        let mut characters: Vec<_> = text.chars().map(String::from).collect();
        let position = at.index(characters.len());
        if remove {
            characters.remove(position);
        }
        characters.insert(position, word.into());
        use_all(&characters.concat(), &item);
    }
}
