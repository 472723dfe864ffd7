//! Rules of a model, read and decided anew: nothing of the store's or of `expr`'s evaluation is used.
//!
//! Three values, after Kleene: what a path leads to may be absent, which is known, or unknown, which never allows.

use serde_json::Value;
use std::cmp::Ordering;

/// What is known of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    False,
    Unknown,
}

impl Truth {
    const fn from_bool(flag: bool) -> Self {
        if flag { Self::True } else { Self::False }
    }

    const fn negate(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }

    fn and(self, other: Self) -> Self {
        if self == Self::False || other == Self::False {
            return Self::False;
        }
        if self == Self::True && other == Self::True {
            return Self::True;
        }
        Self::Unknown
    }

    fn or(self, other: Self) -> Self {
        self.negate().and(other.negate()).negate()
    }
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Finding {
    Value(Value),
    Absent,
    Unknown,
}

impl From<Option<&Value>> for Finding {
    fn from(value: Option<&Value>) -> Self {
        value.map_or(Self::Absent, |value| Self::Value(value.clone()))
    }
}

/// One side of a comparison.
#[derive(Debug)]
pub(crate) enum Operand {
    Literal(Value),
    Path(Vec<String>),
    Size(Vec<String>),
}

/// A rule as a tree.
#[derive(Debug)]
pub(crate) enum Rule {
    All(Vec<Rule>),
    Any(Vec<Rule>),
    Not(Box<Rule>),
    Compare(String, Box<(Operand, Operand)>),
    Exists(Operand),
    BeginsWith(Box<(Operand, Operand)>),
    Contains(Box<(Operand, Operand)>),
}

impl Rule {
    /// Reads the text of a rule.
    pub(crate) fn parse(text: &str) -> Self {
        let mut reader = Reader {
            tokens: split_tokens(text),
            at: 0,
        };
        let rule = reader.read_any();
        assert_eq!(reader.at, reader.tokens.len(), "`{text}` goes on");
        rule
    }

