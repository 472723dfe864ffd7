//! A place in the text, and what stands there.

use crate::lexer::{Lexer, Notation};
use crate::mark::Mark;
use crate::token::{Keyword, Token, TokenKind};
use crate::{ExpressionKind, Problem};
use monotable_item::limits::MAX_EXPRESSION_BYTES;

/// The current token of a text, with one token of memory for error messages.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    kind: ExpressionKind,
    text: &'t str,
    lexer: Lexer<'t>,
    previous: Option<Token>,
    current: Token,
    notation: Notation,
    /// The token that was missing here, if only one would have done.
    missing: Option<TokenKind>,
}

impl<'t> Cursor<'t> {
    /// The first token of `text`, if the text can be an expression at all.
    pub(super) fn open(kind: ExpressionKind, text: &'t str) -> Result<Self, Problem> {
        if text.is_empty() {
            return Err(Problem::Empty);
        }
        if text.len() > MAX_EXPRESSION_BYTES {
            return Err(Problem::TooLong { size: text.len() });
        }
        Ok(Self::start(kind, Notation::Placeholders, text))
    }

    /// The first token of a predicate's text.
    pub(super) fn inline(text: &'t str) -> Self {
        Self::start(ExpressionKind::Condition, Notation::Inline, text)
    }

    fn start(kind: ExpressionKind, notation: Notation, text: &'t str) -> Self {
        let mut lexer = Lexer::new(text).in_notation(notation);
        let current = lexer.next_token();
        Self {
            kind,
            text,
            lexer,
            previous: None,
            current,
            notation,
            missing: None,
        }
    }

    /// Whether literals stand in the text.
    pub(super) fn is_inline(&self) -> bool {
        self.notation == Notation::Inline
    }

    /// The token that stands here.
    pub(super) const fn current(&self) -> Token {
        self.current
    }

    /// The token before.
    pub(super) const fn previous(&self) -> Option<Token> {
        self.previous
    }

    /// The token that was missing here, after [`Cursor::expect`] failed.
    pub(super) const fn missing(&self) -> Option<TokenKind> {
        self.missing
    }

    /// Where the token before ends.
    pub(super) fn previous_end(&self) -> usize {
        self.previous.map_or(0, |token| token.end)
    }

    /// The mark of the token that stands here.
    pub(super) fn mark<M: Mark>(&self) -> M {
        M::of(self.current.start, self.current.end)
    }

    pub(super) const fn kind(&self) -> TokenKind {
        self.current.kind
    }

    pub(super) fn is(&self, kind: TokenKind) -> bool {
        self.current.kind == kind
    }

    /// The keyword that stands here.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        if !self.is(TokenKind::Word) {
            return None;
        }
        Keyword::of(self.kind, self.text_of(self.current))
    }

    /// Moves on; returns the text that stood here.
    pub(super) fn advance(&mut self) -> &'t str {
        let text = self.text_of(self.current);
        self.previous = Some(self.current);
        self.current = self.lexer.next_token();
        text
    }

    /// Moves on if `kind` stands here.
    pub(super) fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Moves on past a token that must stand here.
    pub(super) fn expect(&mut self, kind: TokenKind) -> Result<&'t str, Problem> {
        if self.is(kind) {
            Ok(self.advance())
        } else {
            self.missing = Some(kind);
            Err(self.unexpected())
        }
    }

    /// That what stands here cannot stand here. AWS shows the token before and the token after with it.
    pub(super) fn unexpected(&self) -> Problem {
        let first = self.previous.unwrap_or(self.current);
        let next = self.lexer.clone().next_token();
        let last = match (self.current.kind, next.kind) {
            (TokenKind::End, _) => first,
            (_, TokenKind::End) => self.current,
            _ => next,
        };
        let near = self.text.get(first.start..last.end).unwrap_or_default();
        let token = match self.current.kind {
            TokenKind::End => "<EOF>",
            _ => self.text_of(self.current),
        };
        Problem::Syntax {
            token: token.to_owned(),
            near: near.to_owned(),
        }
    }

    fn text_of(&self, token: Token) -> &'t str {
        self.text.get(token.start..token.end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str, tokens: usize) -> Problem {
        let mut cursor = Cursor::open(ExpressionKind::Condition, text).unwrap();
        for _ in 0..tokens {
            cursor.advance();
        }
        cursor.unexpected()
    }

    fn syntax(token: &str, near: &str) -> Problem {
        Problem::Syntax {
            token: token.into(),
            near: near.into(),
        }
    }

    #[test]
    fn an_error_shows_its_neighbours() {
        assert_eq!(after("a-b", 1), syntax("-", "a-b"));
        assert_eq!(after("a  foo\tb c", 1), syntax("foo", "a  foo\tb"));
        assert_eq!(
            after("INVALID SYNTAX HERE", 0),
            syntax("INVALID", "INVALID SYNTAX")
        );
        assert_eq!(after("f()", 2), syntax(")", "()"));
        assert_eq!(after("foo ", 1), syntax("<EOF>", "foo"));
        assert_eq!(after("  ", 0), syntax("<EOF>", ""));
    }

    #[test]
    fn a_text_is_neither_empty_nor_longer_than_4_kb() {
        let open = |text: &str| Cursor::open(ExpressionKind::Update, text).err();
        assert_eq!(open(""), Some(Problem::Empty));
        assert_eq!(open(&"x".repeat(4096)), None);
        assert_eq!(
            open(&"x".repeat(4097)),
            Some(Problem::TooLong { size: 4097 })
        );
    }
}
