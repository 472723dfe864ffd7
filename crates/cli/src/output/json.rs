//! One indented JSON document, written in parts.

use crate::notation::Notation;
use monotable_item::EncodedItem;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};
use std::io;

/// An array whose items come page by page.
#[derive(Debug, Default)]
pub(super) struct JsonArray {
    has_items: bool,
}

impl JsonArray {
    pub(super) fn page(
        &mut self,
        text: &mut Vec<u8>,
        items: &[EncodedItem],
        notation: Notation,
    ) -> io::Result<()> {
        for item in items {
            let before: &[u8] = if self.has_items { b",\n  " } else { b"[\n  " };
            text.extend_from_slice(before);
            self.has_items = true;
            // A formatter that has begun an array indents its items by one level.
            let mut formatter = PrettyFormatter::new();
            formatter.begin_array(&mut io::sink())?;
            write(text, item, notation, formatter)?;
        }
        Ok(())
    }

    pub(super) const fn end(&self) -> &'static [u8] {
        if self.has_items { b"\n]\n" } else { b"[]\n" }
    }
}

/// One item as a document of its own.
pub(super) fn document(
    text: &mut Vec<u8>,
    item: &EncodedItem,
    notation: Notation,
) -> io::Result<()> {
    write(text, item, notation, PrettyFormatter::new())?;
    text.push(b'\n');
    Ok(())
}

fn write(
    text: &mut Vec<u8>,
    item: &EncodedItem,
    notation: Notation,
    formatter: PrettyFormatter<'_>,
) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(text, formatter);
    notation.show(item).serialize(&mut serializer)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::Item;

    #[test]
    fn an_array_in_pages_is_one_document() {
        let items: Vec<EncodedItem> = (0..3)
            .map(|n| EncodedItem::from(Item::new().with("n", n).with("l", vec![1.into()])))
            .collect();
        let mut array = JsonArray::default();
        let mut text = Vec::new();
        for page in items.chunks(2) {
            array.page(&mut text, page, Notation::Plain).unwrap();
        }
        text.extend_from_slice(array.end());
        let read: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let mut expected = serde_json::to_vec_pretty(&read).unwrap();
        expected.push(b'\n');
        assert_eq!(text, expected);
        assert_eq!(read.as_array().unwrap().len(), 3);
        assert_eq!(JsonArray::default().end(), b"[]\n");
    }
}
