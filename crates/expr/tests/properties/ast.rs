//! The tests' own expressions, and how they are written down.

use monotable_item::{AttributeType, AttributeValue, EncodedItem, Item};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord)]
pub(crate) enum Step {
    Name(String),
    Index(usize),
}

pub(crate) type Path = Vec<Step>;

#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Path(Path),
    Value(AttributeValue),
    Size(Box<Operand>),
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Compare(&'static str, Operand, Operand),
    Between(Operand, Operand, Operand),
    In(Operand, Vec<Operand>),
    Exists(Path),
    NotExists(Path),
    Type(Operand, AttributeType),
    BeginsWith(Operand, Operand),
    Contains(Operand, Operand),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Debug)]
pub(crate) enum NewValue {
    Path(Path),
    Value(AttributeValue),
    IfNotExists(Path, Box<NewValue>),
    ListAppend(Box<NewValue>, Box<NewValue>),
    Plus(Box<NewValue>, Box<NewValue>),
    Minus(Box<NewValue>, Box<NewValue>),
}

#[derive(Clone, Debug)]
pub(crate) enum Action {
    Set(Path, NewValue),
    Remove(Path),
    Add(Path, AttributeValue),
    Delete(Path, AttributeValue),
}

impl Action {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Set(path, _) | Self::Remove(path) => path,
            Self::Add(path, _) | Self::Delete(path, _) => path,
        }
    }
}

/// Writes expressions down. Whatever is a matter of taste (case, blanks, parentheses, placeholders) is
/// decided by the next of the given choices.
#[derive(Debug)]
pub(crate) struct Printer {
    choices: Vec<bool>,
    next: usize,
    pub(crate) names: BTreeMap<String, String>,
    values: Item,
}

impl Printer {
    pub(crate) fn new(choices: Vec<bool>) -> Self {
        Self {
            choices,
            next: 0,
            names: BTreeMap::new(),
            values: Item::new(),
        }
    }

    pub(crate) fn values(&self) -> EncodedItem {
        EncodedItem::from(&self.values)
    }

    fn choose(&mut self) -> bool {
        self.next += 1;
        !self.choices.is_empty() && self.choices[self.next % self.choices.len()]
    }

