//! A model's TOML with the place of everything.
//!
//! [`Section`] hands out the keys of a table by name and kind. It notes which names were asked for, so that
//! what is left over is an error and the suggestion for it needs no list of its own.

mod section;
mod text;

pub(crate) use section::{Section, Value, text_lists, texts};
pub(crate) use text::Text;

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::span::Span;
use toml::Spanned as TomlSpanned;
use toml::de::DeTable;

/// The longest model, in bytes. The largest of ours has a fiftieth of it.
pub(crate) const MAX_MODEL_BYTES: usize = 4 * 1024 * 1024;

pub(crate) fn span_of<T>(value: &TomlSpanned<T>) -> Span {
    let span = value.span();
    Span {
        start: span.start,
        end: span.end,
    }
}

/// Reads TOML. What can be read in spite of an error is read, so that other errors are found too. A list or table that is not
/// closed takes in everything behind it: then only the first error says anything, and nothing is read.
pub(crate) fn parse<'t>(
    text: &'t str,
    findings: &mut Findings,
) -> Option<TomlSpanned<DeTable<'t>>> {
    if text.len() > MAX_MODEL_BYTES {
        let message = format!(
            "the model has {} bytes; {MAX_MODEL_BYTES} are the most",
            text.len()
        );
        findings.error(Code::TooLarge, Span { start: 0, end: 0 }, message);
        return None;
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    let errors = errors.iter().map(|error| describe(error, text));
    let mut errors: Vec<Diagnostic> = errors.collect();
    errors.sort_by_key(|error| error.span.start);
    if ends_unclosed(&errors, text) {
        let more = errors.len() - 1;
        let help = format!(
            "a `[` or `{{` before this place is not closed; it takes in the rest of the file, so {more} more errors are not shown"
        );
        if let Some(first) = errors.into_iter().next() {
            findings.push(first.help(help));
        }
        return None;
    }
    for error in errors {
        findings.push(error);
    }
    Some(table)
}

fn describe(error: &toml::de::Error, text: &str) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    let end = text.len();
    let span = Span {
        start: span.start.min(end),
        end: span.end.min(end),
    };
    Diagnostic::new(Code::BadToml, span, first_line(error.message()))
}

/// Whether something that is open at the end of the text has made the errors before it. The parser reports what is not closed
/// where the text ends.
fn ends_unclosed(errors: &[Diagnostic], text: &str) -> bool {
    let end = text.trim_end().len();
    errors.len() > 1 && errors.last().is_some_and(|last| last.span.start >= end)
}

fn first_line(message: &str) -> String {
    let mut lines = message.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or("this is not TOML").trim();
    let more: Vec<_> = lines.map(str::trim).collect();
    if more.is_empty() {
        first.to_owned()
    } else {
        format!("{first}; {}", more.join("; "))
    }
}