    /// Decides it.
    pub(crate) fn decide(&self, find: &dyn Fn(&[String]) -> Finding) -> Truth {
        match self {
            Self::All(parts) => parts
                .iter()
                .fold(Truth::True, |truth, part| truth.and(part.decide(find))),
            Self::Any(parts) => parts
                .iter()
                .fold(Truth::False, |truth, part| truth.or(part.decide(find))),
            Self::Not(inner) => inner.decide(find).negate(),
            Self::Exists(operand) => match operand.find(find) {
                Finding::Unknown => Truth::Unknown,
                Finding::Absent => Truth::False,
                Finding::Value(_) => Truth::True,
            },
            Self::Compare(operator, sides) => decide_pair(sides, find, |left, right| {
                compare(operator, left, right)
            }),
            Self::BeginsWith(sides) => decide_pair(sides, find, |left, right| match (left, right) {
                (Some(Value::String(text)), Some(Value::String(start))) => text.starts_with(start),
                _ => false,
            }),
            Self::Contains(sides) => decide_pair(sides, find, |left, right| match (left, right) {
                (Some(Value::Array(values)), Some(value)) => values.contains(value),
                (Some(Value::String(text)), Some(Value::String(part))) => text.contains(part),
                _ => false,
            }),
        }
    }
}

fn decide_pair(
    sides: &(Operand, Operand),
    find: &dyn Fn(&[String]) -> Finding,
    holds: impl Fn(Option<&Value>, Option<&Value>) -> bool,
) -> Truth {
    let (left, right) = (sides.0.find(find), sides.1.find(find));
    if left == Finding::Unknown || right == Finding::Unknown {
        return Truth::Unknown;
    }
    let value = |finding| match finding {
        Finding::Value(value) => Some(value),
        Finding::Absent | Finding::Unknown => None,
    };
    let (left, right) = (value(left), value(right));
    Truth::from_bool(holds(left.as_ref(), right.as_ref()))
}

/// As DynamoDB compares: an absent value equals nothing, and differs from everything.
fn compare(operator: &str, left: Option<&Value>, right: Option<&Value>) -> bool {
    let equal = left.is_some() && left == right;
    let order = match (left, right) {
        (Some(Value::String(left)), Some(Value::String(right))) => Some(left.cmp(right)),
        (Some(Value::Number(left)), Some(Value::Number(right))) => {
            left.as_f64().partial_cmp(&right.as_f64())
        }
        _ => None,
    };
    match operator {
        "=" => equal,
        "<>" => !equal,
        "<" => order == Some(Ordering::Less),
        "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        ">" => order == Some(Ordering::Greater),
        ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        other => panic!("`{other}` is no comparison"),
    }
}

impl Operand {
    fn find(&self, find: &dyn Fn(&[String]) -> Finding) -> Finding {
        match self {
            Self::Literal(value) => Finding::Value(value.clone()),
            Self::Path(path) => find(path),
            Self::Size(path) => match find(path) {
                Finding::Value(Value::String(text)) => Finding::Value(text.len().into()),
                Finding::Value(Value::Array(values)) => Finding::Value(values.len().into()),
                Finding::Value(Value::Object(values)) => Finding::Value(values.len().into()),
                Finding::Unknown => Finding::Unknown,
                Finding::Value(_) | Finding::Absent => Finding::Absent,
            },
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Number(String),
    Mark(String),
}

fn split_tokens(text: &str) -> Vec<Token> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let is_word = |letter: char| letter.is_alphanumeric() || "_#.".contains(letter);
        let take = |from: usize, ok: &dyn Fn(char) -> bool| -> String {
            letters[from..].iter().copied().take_while(|letter| ok(*letter)).collect()
        };
        if letter.is_whitespace() {
            at += 1;
        } else if letter == '\'' {
            let mut value = String::new();
            at += 1;
            loop {
                match (letters[at], letters.get(at + 1)) {
                    ('\'', Some('\'')) => {
                        value.push('\'');
                        at += 2;
                    }
                    ('\'', _) => break,
                    (letter, _) => {
                        value.push(letter);
                        at += 1;
                    }
                }
            }
            at += 1;
            tokens.push(Token::Text(value));
        } else if letter.is_ascii_digit() {
            let digits = take(at, &|letter| letter.is_ascii_digit() || letter == '.');
            at += digits.chars().count();
            tokens.push(Token::Number(digits));
        } else if is_word(letter) {
            let word = take(at, &is_word);
            at += word.chars().count();
            tokens.push(Token::Word(word));
        } else {
            let two: String = letters[at..].iter().take(2).collect();
            let mark = match two.as_str() {
                "<>" | "<=" | ">=" => two,
                _ => letter.to_string(),
            };
            at += mark.len();
            tokens.push(Token::Mark(mark));
        }
    }
    tokens
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Word(next)) if next.eq_ignore_ascii_case(word));
        self.at += usize::from(found);
        found
    }

    fn take_mark(&mut self, mark: &str) -> bool {
        let found = self.tokens.get(self.at) == Some(&Token::Mark(mark.to_owned()));
        self.at += usize::from(found);
        found
    }

    fn demand_mark(&mut self, mark: &str) {
        assert!(self.take_mark(mark), "`{mark}` is wanted at {} of {:?}", self.at, self.tokens);
    }

    fn read_any(&mut self) -> Rule {
        let mut parts = vec![self.read_all()];
        while self.take_word("OR") {
            parts.push(self.read_all());
        }
        Rule::Any(parts)
    }

    fn read_all(&mut self) -> Rule {
        let mut parts = vec![self.read_one()];
        while self.take_word("AND") {
            parts.push(self.read_one());
        }
        Rule::All(parts)
    }

    fn read_one(&mut self) -> Rule {
        if self.take_word("NOT") {
            return Rule::Not(Box::new(self.read_one()));
        }
        if self.take_mark("(") {
            let rule = self.read_any();
            self.demand_mark(")");
            return rule;
        }
        for name in ["attribute_exists", "attribute_not_exists"] {
            if self.take_word(name) {
                self.demand_mark("(");
                let rule = Rule::Exists(self.read_operand());
                self.demand_mark(")");
                return if name == "attribute_exists" {
                    rule
                } else {
                    Rule::Not(Box::new(rule))
                };
            }
        }
        for name in ["begins_with", "contains"] {
            if self.take_word(name) {
                self.demand_mark("(");
                let left = self.read_operand();
                self.demand_mark(",");
                let sides = Box::new((left, self.read_operand()));
                self.demand_mark(")");
                return if name == "contains" {
                    Rule::Contains(sides)
                } else {
                    Rule::BeginsWith(sides)
                };
            }
        }
        self.read_comparison()
    }

    fn read_comparison(&mut self) -> Rule {
        let start = self.at;
        let left = self.read_operand();
        let again = |reader: &mut Self| {
            let end = std::mem::replace(&mut reader.at, start);
            let operand = reader.read_operand();
            reader.at = end;
            operand
        };
        if self.take_word("IN") {
            self.demand_mark("(");
            let mut parts = Vec::new();
            loop {
                let candidate = self.read_operand();
                parts.push(Rule::Compare("=".to_owned(), Box::new((again(self), candidate))));
                if !self.take_mark(",") {
                    break;
                }
            }
            self.demand_mark(")");
            return Rule::Any(parts);
        }
        if self.take_word("BETWEEN") {
            let low = Rule::Compare(">=".to_owned(), Box::new((left, self.read_operand())));
            assert!(self.take_word("AND"), "BETWEEN wants AND");
            let high = self.read_operand();
            let high = Rule::Compare("<=".to_owned(), Box::new((again(self), high)));
            return Rule::All(vec![low, high]);
        }
        let Token::Mark(operator) = self.next() else {
            panic!("a comparison is wanted at {} of {:?}", self.at, self.tokens);
        };
        Rule::Compare(operator, Box::new((left, self.read_operand())))
    }

    fn read_operand(&mut self) -> Operand {
        if self.take_word("size") {
            self.demand_mark("(");
            let Operand::Path(path) = self.read_operand() else {
                panic!("size of a path");
            };
            self.demand_mark(")");
            return Operand::Size(path);
        }
        match self.next() {
            Token::Text(text) => Operand::Literal(text.into()),
            Token::Number(digits) => Operand::Literal(super::plain::read_number(&digits)),
            Token::Word(word) => match word.as_str() {
                "true" => Operand::Literal(true.into()),
                "false" => Operand::Literal(false.into()),
                path => Operand::Path(path.split('.').map(str::to_owned).collect()),
            },
            Token::Mark(mark) => panic!("`{mark}` where a value is wanted in {:?}", self.tokens),
        }
    }
}

#[test]
fn unknown_never_becomes_true_below_not() {
    let find = |path: &[String]| match path[0].as_str() {
        "gone" => Finding::Absent,
        "far" => Finding::Unknown,
        _ => Finding::Value(3.into()),
    };
    for (text, wanted) in [
        ("a = 3 AND NOT gone = 1", Truth::True),
        ("NOT far = 1", Truth::Unknown),
        ("far = 1 OR a > 2", Truth::True),
        ("far = 1 AND a > 3", Truth::False),
        ("gone <> 1 AND a IN (1, 3) AND a BETWEEN 3 AND 4", Truth::True),
        ("attribute_not_exists(gone) AND size(gone) > 0", Truth::False),
    ] {
        assert_eq!(Rule::parse(text).decide(&find), wanted, "{text}");
    }
}
