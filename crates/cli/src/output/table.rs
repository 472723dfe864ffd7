//! Items as a table for people.
//!
//! Each page is a table of its own, with the columns its items have: the width of a column is known
//! only when its values are.

use super::visible::visible;
use crate::notation::Notation;
use anstyle::Style;
use monotable_item::{EncodedItem, ValueView};
use std::collections::BTreeSet;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Widest column of an attribute that is not a key, in terminal cells.
const MAX_WIDTH: usize = 40;
const GAP: &str = "  ";
const HEADER: Style = Style::new().bold();

/// Lays out items.
#[derive(Debug)]
pub(super) struct Table {
    leading: Vec<String>,
    notation: Notation,
    has_colour: bool,
}

impl Table {
    pub(super) const fn new(leading: Vec<String>, notation: Notation, has_colour: bool) -> Self {
        Self {
            leading,
            notation,
            has_colour,
        }
    }

    /// A line for each item, below the names of the attributes.
    pub(super) fn page(&self, items: &[EncodedItem]) -> String {
        if items.is_empty() {
            return String::new();
        }
        let columns = self.columns(items);
        let rows: Vec<Vec<String>> = items.iter().map(|item| self.row(item, &columns)).collect();
        let header: Vec<String> = columns.iter().map(|name| visible(name)).collect();
        let widths = widths(&header, &rows);
        let mut text = self.emphasized(&line(&header, &widths));
        for row in &rows {
            text.push_str(&line(row, &widths));
            text.push('\n');
        }
        text
    }

    /// A line for each attribute of one item; nothing is cut.
    pub(super) fn one(&self, item: &EncodedItem) -> String {
        let columns = self.columns(std::slice::from_ref(item));
        let rows: Vec<Vec<String>> = columns
            .iter()
            .filter_map(|name| {
                let value = item.view().get(name)?;
                Some(vec![visible(name), self.cell(value)])
            })
            .collect();
        let header = ["ATTRIBUTE".to_owned(), "VALUE".to_owned()];
        let widths = widths(&header, &rows);
        let mut text = self.emphasized(&line(&header, &widths));
        for row in &rows {
            text.push_str(&line(row, &widths));
            text.push('\n');
        }
        text
    }

    /// The leading attributes, then all others by name.
    fn columns(&self, items: &[EncodedItem]) -> Vec<String> {
        let names: BTreeSet<&str> = items
            .iter()
            .flat_map(|item| item.view().iter().map(|(name, _)| name))
            .collect();
        let is_leading = |name: &str| self.leading.iter().any(|leading| leading == name);
        let leading = self
            .leading
            .iter()
            .filter(|name| names.contains(name.as_str()));
        let others = names.iter().filter(|name| !is_leading(name));
        leading
            .cloned()
            .chain(others.map(|name| (*name).to_owned()))
            .collect()
    }

    fn row(&self, item: &EncodedItem, columns: &[String]) -> Vec<String> {
        columns
            .iter()
            .map(|name| {
                let text = item.view().get(name).map(|value| self.cell(value));
                let text = text.unwrap_or_default();
                if self.leading.contains(name) {
                    text
                } else {
                    cut(text)
                }
            })
            .collect()
    }

    fn cell(&self, value: ValueView<'_>) -> String {
        match (self.notation, value) {
            (Notation::Plain, ValueView::S(text)) => visible(text),
            (notation, value) => visible(&notation.value(value)),
        }
    }

    fn emphasized(&self, line: &str) -> String {
        if self.has_colour {
            format!("{HEADER}{line}{HEADER:#}\n")
        } else {
            format!("{line}\n")
        }
    }
}

fn widths(header: &[String], rows: &[Vec<String>]) -> Vec<usize> {
    let width_of = |column: usize, name: &String| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.width()).max().unwrap_or(0);
        widest.max(name.width())
    };
    header
        .iter()
        .enumerate()
        .map(|(column, name)| width_of(column, name))
        .collect()
}

/// The cells, each filled up to its column's width but for the last.
fn line(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        line.push_str(cell);
        let missing = width.saturating_sub(cell.width());
        line.extend(std::iter::repeat_n(' ', missing));
        line.push_str(GAP);
    }
    line.truncate(line.trim_end().len());
    line
}

fn cut(text: String) -> String {
    if text.width() <= MAX_WIDTH {
        return text;
    }
    let mut kept = String::new();
    let mut width = 0;
    for c in text.chars() {
        width += c.width().unwrap_or(0);
        if width >= MAX_WIDTH {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_item::Item;

    fn table() -> Table {
        Table::new(vec!["pk".to_owned()], Notation::Plain, false)
    }

    #[test]
    fn keys_come_first_and_columns_are_as_wide_as_their_widest_value() {
        let items = [
            Item::new().with("pk", "a").with("a", 1).with("b", "日本"),
            Item::new()
                .with("pk", "long")
                .with("b", vec![1.into()])
                .with("c", "x"),
        ];
        let text = table().page(&items.map(EncodedItem::from));
        assert_eq!(text, "pk    a  b     c\na     1  日本\nlong     [1]   x\n");
    }

    #[test]
    fn long_values_are_cut_but_keys_are_not() {
        let long = "x".repeat(50);
        let item = Item::new()
            .with("pk", long.as_str())
            .with("v", long.as_str());
        let text = table().page(&[EncodedItem::from(item)]);
        let row = text.lines().nth(1).unwrap();
        assert_eq!(row, format!("{long}  {}…", "x".repeat(39)));
    }

    #[test]
    fn control_characters_are_made_visible() {
        let item = Item::new().with("pk", "a\u{1b}[31mb\nc\u{202e}");
        let text = table().page(&[EncodedItem::from(item)]);
        assert_eq!(text, "pk\na\\u{1b}[31mb\\nc\\u{202e}\n");
    }

    #[test]
    fn one_item_is_a_list_of_its_attributes() {
        let item = Item::new().with("a", true).with("pk", "x".repeat(60));
        let text = table().one(&EncodedItem::from(item));
        assert_eq!(
            text,
            format!(
                "ATTRIBUTE  VALUE\npk         {}\na          true\n",
                "x".repeat(60)
            )
        );
    }

    #[test]
    fn no_items_are_no_table() {
        assert_eq!(table().page(&[]), "");
    }
}
