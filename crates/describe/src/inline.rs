//! Running text: words, code, links.

/// A piece of running text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Words.
    Text(String),
    /// Something written in the model or for DynamoDB.
    Code(String),
    /// Words that stand out.
    Strong(String),
    /// A link to a place of the page.
    Link {
        /// The anchor.
        target: String,
        /// What is shown.
        text: String,
    },
    /// A new line.
    Break,
}

/// Running text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inline(Vec<Span>);

impl Inline {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Words with code in backquotes, as our own sentences have it.
    pub(crate) fn prose(text: &str) -> Self {
        let mut inline = Self::new();
        for (position, piece) in text.split('`').enumerate() {
            inline = match position % 2 {
                _ if piece.is_empty() => inline,
                0 => inline.text(piece),
                _ => inline.code(piece),
            };
        }
        inline
    }

    pub(crate) fn of_code(code: impl Into<String>) -> Self {
        Self::new().code(code)
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Text(text.into()));
        self
    }

    pub(crate) fn code(mut self, code: impl Into<String>) -> Self {
        self.0.push(Span::Code(code.into()));
        self
    }

    pub(crate) fn strong(mut self, text: impl Into<String>) -> Self {
        self.0.push(Span::Strong(text.into()));
        self
    }

    pub(crate) fn link(mut self, target: impl Into<String>, text: impl Into<String>) -> Self {
        self.0.push(Span::Link {
            target: target.into(),
            text: text.into(),
        });
        self
    }

    pub(crate) fn line(mut self) -> Self {
        if !self.0.is_empty() {
            self.0.push(Span::Break);
        }
        self
    }

    pub(crate) fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The same, if there is something to add.
    pub(crate) fn then_some(self, other: Option<Self>) -> Self {
        match other {
            Some(other) => self.then(other),
            None => self,
        }
    }

    /// All of them with words between.
    pub(crate) fn join(parts: impl IntoIterator<Item = Self>, between: &str) -> Self {
        let mut joined = Self::new();
        for (position, part) in parts.into_iter().enumerate() {
            if position > 0 {
                joined = joined.text(between);
            }
            joined = joined.then(part);
        }
        joined
    }

    /// Each on a line of its own.
    pub(crate) fn lines(parts: impl IntoIterator<Item = Self>) -> Self {
        parts
            .into_iter()
            .fold(Self::new(), |lines, part| lines.line().then(part))
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.0
    }

    /// What it says without any form.
    pub(crate) fn plain(&self) -> String {
        let words = self.0.iter().map(|span| match span {
            Span::Text(text) | Span::Code(text) | Span::Strong(text) => text.as_str(),
            Span::Link { text, .. } => text.as_str(),
            Span::Break => " ",
        });
        words.collect()
    }
}

impl From<&str> for Inline {
    fn from(text: &str) -> Self {
        Self::prose(text)
    }
}

impl From<String> for Inline {
    fn from(text: String) -> Self {
        Self::prose(&text)
    }
}
