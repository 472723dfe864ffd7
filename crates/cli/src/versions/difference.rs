//! What two revisions differ in.

use super::answer::Answer;
use super::declared::Declared;
use super::label::{json, label};
use crate::exit::Failure;
use crate::output::{has_colour, print as write, visible};
use anstyle::{AnsiColor, Style};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_store::{Difference, Differences, Row};
use std::collections::BTreeSet;

/// A difference as both forms show it.
struct Shown<'d> {
    is: &'static str,
    mark: char,
    style: Style,
    before: Option<&'d Row>,
    after: Option<&'d Row>,
    attributes: Vec<String>,
}

/// Prints the rows that differ: lines, or items.
pub(super) fn print(
    answer: &Answer<'_>,
    declared: &Declared<'_>,
    found: &Differences,
) -> Result<(), Failure> {
    let shown = found.rows.iter().map(|row| Shown::of(declared, row));
    if answer.output.is_text(answer.notation) {
        let has_colour = has_colour();
        let lines = shown.map(|one| one.lines(declared, has_colour));
        return write(lines.collect::<String>().as_bytes());
    }
    let items: Vec<_> = shown.map(|one| EncodedItem::from(one.item())).collect();
    let mut printer = answer.output.printer(answer.notation, Vec::new());
    printer.page(&items)?;
    printer.finish()
}

impl<'d> Shown<'d> {
    fn of(declared: &Declared<'_>, difference: &'d Difference) -> Self {
        let (is, mark, colour) = match difference {
            Difference::Added(_) => ("added", '+', AnsiColor::Green),
            Difference::Removed(_) => ("removed", '-', AnsiColor::Red),
            Difference::Moved { .. } => ("moved", '>', AnsiColor::Cyan),
            Difference::Changed { .. } => ("changed", '~', AnsiColor::Yellow),
        };
        let (before, after) = match difference {
            Difference::Added(after) => (None, Some(after)),
            Difference::Removed(before) => (Some(before), None),
            Difference::Moved { before, after } | Difference::Changed { before, after, .. } => {
                (Some(before), Some(after))
            }
        };
        let attributes = match difference {
            Difference::Changed { attributes, .. } => attributes.clone(),
            Difference::Moved { before, after } => unlike(declared, before, after),
            Difference::Added(_) | Difference::Removed(_) => Vec::new(),
        };
        Self {
            is,
            mark,
            style: colour.on_default(),
            before,
            after,
            attributes,
        }
    }

    /// `~ ValuesNode ACTION a1 Sleep`, and a line for each attribute that differs.
    fn lines(&self, declared: &Declared<'_>, has_colour: bool) -> String {
        let Some(row) = self.after.or(self.before) else {
            return String::new();
        };
        let line = format!("{} {} {}", self.mark, row.entity, label(declared, row));
        let style = self.style;
        let mut text = if has_colour {
            format!("{style}{line}{style:#}\n")
        } else {
            format!("{line}\n")
        };
        for name in &self.attributes {
            let value = |row: Option<&Row>| {
                let value = row.and_then(|row| row.get(name));
                value.map_or_else(|| "nothing".to_owned(), json)
            };
            let (before, after) = (value(self.before), value(self.after));
            text.push_str(&format!("    {}: {before} -> {after}\n", visible(name)));
        }
        text
    }

    fn item(&self) -> Item {
        let row = |row: Option<&Row>| {
            row.map_or(AttributeValue::Null, |row| {
                AttributeValue::M(row.values.clone())
            })
        };
        let entity = self.after.or(self.before).map(|row| row.entity.clone());
        let attributes = self.attributes.iter().cloned().map(AttributeValue::S);
        Item::new()
            .with("is", self.is)
            .with("entity", entity.unwrap_or_default())
            .with("before", row(self.before))
            .with("after", row(self.after))
            .with("attributes", attributes.collect::<Vec<_>>())
    }
}

/// The attributes that differ, other than the revision.
fn unlike(declared: &Declared<'_>, before: &Row, after: &Row) -> Vec<String> {
    let names = before.values.iter().chain(after.values.iter());
    let names: BTreeSet<&String> = names.map(|(name, _)| name).collect();
    let differ = names.into_iter().filter(|name| {
        *name != declared.revision() && before.values.get(name) != after.values.get(name)
    });
    differ.cloned().collect()
}
