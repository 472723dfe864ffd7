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

/// Reads TOML. What can be read in spite of an error is read, so that other errors are found too.
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
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let end = text.len();
        let span = Span {
            start: span.start.min(end),
            end: span.end.min(end),
        };
        findings.push(Diagnostic::new(
            Code::BadToml,
            span,
            first_line(error.message()),
        ));
    }
    Some(table)
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
