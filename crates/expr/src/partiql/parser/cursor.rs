//! The place in the tokens.

use super::{malformed, too_deep};
use crate::partiql::error::StatementError;
use crate::partiql::position::SourcePosition;
use crate::partiql::token::{Token, TokenKind};

/// How deep expressions may stand inside one another. AWS's limit is not known; a value has at most 32 levels, and a
/// statement of 8 KB could have thousands.
const MAX_DEPTH: usize = 100;

pub(super) struct Cursor<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    parameters: usize,
    depth: usize,
}

impl<'t> Cursor<'t> {
    pub(super) const fn new(tokens: Vec<Token<'t>>) -> Self {
        Self {
            tokens,
            next: 0,
            parameters: 0,
            depth: 0,
        }
    }

    /// The next token.
    pub(super) fn kind(&self) -> &TokenKind<'t> {
        self.kind_after(0)
    }

    /// The token after the next `skipped` ones.
    pub(super) fn kind_after(&self, skipped: usize) -> &TokenKind<'t> {
        self.tokens
            .get(self.next + skipped)
            .map_or(&TokenKind::End, |token| &token.kind)
    }

    /// Where the next token stands.
    pub(super) fn position(&self) -> SourcePosition {
        let token = self.tokens.get(self.next).or(self.tokens.last());
        token.map_or(
            SourcePosition {
                line: 1,
                column: 1,
                length: 0,
            },
            |token| token.at,
        )
    }

    /// Goes to the token after the next.
    pub(super) fn advance(&mut self) {
        // The end stays the last token, however often it is taken.
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// Takes the next token if it is this one.
    pub(super) fn take_if(&mut self, kind: &TokenKind<'_>) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    /// Takes the next token if it is this keyword.
    pub(super) fn take_keyword(&mut self, keyword: &'static str) -> bool {
        self.take_if(&TokenKind::Keyword(keyword))
    }

    /// Takes the next token, which must be this one.
    pub(super) fn expect(
        &mut self,
        kind: &TokenKind<'_>,
        otherwise: &'static str,
    ) -> Result<(), StatementError> {
        if self.take_if(kind) {
            Ok(())
        } else {
            Err(malformed(otherwise))
        }
    }

    /// Takes the next token if it is a name.
    pub(super) fn take_name(&mut self) -> Option<String> {
        let name = match self.kind() {
            TokenKind::Identifier(name) => (*name).to_owned(),
            TokenKind::QuotedIdentifier(name) => name.clone().into_owned(),
            _ => return None,
        };
        self.advance();
        Some(name)
    }

    /// Counts one more `?`, and gives its position among them.
    pub(super) const fn take_parameter(&mut self) -> usize {
        self.parameters += 1;
        self.parameters - 1
    }

    pub(super) const fn parameters(&self) -> usize {
        self.parameters
    }

    /// Parses something one level further in.
    pub(super) fn deeper<T>(
        &mut self,
        levels: usize,
        parse: impl FnOnce(&mut Self) -> Result<T, StatementError>,
    ) -> Result<T, StatementError> {
        self.depth += levels;
        if self.depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let parsed = parse(self);
        self.depth -= levels;
        parsed
    }

    /// Whether a tree that has grown by so many levels may become part of what is being parsed.
    pub(super) const fn has_room(&self, levels: usize) -> bool {
        self.depth + levels <= MAX_DEPTH
    }
}
