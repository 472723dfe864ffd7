//! What commands print: items as JSON, as JSON Lines or as a table.
//!
//! Items are printed page by page, each page with one write, so that memory stays small and a line is
//! never printed in part.

mod json;
mod table;
mod visible;

use crate::exit::{self, Failure};
use crate::notation::Notation;
use clap::{Args, ValueEnum};
use json::JsonArray;
use monotable_item::EncodedItem;
use std::io::{self, IsTerminal, Write};
use table::Table;
pub(crate) use visible::visible;

/// How the user wants the output.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArguments {
    /// Form of the output [default: table on a terminal or of a command that prints text, otherwise json]
    #[arg(long, value_name = "FORM")]
    output: Option<Form>,
}

/// A form of output.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// One JSON document, indented
    Json,
    /// One item per line
    Jsonl,
    /// Columns for people; long values are cut, and control characters made visible
    Table,
}

impl OutputArguments {
    /// The form that is wanted.
    pub(crate) fn form(&self, notation: Notation) -> Form {
        self.output.unwrap_or_else(|| default_form(notation))
    }

    /// Whether the user asks for a form.
    pub(crate) const fn is_given(&self) -> bool {
        self.output.is_some()
    }

    /// Whether drawings and lines for people are wanted, where a command has them: unless a form of data is asked for.
    pub(crate) fn is_text(&self, notation: Notation) -> bool {
        match self.output {
            Some(form) => form == Form::Table,
            None => notation == Notation::Plain,
        }
    }

    /// Records as one JSON list, or one per line.
    pub(crate) fn render_documents<T: serde::Serialize>(
        &self,
        records: &[T],
    ) -> Result<Vec<u8>, serde_json::Error> {
        if self.output != Some(Form::Jsonl) {
            return serde_json::to_vec_pretty(records);
        }
        let lines: Result<Vec<_>, _> = records.iter().map(serde_json::to_vec).collect();
        Ok(lines?.join(&b'\n'))
    }

    /// A printer of items; a table shows the `leading` attributes first and never cuts them.
    pub(crate) fn printer(&self, notation: Notation, leading: Vec<String>) -> Printer {
        let layout = match self.form(notation) {
            Form::Json => Layout::Json(JsonArray::default()),
            Form::Jsonl => Layout::Jsonl,
            Form::Table => Layout::Table(Table::new(leading, notation, has_colour())),
        };
        Printer {
            layout,
            notation,
            has_lost_types: false,
        }
    }
}

/// Who asks for DynamoDB's JSON wants to see it, on a terminal too.
fn default_form(notation: Notation) -> Form {
    match notation {
        Notation::Plain if io::stdout().is_terminal() => Form::Table,
        Notation::Plain | Notation::Typed => Form::Json,
    }
}

/// Whether the output is a terminal that wants colour: NO_COLOR and CLICOLOR_FORCE are heard.
pub(crate) fn has_colour() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Prints items.
pub(crate) struct Printer {
    layout: Layout,
    notation: Notation,
    /// Whether a printed item does not read back as it was.
    has_lost_types: bool,
}

enum Layout {
    Json(JsonArray),
    Jsonl,
    Table(Table),
}

impl Printer {
    /// Prints some of many items.
    pub(crate) fn page(&mut self, items: &[EncodedItem]) -> Result<(), Failure> {
        self.watch(items);
        let mut text = Vec::new();
        match &mut self.layout {
            Layout::Json(array) => array.page(&mut text, items, self.notation)?,
            Layout::Jsonl => lines(&mut text, items, self.notation)?,
            Layout::Table(table) => text.extend(table.page(items).into_bytes()),
        }
        print(&text)
    }

    /// Ends what the pages began.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        if let Layout::Json(array) = &mut self.layout {
            print(array.end())?;
        }
        self.warn();
        Ok(())
    }

    /// Prints one item that stands for itself.
    pub(crate) fn one(mut self, item: &EncodedItem) -> Result<(), Failure> {
        let items = std::slice::from_ref(item);
        self.watch(items);
        let mut text = Vec::new();
        match &mut self.layout {
            Layout::Json(_) => json::document(&mut text, item, self.notation)?,
            Layout::Jsonl => lines(&mut text, items, self.notation)?,
            Layout::Table(table) => text.extend(table.one(item).into_bytes()),
        }
        print(&text)?;
        self.warn();
        Ok(())
    }

    fn watch(&mut self, items: &[EncodedItem]) {
        let is_data = matches!(self.layout, Layout::Json(_) | Layout::Jsonl);
        self.has_lost_types |= is_data && items.iter().any(|item| !self.notation.keeps(item));
    }

    fn warn(&self) {
        if self.has_lost_types {
            note_lost_types();
        }
    }
}

/// Says that what was printed does not read back as it was.
pub(crate) fn note_lost_types() {
    exit::note(
        "sets are printed as arrays and binary values as base64; --ddb-json keeps their types",
    );
}

fn lines(text: &mut Vec<u8>, items: &[EncodedItem], notation: Notation) -> io::Result<()> {
    for item in items {
        serde_json::to_writer(&mut *text, &notation.show(item))?;
        text.push(b'\n');
    }
    Ok(())
}

/// Writes to stdout at once; nobody else writes in between.
pub(crate) fn print(text: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text)?;
    stdout.flush()?;
    Ok(())
}
