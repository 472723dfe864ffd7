//! The tokens of an expression.

use crate::ExpressionKind;
use crate::tree::Comparator;

/// A piece of the text, by its byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What a piece of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// An attribute, a function or a keyword.
    Word,
    /// `#name`.
    Name,
    /// `:value`.
    Value,
    /// A list index.
    Index,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Comma,
    Dot,
    Plus,
    Minus,
    Comparator(Comparator),
    /// A character that starts no token.
    Unknown,
    /// The end of the text.
    End,
}

/// A word that cannot be a name where it is a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    And,
    Or,
    Not,
    Between,
    In,
    Set,
    Remove,
    Add,
    Delete,
}

impl Keyword {
    const OF_CONDITIONS: [(&'static str, Self); 5] = [
        ("AND", Self::And),
        ("OR", Self::Or),
        ("NOT", Self::Not),
        ("BETWEEN", Self::Between),
        ("IN", Self::In),
    ];
    const OF_UPDATES: [(&'static str, Self); 4] = [
        ("SET", Self::Set),
        ("REMOVE", Self::Remove),
        ("ADD", Self::Add),
        ("DELETE", Self::Delete),
    ];

    /// The keyword that `word` is in expressions of this kind; case does not matter.
    pub(crate) fn of(kind: ExpressionKind, word: &str) -> Option<Self> {
        let keywords: &[_] = match kind {
            ExpressionKind::Condition
            | ExpressionKind::Filter
            | ExpressionKind::KeyCondition
            | ExpressionKind::SearchCondition => &Self::OF_CONDITIONS,
            ExpressionKind::Update => &Self::OF_UPDATES,
            ExpressionKind::Projection => &[],
        };
        keywords
            .iter()
            .find(|(text, _)| word.eq_ignore_ascii_case(text))
            .map(|(_, keyword)| *keyword)
    }
}
