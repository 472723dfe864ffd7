//! Tokens that only predicates of a model have: literals and quoted names.
//!
//! A whole number without leading zeros stays [`TokenKind::Index`]; the parser knows where it is a value.
//! Operators of other languages are one [`TokenKind::Unknown`] each, so that an error can name them.

use super::{Lexer, is_word_part};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// The token that starts with `first`, which has been taken, if DynamoDB reads it otherwise.
    pub(super) fn inline_kind(&mut self, first: u8) -> Option<TokenKind> {
        match first {
            b'\'' => Some(self.quoted(first, TokenKind::Value)),
            b'`' => Some(self.quoted(first, TokenKind::Name)),
            b'"' => Some(self.quoted(first, TokenKind::Unknown)),
            b'-' if self.peek().is_some_and(|byte| byte.is_ascii_digit()) => {
                self.position += 1;
                self.number();
                Some(TokenKind::Value)
            }
            b'0'..=b'9' => Some(self.whole_or_value(first)),
            b'_' => Some(self.rest(TokenKind::Word, is_word_part)),
            b'#' | b':' => Some(self.rest(TokenKind::Unknown, is_word_part)),
            b'=' => self.foreign(b"=><"),
            b'!' => self.foreign(b"="),
            b'&' => self.foreign(b"&"),
            b'|' => self.foreign(b"|"),
            _ => None,
        }
    }

    /// Up to the closing quote; a doubled one is part of the text. Unknown if there is none.
    fn quoted(&mut self, quote: u8, kind: TokenKind) -> TokenKind {
        loop {
            self.skip_while(|byte| byte != quote);
            if !self.take(quote) {
                return TokenKind::Unknown;
            }
            if !self.take(quote) {
                return kind;
            }
        }
    }

    fn whole_or_value(&mut self, first: u8) -> TokenKind {
        let start = self.position;
        let is_whole = self.number();
        if is_whole && (first != b'0' || self.position == start) {
            TokenKind::Index
        } else {
            TokenKind::Value
        }
    }

    /// The rest of `digits [. digits] [e [+-] digits]`; whether it is digits only.
    fn number(&mut self) -> bool {
        let digits = |byte: u8| byte.is_ascii_digit();
        self.skip_while(digits);
        let start = self.position;
        if self.peek() == Some(b'.') && self.is_digit_at(1) {
            self.position += 1;
            self.skip_while(digits);
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let signed = matches!(self.byte_at(1), Some(b'+' | b'-'));
            let sign = usize::from(signed);
            if self.is_digit_at(1 + sign) {
                self.position += 1 + sign;
                self.skip_while(digits);
            }
        }
        self.position == start
    }

    /// A second character that makes an operator of another language; else DynamoDB's token.
    fn foreign(&mut self, seconds: &[u8]) -> Option<TokenKind> {
        let found = self.peek().is_some_and(|byte| seconds.contains(&byte));
        self.position += usize::from(found);
        found.then_some(TokenKind::Unknown)
    }

    fn is_digit_at(&self, distance: usize) -> bool {
        self.byte_at(distance)
            .is_some_and(|byte| byte.is_ascii_digit())
    }

    fn byte_at(&self, distance: usize) -> Option<u8> {
        self.text.as_bytes().get(self.position + distance).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::*;

    fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text).in_notation(Notation::Inline);
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
    fn texts_and_names_have_quotes() {
        use TokenKind::*;
        assert_eq!(
            tokens("'it''s''''' `md#x``` _a1'é'"),
            [
                (Value, "'it''s'''''"),
                (Name, "`md#x```"),
                (Word, "_a1"),
                (Value, "'é'"),
            ]
        );
    }

    #[test]
    fn numbers_are_whole_or_not() {
        use TokenKind::*;
        assert_eq!(
            tokens("0 10 007 1.50 -3 1e5 1E-5 2e+1 1.e 1e 0.0e0x"),
            [
                (Index, "0"),
                (Index, "10"),
                (Value, "007"),
                (Value, "1.50"),
                (Value, "-3"),
                (Value, "1e5"),
                (Value, "1E-5"),
                (Value, "2e+1"),
                (Index, "1"),
                (Dot, "."),
                (Word, "e"),
                (Index, "1"),
                (Word, "e"),
                (Value, "0.0e0"),
                (Word, "x"),
            ]
        );
    }

    #[test]
    fn foreign_operators_are_one_token() {
        for text in [
            "!=", "==", "=>", "=<", "!", "&&", "||", ":v1", "#n", ":", "\"a b\"", "'open", "`open",
            "\"open", "'open''", "é", ";",
        ] {
            assert_eq!(tokens(text), [(TokenKind::Unknown, text)]);
        }
        assert_eq!(tokens("<>=").len(), 2);
    }
}
