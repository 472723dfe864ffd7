//! The rows of a pattern as one indented JSON document, written page by page.

use crate::notation::Notation;
use monotable_item::EncodedItem;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io;

/// `{"rows": [...], "followed": [...], "dangling": [...], "cursor": ...}`.
#[derive(Debug, Default)]
pub(super) struct PageDocument {
    has_rows: bool,
}

impl PageDocument {
    pub(super) fn rows(
        &mut self,
        text: &mut Vec<u8>,
        rows: &[EncodedItem],
        notation: Notation,
    ) -> io::Result<()> {
        for row in rows {
            let before: &[u8] = if self.has_rows {
                b",\n    "
            } else {
                b"{\n  \"rows\": [\n    "
            };
            text.extend_from_slice(before);
            self.has_rows = true;
            write(text, &notation.show(row), 2)?;
        }
        Ok(())
    }

    pub(super) fn end(
        &self,
        text: &mut Vec<u8>,
        followed: &[EncodedItem],
        dangling: &[String],
        cursor: Option<&str>,
        notation: Notation,
    ) -> io::Result<()> {
        let before: &[u8] = if self.has_rows {
            b"\n  ]"
        } else {
            b"{\n  \"rows\": []"
        };
        text.extend_from_slice(before);
        let followed: Vec<_> = followed.iter().map(|row| notation.show(row)).collect();
        text.extend_from_slice(b",\n  \"followed\": ");
        write(text, &followed, 1)?;
        text.extend_from_slice(b",\n  \"dangling\": ");
        write(text, &dangling, 1)?;
        text.extend_from_slice(b",\n  \"cursor\": ");
        write(text, &cursor, 1)?;
        text.extend_from_slice(b"\n}\n");
        Ok(())
    }
}

/// A formatter that has begun arrays indents by as many levels.
fn write(text: &mut Vec<u8>, value: &impl Serialize, depth: usize) -> io::Result<()> {
    let mut formatter = PrettyFormatter::new();
    for _ in 0..depth {
        formatter.begin_array(&mut io::sink())?;
    }
    value.serialize(&mut Serializer::with_formatter(text, formatter))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::Item;

    fn row(number: i32) -> EncodedItem {
        EncodedItem::from(Item::new().with("n", number).with("l", vec![1.into()]))
    }

    #[test]
    fn pages_are_one_document() {
        for count in 0..4 {
            let rows: Vec<_> = (0..count).map(row).collect();
            let mut document = PageDocument::default();
            let mut text = Vec::new();
            for page in rows.chunks(2) {
                document.rows(&mut text, page, Notation::Plain).unwrap();
            }
            let dangling = ["Person p".to_owned()];
            let end = document.end(&mut text, &rows, &dangling, Some("c"), Notation::Plain);
            end.unwrap();
            let read: serde_json::Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(read["rows"].as_array().unwrap().len(), rows.len());
            assert_eq!(read["rows"], read["followed"]);
            assert_eq!(read["dangling"][0], "Person p");
            assert_eq!(read["cursor"], "c");
            let lines = String::from_utf8(text).unwrap();
            let is_indented = |line: &str| line == "{" || line == "}" || line.starts_with("  ");
            assert!(lines.lines().all(is_indented), "{lines}");
        }
    }
}
