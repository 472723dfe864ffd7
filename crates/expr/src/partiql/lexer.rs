//! Text to tokens.

use super::error::{StatementError, StatementProblem};
use super::keyword;
use super::position::SourcePosition;
use super::token::{Operator, Precedence, Token, TokenKind};
use crate::tree::Comparator;
use std::borrow::Cow;

/// The tokens of a statement; the last one is [`TokenKind::End`].
pub(super) fn tokenize(text: &str) -> Result<Vec<Token<'_>>, StatementError> {
    let mut lexer = Lexer {
        rest: text,
        line: 1,
        column: 1,
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let token = lexer.token()?;
        let is_end = token.kind == TokenKind::End;
        tokens.push(token);
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    line: usize,
    column: usize,
}

impl<'t> Lexer<'t> {
    fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes the first `bytes` of the rest, which end between two characters.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        for character in taken.chars() {
            if character == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    /// What begins here cannot be read. PartiQL's reference parser leaves its message empty there, and so does AWS; what
    /// stands behind the colon is ours.
    const fn unreadable(&self, detail: &'static str) -> StatementError {
        StatementProblem::Malformed(detail).at(SourcePosition {
            line: self.line,
            column: self.column,
            length: 1,
        })
    }

    /// How many bytes the characters take up that satisfy `accepts`, from the beginning of the rest.
    fn count(&self, accepts: impl Fn(char) -> bool) -> usize {
        self.rest
            .find(|character| !accepts(character))
            .unwrap_or(self.rest.len())
    }

    fn skip_blanks(&mut self) -> Result<(), StatementError> {
        loop {
            if self.rest.starts_with("--") {
                self.take(self.count(|character| !matches!(character, '\n' | '\r')));
            } else if self.rest.starts_with("/*") {
                let length = self.rest.get(2..).and_then(|inside| inside.find("*/"));
                let open = self.unreadable("The comment has no end");
                self.take(length.ok_or(open)? + 4);
            } else {
                match self.count(char::is_whitespace) {
                    0 => return Ok(()),
                    blanks => self.take(blanks),
                };
            }
        }
    }

    fn token(&mut self) -> Result<Token<'t>, StatementError> {
        let (line, column) = (self.line, self.column);
        let before = self.rest;
        let kind = match self.first() {
            None => TokenKind::End,
            Some('\'') => TokenKind::Text(self.quoted('\'')?),
            Some('"') => TokenKind::QuotedIdentifier(self.quoted('"')?),
            Some('0'..='9') => TokenKind::Number(self.number()?),
            Some('.') if self.starts_fraction() => TokenKind::Number(self.number()?),
            Some(character) if is_word_start(character) => self.word(),
            Some(_) => self.symbol()?,
        };
        let taken = before.len() - self.rest.len();
        let length = before.get(..taken).map_or(0, |text| text.chars().count());
        let at = SourcePosition {
            line,
            column,
            length,
        };
        Ok(Token { kind, at })
    }

    fn starts_fraction(&self) -> bool {
        let digit = self.rest.as_bytes().get(1);
        digit.is_some_and(u8::is_ascii_digit)
    }

