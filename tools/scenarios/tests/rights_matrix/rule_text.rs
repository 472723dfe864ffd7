//! The text of a rule as a tree.

use super::plain;
use super::predicate::{Operand, Rule};

/// Reads a rule.
pub(super) fn read(text: &str) -> Rule {
    let mut reader = Reader {
        tokens: split_tokens(text),
        at: 0,
    };
    let rule = reader.read_any();
    assert_eq!(reader.at, reader.tokens.len(), "`{text}` goes on");
    rule
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
            letters[from..]
                .iter()
                .copied()
                .take_while(|letter| ok(*letter))
                .collect()
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
        assert!(
            self.take_mark(mark),
            "`{mark}` is wanted at {} of {:?}",
            self.at,
            self.tokens
        );
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
                parts.push(Rule::Compare(
                    "=".to_owned(),
                    Box::new((again(self), candidate)),
                ));
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
            Token::Number(digits) => Operand::Literal(plain::read_number(&digits)),
            Token::Word(word) => match word.as_str() {
                "true" => Operand::Literal(true.into()),
                "false" => Operand::Literal(false.into()),
                path => Operand::Path(path.split('.').map(str::to_owned).collect()),
            },
            Token::Mark(mark) => panic!("`{mark}` where a value is wanted in {:?}", self.tokens),
        }
    }
}
