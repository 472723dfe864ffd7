//! Where the lines of a text begin, so that positions are found without reading it again for each.

use monotable_model::span::{Position, Span};
use std::ops::Range;

/// A text and its lines.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t str,
    /// Where each line begins; the first one always does.
    starts: Vec<usize>,
}

/// Whole lines of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Extract<'t> {
    pub(super) text: &'t str,
    /// The number of its first line, from 1.
    pub(super) line: usize,
    /// Where it begins in the whole text.
    pub(super) offset: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let later = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(later).collect(),
        }
    }

    /// The line and column of a byte.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = self.boundary(offset);
        let line = self.line(offset);
        let before = self.text.get(self.start(line)..offset).unwrap_or_default();
        Position {
            line,
            column: before.chars().count() + 1,
        }
    }

    /// The bytes of a span, brought within the text and to whole characters.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let start = self.boundary(span.start);
        start..self.boundary(span.end).max(start)
    }

    /// The bytes of a span without line ends at its end: underlined, they would reach into the next line.
    pub(super) fn underlined(&self, span: Span) -> Range<usize> {
        let range = self.range(span);
        let text = self.text.get(range.clone()).unwrap_or_default();
        range.start..range.start + text.trim_end_matches(['\r', '\n']).len()
    }

    /// The lines that hold all of these bytes.
    pub(super) fn extract(&self, ranges: &[Range<usize>]) -> Extract<'t> {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let line = self.line(start);
        let offset = self.start(line);
        let after = self.start(self.line(end) + 1);
        Extract {
            text: self.text.get(offset..after).unwrap_or_default(),
            line,
            offset,
        }
    }

    fn boundary(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }

    /// The line of a byte, from 1.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Where a line begins; behind the last line, the end.
    fn start(&self, line: usize) -> usize {
        let start = self.starts.get(line.saturating_sub(1)).copied();
        start.unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 'é'\r\n\nb = \"日本\" # x\n";

    #[test]
    fn positions_are_those_of_the_model_crate() {
        let lines = Lines::of(TEXT);
        for (offset, _) in TEXT.char_indices().chain([(TEXT.len(), ' ')]) {
            let expected = monotable_model::span::position(TEXT, offset);
            assert_eq!(lines.position(offset), expected, "{offset}");
        }
    }

    #[test]
    fn spans_outside_of_the_text_are_brought_in() {
        let lines = Lines::of(TEXT);
        let span = |start, end| Span { start, end };
        assert_eq!(lines.range(span(0, 6)), 0..5, "é has two bytes");
        assert_eq!(lines.range(span(9, 4)), 9..9);
        let end = TEXT.len();
        assert_eq!(lines.range(span(end + 5, end + 9)), end..end);
        assert_eq!(lines.underlined(span(0, 11)), 0..8);
    }

    #[test]
    fn an_extract_is_whole_lines() {
        let lines = Lines::of(TEXT);
        let extract = |ranges: &[Range<usize>]| lines.extract(ranges);
        let last = extract(&[16..17, 18..19]);
        assert_eq!(
            (last.text, last.line, last.offset),
            ("b = \"日本\" # x\n", 3, 11)
        );
        let all = extract(&[16..17, 1..2]);
        assert_eq!((all.text, all.line, all.offset), (TEXT, 1, 0));
        let end = TEXT.len();
        let end = extract(&[end..end, end..end]);
        assert_eq!((end.text, end.line, end.offset), ("", 4, TEXT.len()));
    }
}
