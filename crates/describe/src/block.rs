//! What the page is made of.

use super::inline::Inline;

/// A part of the page.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// A heading with its anchor, and the requirements of what it names.
    Heading {
        level: u8,
        id: String,
        text: Inline,
        covers: Vec<String>,
    },
    /// A small heading inside an entity or a pattern, which the contents leave out.
    Caption(Inline),
    Paragraph(Inline),
    List(Vec<Inline>),
    /// Short answers, each with what it answers.
    Facts(Vec<(String, Inline)>),
    Table(Table),
    /// Text for a machine.
    Code {
        language: &'static str,
        text: String,
    },
    /// The diagram of references. Markdown has a table in its place.
    Diagram,
}

/// A table with a head.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// What a screen reader calls it.
    pub(crate) label: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<Inline>>,
}

impl Block {
    pub(crate) fn heading(level: u8, id: impl Into<String>, text: impl Into<Inline>) -> Self {
        Self::Heading {
            level,
            id: id.into(),
            text: text.into(),
            covers: Vec::new(),
        }
    }

    pub(crate) fn caption(text: &str) -> Self {
        Self::Caption(text.into())
    }

    pub(crate) fn paragraph(text: impl Into<Inline>) -> Self {
        Self::Paragraph(text.into())
    }

    pub(crate) fn table(label: impl Into<String>, head: &[&str], rows: Vec<Vec<Inline>>) -> Self {
        Self::Table(Table {
            label: label.into(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            rows,
        })
    }
}
