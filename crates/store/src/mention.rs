//! Rows as errors mention them.

/// A key, or a part of one, in an error. It says what the caller gave, or what follows from that alone: an error must
/// not tell keys of rows that the caller may not see. So there is no way from any address to this, but for the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mention(String);

impl Mention {
    /// What the caller gave.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The mention with a note behind it: by which reference, by which move.
    #[must_use]
    pub(crate) fn with_note(self, note: &str) -> Self {
        if self.0.is_empty() {
            return Self(note.to_owned());
        }
        Self(format!("{} {note}", self.0))
    }
}

impl From<Mention> for String {
    fn from(mention: Mention) -> Self {
        mention.0
    }
}
