//! Texts with places.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A text with places for values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedText(pub Vec<Piece>);

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Sent as it stands.
    Text(String),
    /// What the caller gives, or what the model, the tenant or the caller's principal says.
    Parameter {
        /// Its name; `name.from` and `name.to` are the ends of a range.
        name: String,
        /// Other sources and formats, as they are written in a template.
        tail: String,
    },
    /// What was read.
    Read {
        /// The numbers of the requests that answered it, from 1.
        requests: Vec<usize>,
        /// The attribute.
        attribute: String,
        /// Other sources and formats.
        tail: String,
    },
    /// What a walk, a spread or a path has come to.
    Current {
        /// What it is: `day`, `shard`, `current: userId`.
        what: String,
        /// Other sources and formats.
        tail: String,
    },
}

impl PlannedText {
    /// A text without places.
    pub(super) fn literal(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a piece; texts that stand beside each other are one.
    pub(super) fn push(&mut self, piece: Piece) {
        match (self.0.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
            (_, piece) => self.0.push(piece),
        }
    }

    /// This text and another behind it.
    #[must_use]
    pub(super) fn then(mut self, other: Self) -> Self {
        for piece in other.0 {
            self.push(piece);
        }
        self
    }
}

impl fmt::Display for PlannedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| piece.fmt(f))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Parameter { name, tail } => write!(f, "{{{name}{tail}}}"),
            Self::Read {
                requests,
                attribute,
                tail,
            } => {
                let requests: Vec<_> = requests.iter().map(ToString::to_string).collect();
                write!(f, "<read {}: {attribute}{tail}>", requests.join(", "))
            }
            Self::Current { what, tail } => write!(f, "<{what}{tail}>"),
        }
    }
}