    /// What stands between two quotes; two of them inside are one that is meant.
    fn quoted(&mut self, quote: char) -> Result<Cow<'t, str>, StatementError> {
        let open = self.unreadable("The closing quote is missing");
        self.take(quote.len_utf8());
        let mut text = Cow::Borrowed("");
        loop {
            let Some(end) = self.rest.find(quote) else {
                return Err(open);
            };
            let part = self.take(end);
            self.take(quote.len_utf8());
            if text.is_empty() {
                text = Cow::Borrowed(part);
            } else {
                text.to_mut().push_str(part);
            }
            if self.first() != Some(quote) {
                return Ok(text);
            }
            self.take(quote.len_utf8());
            text.to_mut().push(quote);
        }
    }

    /// `12`, `1.5`, `.5`, `1.` and each with an exponent.
    fn number(&mut self) -> Result<&'t str, StatementError> {
        let out_of_range = || self.unreadable("The exponent of the number cannot be read");
        let bytes = self.rest.as_bytes();
        let digits_from = |start: usize| {
            let rest = bytes.get(start..).unwrap_or_default();
            rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let mut end = digits_from(0);
        let mut fraction = 0;
        if bytes.get(end) == Some(&b'.') {
            fraction = digits_from(end + 1);
            end += 1 + fraction;
        }
        let mut exponent = 0;
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let digits = digits_from(end + 1 + sign);
            let text = self.rest.get(end + 1..end + 1 + sign + digits);
            exponent = text
                .filter(|_| digits > 0)
                .and_then(|text| text.parse::<i32>().ok())
                .ok_or_else(out_of_range)?;
            end += 1 + sign + digits;
        }
        // AWS's numbers are unscaled digits and a scale of 32 bits.
        i32::try_from(fraction)
            .ok()
            .and_then(|fraction| fraction.checked_sub(exponent))
            .ok_or_else(out_of_range)?;
        Ok(self.take(end))
    }

    fn word(&mut self) -> TokenKind<'t> {
        let word = self.take(self.count(is_word));
        let Some(keyword) = keyword::find(word) else {
            return TokenKind::Identifier(word);
        };
        match keyword {
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "null" => TokenKind::Null,
            "missing" => TokenKind::Missing,
            _ => Operator::from_keyword(keyword)
                .map_or(TokenKind::Keyword(keyword), TokenKind::Operator),
        }
    }

    fn symbol(&mut self) -> Result<TokenKind<'t>, StatementError> {
        let compare = |comparator| TokenKind::Operator(Operator::Compare(comparator));
        let other = |text, precedence| TokenKind::Operator(Operator::Other(text, precedence));
        let symbols = [
            ("<=", compare(Comparator::LessOrEqual)),
            ("<>", compare(Comparator::NotEqual)),
            ("!=", compare(Comparator::NotEqual)),
            ("<<", TokenKind::LeftBag),
            (">=", compare(Comparator::GreaterOrEqual)),
            (">>", TokenKind::RightBag),
            ("||", other("||", Precedence::Addition)),
            ("<", compare(Comparator::Less)),
            (">", compare(Comparator::Greater)),
            ("=", compare(Comparator::Equal)),
            ("+", TokenKind::Operator(Operator::Plus)),
            ("-", TokenKind::Operator(Operator::Minus)),
            ("/", other("/", Precedence::Multiplication)),
            ("%", other("%", Precedence::Multiplication)),
            ("?", TokenKind::Parameter),
            ("*", TokenKind::Star),
            (".", TokenKind::Dot),
            (",", TokenKind::Comma),
            (":", TokenKind::Colon),
            (";", TokenKind::Semicolon),
            ("(", TokenKind::LeftParenthesis),
            (")", TokenKind::RightParenthesis),
            ("[", TokenKind::LeftBracket),
            ("]", TokenKind::RightBracket),
            ("{", TokenKind::LeftBrace),
            ("}", TokenKind::RightBrace),
        ];
        let found = symbols
            .into_iter()
            .find(|(text, _)| self.rest.starts_with(text));
        let (text, kind) = found.ok_or_else(|| self.unreadable("Unexpected character"))?;
        self.take(text.len());
        Ok(kind)
    }
}

const fn is_word_start(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '_' | '$')
}

const fn is_word(character: char) -> bool {
    is_word_start(character) || character.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<TokenKind<'_>> {
        let tokens = tokenize(text).unwrap();
        tokens.into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn quotes_are_doubled_inside() {
        assert_eq!(
            kinds(r#"'it''s' "a""b" ''"#),
            [
                TokenKind::Text("it's".into()),
                TokenKind::QuotedIdentifier("a\"b".into()),
                TokenKind::Text("".into()),
                TokenKind::End,
            ]
        );
        assert_eq!(kinds("''''"), [TokenKind::Text("'".into()), TokenKind::End]);
    }

    #[test]
    fn numbers_end_where_they_end() {
        let numbers = ["1", "1.5", ".5", "1.", "1e5", "1.5E-3", "7.31e+6"];
        for number in numbers {
            assert_eq!(kinds(number), [TokenKind::Number(number), TokenKind::End]);
        }
        assert_eq!(
            kinds("1 e5"),
            [
                TokenKind::Number("1"),
                TokenKind::Identifier("e5"),
                TokenKind::End
            ]
        );
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let exponent = "The exponent of the number cannot be read at 1:1:1";
        for (text, detail) in [
            ("#", "Unexpected character at 1:1:1"),
            ("a 'open", "The closing quote is missing at 1:3:1"),
            ("\"open", "The closing quote is missing at 1:1:1"),
            ("a\n /* open", "The comment has no end at 2:2:1"),
            ("1e", exponent),
            ("1e+", exponent),
            ("`ion`", "Unexpected character at 1:1:1"),
            ("a ! b", "Unexpected character at 1:3:1"),
            ("é", "Unexpected character at 1:1:1"),
            ("1e2147483648", exponent),
            ("1.5e-2147483647", exponent),
        ] {
            assert_eq!(
                tokenize(text).unwrap_err().to_string(),
                format!("Statement wasn't well formed, can't be processed: {detail}"),
                "{text}"
            );
        }
    }

    #[test]
    fn comments_are_blanks() {
        assert_eq!(
            kinds("a -- x\n/* y\n* */ b --"),
            [
                TokenKind::Identifier("a"),
                TokenKind::Identifier("b"),
                TokenKind::End
            ]
        );
    }

    #[test]
    fn places_count_characters() {
        let tokens = tokenize("'é'  x\n \"yy\"").unwrap();
        let places: Vec<_> = tokens.iter().map(|token| token.at.to_string()).collect();
        assert_eq!(places, ["1:1:3", "1:6:1", "2:2:4", "2:6:0"]);
    }
}