    fn blank(&mut self) -> &'static str {
        if self.choose() { " \n" } else { "" }
    }

    fn keyword(&mut self, keyword: &str) -> String {
        if self.choose() {
            format!(" {} ", keyword.to_lowercase())
        } else {
            format!(" {keyword} ")
        }
    }

    fn name(&mut self, name: &str) -> String {
        if matches!(name, "a" | "b" | "c") && self.choose() {
            return name.to_owned();
        }
        let key = format!("#{}", name.replace('.', "_"));
        self.names.insert(key.clone(), name.to_owned());
        key
    }

    pub(crate) fn path(&mut self, path: &Path) -> String {
        let mut text = String::new();
        for step in path {
            match step {
                Step::Name(name) => {
                    if !text.is_empty() {
                        text += self.blank();
                        text += ".";
                    }
                    text += &self.name(name);
                }
                Step::Index(index) => {
                    text += self.blank();
                    text += &format!("[{}{index}]", self.blank());
                }
            }
        }
        text
    }

    fn value(&mut self, value: &AttributeValue) -> String {
        let key = format!(":v{}", self.values.len());
        self.values.insert(key.clone(), value.clone());
        key
    }

    fn operand(&mut self, operand: &Operand) -> String {
        let text = match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(operand) => format!("size{}({})", self.blank(), self.operand(operand)),
        };
        if self.choose() {
            format!("({text})")
        } else {
            text
        }
    }

    fn call(&mut self, name: &str, first: &Operand, second: &Operand) -> String {
        let (first, second) = (self.operand(first), self.operand(second));
        format!("{name}({first},{}{second})", self.blank())
    }

    pub(crate) fn condition(&mut self, condition: &Condition) -> String {
        self.condition_within(condition, 0)
    }

    /// The condition where only operators of at least this precedence can stand bare.
    fn condition_within(&mut self, condition: &Condition, least: u8) -> String {
        let (precedence, text) = match condition {
            Condition::Or(left, right) => {
                let left = self.condition_within(left, 1);
                let or = self.keyword("OR");
                (1, left + &or + &self.condition_within(right, 2))
            }
            Condition::And(left, right) => {
                let left = self.condition_within(left, 2);
                let and = self.keyword("AND");
                (2, left + &and + &self.condition_within(right, 3))
            }
            Condition::Not(inner) => {
                let not = self.keyword("NOT");
                (3, not + &self.condition_within(inner, 3))
            }
            simple => (4, self.simple_condition(simple)),
        };
        if precedence < least || self.choose() {
            format!("({text})")
        } else {
            text
        }
    }

    fn simple_condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(operator, left, right) => {
                let left = self.operand(left);
                let blank = self.blank();
                format!("{left}{blank}{operator}{blank}{}", self.operand(right))
            }
            Condition::Between(operand, lower, upper) => {
                let operand = self.operand(operand);
                let between = self.keyword("BETWEEN");
                let lower = self.operand(lower);
                let and = self.keyword("AND");
                operand + &between + &lower + &and + &self.operand(upper)
            }
            Condition::In(operand, candidates) => {
                let operand = self.operand(operand);
                let keyword = self.keyword("IN");
                let candidates: Vec<_> = candidates.iter().map(|one| self.operand(one)).collect();
                format!("{operand}{keyword}({})", candidates.join(","))
            }
            Condition::Exists(path) => format!("attribute_exists({})", self.path(path)),
            Condition::NotExists(path) => format!("attribute_not_exists({})", self.path(path)),
            Condition::Type(operand, kind) => {
                let kind = Operand::Value(kind.name().into());
                self.call("attribute_type", operand, &kind)
            }
            Condition::BeginsWith(operand, prefix) => self.call("begins_with", operand, prefix),
            Condition::Contains(operand, element) => self.call("contains", operand, element),
            Condition::Not(_) | Condition::And(..) | Condition::Or(..) => unreachable!(),
        }
    }

    pub(crate) fn projection(&mut self, paths: &[Path]) -> String {
        let paths: Vec<_> = paths.iter().map(|path| self.path(path)).collect();
        paths.join(",")
    }

    pub(crate) fn update(&mut self, actions: &[Action]) -> String {
        let mut clauses: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for action in actions {
            let path = self.path(action.path());
            let (clause, text) = match action {
                Action::Set(_, value) => ("SET", format!("{path} = {}", self.new_value(value))),
                Action::Remove(_) => ("REMOVE", path),
                Action::Add(_, value) => ("ADD", format!("{path} {}", self.value(value))),
                Action::Delete(_, value) => ("DELETE", format!("{path} {}", self.value(value))),
            };
            clauses.entry(clause).or_default().push(text);
        }
        let mut text = String::new();
        for (clause, actions) in clauses {
            text += &self.keyword(clause);
            text += &actions.join(",");
        }
        text
    }

    fn new_value(&mut self, value: &NewValue) -> String {
        let text = match value {
            NewValue::Path(path) => self.path(path),
            NewValue::Value(value) => self.value(value),
            NewValue::IfNotExists(path, value) => {
                let path = self.path(path);
                format!("if_not_exists({path},{})", self.new_value(value))
            }
            NewValue::ListAppend(first, second) => {
                let first = self.new_value(first);
                format!("list_append({first},{})", self.new_value(second))
            }
            NewValue::Plus(left, right) => {
                let left = self.new_value(left);
                format!("{left} + {}", self.new_value(right))
            }
            NewValue::Minus(left, right) => {
                let left = self.new_value(left);
                format!("{left} - {}", self.new_value(right))
            }
        };
        if self.choose() {
            format!("({text})")
        } else {
            text
        }
    }
}
