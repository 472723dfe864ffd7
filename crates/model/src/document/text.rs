//! A TOML string, and the way back from its characters to the file.

use crate::span::{Name, Span, Spanned};

/// A string of the model.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) value: String,
    /// The whole token, quotes included.
    pub(crate) span: Span,
    offsets: Offsets,
}

#[derive(Clone, Debug)]
enum Offsets {
    /// The text stands in the file as it is, from here on.
    Plain(usize),
    /// For each byte of the text where it stands in the file, and where the text ends.
    Mapped(Vec<usize>),
}

impl Text {
    /// A string token of `file` and what TOML made of it.
    pub(crate) fn new(file: &str, span: Span, value: String) -> Self {
        let raw = file.get(span.range()).unwrap_or_default();
        Self {
            offsets: offsets(raw, span, &value),
            value,
            span,
        }
    }

    /// A text that stands as it is at `start`.
    pub(crate) fn plain(value: String, start: usize) -> Self {
        let span = Span {
            start,
            end: start + value.len(),
        };
        Self {
            value,
            span,
            offsets: Offsets::Plain(start),
        }
    }

    /// Where these bytes of the text stand in the file.
    pub(crate) fn span_at(&self, start: usize, end: usize) -> Span {
        let end = end.min(self.value.len());
        let start = start.min(end);
        match &self.offsets {
            Offsets::Plain(first) => Span {
                start: first + start,
                end: first + end,
            },
            Offsets::Mapped(map) => Span {
                start: map.get(start).copied().unwrap_or(self.span.start),
                end: map.get(end).copied().unwrap_or(self.span.end),
            },
        }
    }

    /// Part of the text as a text of its own.
    pub(crate) fn part(&self, start: usize, end: usize) -> Self {
        let end = end.min(self.value.len());
        let value = self.value.get(start..end).unwrap_or_default().to_owned();
        let offsets = match &self.offsets {
            Offsets::Plain(first) => Offsets::Plain(first + start),
            Offsets::Mapped(map) => {
                Offsets::Mapped(map.get(start..=end).unwrap_or_default().to_vec())
            }
        };
        Self {
            value,
            span: self.span_at(start, end),
            offsets,
        }
    }

    /// Without blanks around it.
    pub(crate) fn trimmed(&self) -> Self {
        let start = self.value.len() - self.value.trim_start().len();
        self.part(start, start + self.value.trim().len())
    }

    /// All of it, without the quotes.
    pub(crate) fn inner(&self) -> Span {
        self.span_at(0, self.value.len())
    }

    pub(crate) fn name(&self) -> Name {
        Spanned::new(self.value.clone(), self.inner())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.value
    }
}

fn offsets(raw: &str, span: Span, value: &str) -> Offsets {
    let quotes = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quotes| raw.starts_with(quotes))
        .unwrap_or_default();
    let inner = raw.get(quotes.len()..raw.len().saturating_sub(quotes.len()));
    let inner = inner.unwrap_or_default();
    let start = span.start + quotes.len();
    if inner == value {
        return Offsets::Plain(start);
    }
    // TOML leaves out a line break that follows three quotes.
    let skipped = match (quotes.len(), inner) {
        (3, inner) if inner.starts_with("\r\n") => 2,
        (3, inner) if inner.starts_with('\n') => 1,
        _ => 0,
    };
    let rest = inner.get(skipped..).unwrap_or_default();
    if rest == value {
        return Offsets::Plain(start + skipped);
    }
    Offsets::Mapped(unescape(rest, start + skipped, value))
}

/// Walks the escapes of a basic string. The values are TOML's; only the places are found here.
fn unescape(raw: &str, start: usize, value: &str) -> Vec<usize> {
    let mut map = Vec::with_capacity(value.len() + 1);
    let mut at = 0;
    while let Some(rest) = raw.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let (taken, made) = step(rest, first);
        map.extend(std::iter::repeat_n(start + at, made));
        at += taken;
    }
    map.resize(value.len(), start + at);
    map.push(start + raw.len());
    map
}

/// How many bytes of the file are the next character, and how many bytes it becomes.
fn step(rest: &str, first: char) -> (usize, usize) {
    if first != '\\' {
        return (first.len_utf8(), first.len_utf8());
    }
    let code = |digits: usize| {
        let code = rest
            .get(2..2 + digits)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
        (
            2 + digits,
            code.and_then(char::from_u32).map_or(0, char::len_utf8),
        )
    };
    match rest.chars().nth(1) {
        Some('x') => code(2),
        Some('u') => code(4),
        Some('U') => code(8),
        // A backslash at the end of a line takes the break and the blanks that follow with it.
        Some(blank) if blank.is_whitespace() => {
            let after = rest.get(1..).unwrap_or_default();
            (1 + after.len() - after.trim_start().len(), 0)
        }
        Some(other) => (1 + other.len_utf8(), 1),
        None => (1, 0),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::*;
    use toml::de::DeTable;

    /// The text of key `k`, and the file's own words for the bytes where `part` stands.
    fn found(file: &str, part: &str) -> String {
        let table = DeTable::parse(file).unwrap();
        let value = &table.get_ref()["k"];
        let text = Text::new(
            file,
            crate::document::span_of(value),
            value.get_ref().as_str().unwrap().to_owned(),
        );
        let at = text.value.find(part).unwrap();
        let span = text.span_at(at, at + part.len());
        file[span.range()].to_owned()
    }

    #[test]
    fn the_way_back_goes_through_quotes_and_escapes() {
        assert_eq!(found("k = \"TREE#{TreeId}\"", "TreeId"), "TreeId");
        assert_eq!(found("k = 'TREE#{TreeId}'", "TreeId"), "TreeId");
        assert_eq!(found("k = \"\"\"\nA | B\n  | C\"\"\"", "C"), "C");
        assert_eq!(found("k = \"a\\tb\\u00e9 Tree\"", "Tree"), "Tree");
        assert_eq!(found("k = \"a\\\\s+ Tree\"", "Tree"), "Tree");
        assert_eq!(found("k = \"\"\"A | \\\n   B | C\"\"\"", "B"), "B");
        assert_eq!(found("k = \"é\\\"x\"", "é"), "é");
    }
}
