//! Text to tokens, one at a time and without allocating.

mod inline;

use crate::token::{Token, TokenKind};
use crate::tree::Comparator;

/// Reads the tokens of one expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    position: usize,
    notation: Notation,
}

/// How names and values stand in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// DynamoDB's: `#name`, `:value`.
    Placeholders,
    /// A model's: `` `name` ``, `'text'`, `1.5`.
    Inline,
}

impl<'t> Lexer<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self {
            text,
            position: 0,
            notation: Notation::Placeholders,
        }
    }

    /// The same text in another notation.
    pub(crate) const fn in_notation(self, notation: Notation) -> Self {
        Self { notation, ..self }
    }

    /// The next token; [`TokenKind::End`] again and again after the last one.
    pub(crate) fn next_token(&mut self) -> Token {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        let start = self.position;
        let kind = self.take_kind();
        Token {
            kind,
            start,
            end: self.position,
        }
    }

    fn take_kind(&mut self) -> TokenKind {
        let Some(first) = self.peek() else {
            return TokenKind::End;
        };
        if !first.is_ascii() {
            return self.take_unknown();
        }
        self.position += 1;
        if self.notation == Notation::Inline
            && let Some(kind) = self.inline_kind(first)
        {
            return kind;
        }
        match first {
            b'(' => TokenKind::OpenParen,
            b')' => TokenKind::CloseParen,
            b'[' => TokenKind::OpenBracket,
            b']' => TokenKind::CloseBracket,
            b',' => TokenKind::Comma,
            b'.' => TokenKind::Dot,
            b'+' => TokenKind::Plus,
            b'-' => TokenKind::Minus,
            b'=' => TokenKind::Comparator(Comparator::Equal),
            b'<' => TokenKind::Comparator(self.less()),
            b'>' => TokenKind::Comparator(self.greater()),
            b'#' => self.placeholder(TokenKind::Name),
            b':' => self.placeholder(TokenKind::Value),
            // An index has no leading zeros: "00" is two tokens.
            b'0' => TokenKind::Index,
            b'1'..=b'9' => self.rest(TokenKind::Index, |byte| byte.is_ascii_digit()),
            b'a'..=b'z' | b'A'..=b'Z' => self.rest(TokenKind::Word, is_word_part),
            _ => TokenKind::Unknown,
        }
    }

    fn less(&mut self) -> Comparator {
        if self.take(b'=') {
            Comparator::LessOrEqual
        } else if self.take(b'>') {
            Comparator::NotEqual
        } else {
            Comparator::Less
        }
    }

    fn greater(&mut self) -> Comparator {
        if self.take(b'=') {
            Comparator::GreaterOrEqual
        } else {
            Comparator::Greater
        }
    }

    /// The rest of a placeholder; a lone `#` or `:` is not one.
    fn placeholder(&mut self, kind: TokenKind) -> TokenKind {
        let start = self.position;
        self.skip_while(is_word_part);
        if self.position > start {
            kind
        } else {
            TokenKind::Unknown
        }
    }

    fn rest(&mut self, kind: TokenKind, part: impl Fn(u8) -> bool) -> TokenKind {
        self.skip_while(part);
        kind
    }

    fn take_unknown(&mut self) -> TokenKind {
        let rest = self.text.get(self.position..).unwrap_or_default();
        self.position += rest.chars().next().map_or(1, char::len_utf8);
        TokenKind::Unknown
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&accept) {
            self.position += 1;
        }
    }
}

fn is_word_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text);
        let mut found = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::End {
                return found;
            }
            found.push((token.kind, &text[token.start..token.end]));
        }
    }

    #[test]
    fn reads_words_placeholders_and_indexes() {
        use TokenKind::*;
        assert_eq!(
            tokens("a1_[10].#0_x = :_9"),
            [
                (Word, "a1_"),
                (OpenBracket, "["),
                (Index, "10"),
                (CloseBracket, "]"),
                (Dot, "."),
                (Name, "#0_x"),
                (Comparator(crate::tree::Comparator::Equal), "="),
                (Value, ":_9"),
            ]
        );
    }

    #[test]
    fn takes_the_longest_comparator() {
        let symbols: Vec<_> = tokens("<><=<>=>=>")
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        assert_eq!(symbols, ["<>", "<=", "<>", "=", ">=", ">"]);
    }

    #[test]
    fn a_word_starts_with_a_letter() {
        use TokenKind::*;
        assert_eq!(tokens("_a"), [(Unknown, "_"), (Word, "a")]);
        assert_eq!(tokens("12a"), [(Index, "12"), (Word, "a")]);
    }

    #[test]
    fn an_index_has_no_leading_zero() {
        use TokenKind::*;
        assert_eq!(tokens("007"), [(Index, "0"), (Index, "0"), (Index, "7")]);
    }

    #[test]
    fn lone_marks_and_other_characters_are_unknown() {
        use TokenKind::*;
        assert_eq!(
            tokens("# : ! é\u{1d11e}"),
            [
                (Unknown, "#"),
                (Unknown, ":"),
                (Unknown, "!"),
                (Unknown, "é"),
                (Unknown, "\u{1d11e}"),
            ]
        );
    }

    #[test]
    fn only_blanks_separate() {
        assert_eq!(tokens(" \t\r\n a \u{b}").len(), 2);
    }
}
