//! Regular expressions of models in the syntax that JSON Schema, Python and Rust read in the same way.
//!
//! The expression is parsed by the parser that the model is read with, and written again from what it means: literals,
//! classes as ranges, groups and repetitions. What has no such form is left out, and the schema accepts more than the model.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Look, Repetition};
use std::fmt::Write as _;

/// A class of more ranges is one of Unicode's properties, which no other engine knows in the same version.
const MOST_RANGES: usize = 64;

/// The expression that matches whole texts; none if it cannot be said in other engines.
pub(super) fn translate(regex: &str) -> Option<String> {
    let hir = regex_syntax::parse(regex).ok()?;
    let mut text = String::from("^(?:");
    write_hir(&hir, &mut text)?;
    text.push_str(")$");
    Some(text)
}

fn write_hir(hir: &Hir, text: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty => text.push_str("(?:)"),
        HirKind::Literal(literal) => {
            for c in std::str::from_utf8(&literal.0).ok()?.chars() {
                write_char(c, text);
            }
        }
        HirKind::Class(Class::Unicode(class)) => write_class(class, text)?,
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Look(Look::Start) => text.push('^'),
        HirKind::Look(Look::End) => text.push('$'),
        HirKind::Look(_) => return None,
        HirKind::Repetition(repetition) => write_repetition(repetition, text)?,
        HirKind::Capture(capture) => write_group(&capture.sub, text)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write_hir(part, text)?;
            }
        }
        HirKind::Alternation(parts) => {
            text.push_str("(?:");
            for (position, part) in parts.iter().enumerate() {
                if position > 0 {
                    text.push('|');
                }
                write_hir(part, text)?;
            }
            text.push(')');
        }
    }
    Some(())
}

fn write_group(hir: &Hir, text: &mut String) -> Option<()> {
    text.push_str("(?:");
    write_hir(hir, text)?;
    text.push(')');
    Some(())
}

fn write_repetition(repetition: &Repetition, text: &mut String) -> Option<()> {
    write_group(&repetition.sub, text)?;
    match (repetition.min, repetition.max) {
        (0, Some(1)) => text.push('?'),
        (0, None) => text.push('*'),
        (1, None) => text.push('+'),
        (least, None) => write!(text, "{{{least},}}").ok()?,
        (least, Some(most)) if least == most => write!(text, "{{{least}}}").ok()?,
        (least, Some(most)) => write!(text, "{{{least},{most}}}").ok()?,
    }
    Some(())
}

/// A class as ranges; one that leaves out a few characters is written as what it leaves out.
fn write_class(class: &ClassUnicode, text: &mut String) -> Option<()> {
    let reaches_end = class
        .ranges()
        .last()
        .is_some_and(|range| range.end() == char::MAX);
    let mut shown = class.clone();
    text.push('[');
    if reaches_end {
        shown.negate();
        text.push('^');
    }
    if shown.ranges().is_empty() {
        // Everything: a class that leaves out nothing.
        text.pop();
        text.push_str("\\s\\S");
    }
    if shown.ranges().len() > MOST_RANGES {
        return None;
    }
    for range in shown.ranges() {
        write_char(range.start(), text);
        if range.start() != range.end() {
            text.push('-');
            write_char(range.end(), text);
        }
    }
    text.push(']');
    Some(())
}

fn write_char(c: char, text: &mut String) {
    if "^$\\.*+?()[]{}|/-".contains(c) {
        // A hyphen outside of a class needs no escape, and some engines refuse one.
        if c == '-' {
            text.push_str("\\x2d");
        } else {
            text.push('\\');
            text.push(c);
        }
    } else if c.is_control() && c.is_ascii() {
        // Writing to a text does not fail.
        let _ = write!(text, "\\x{:02x}", u32::from(c));
    } else {
        text.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_written_in_what_all_engines_share() {
        let cases = [
            (
                "[A-Za-z0-9_-]{1,64}",
                Some("^(?:(?:[\\x2d0-9A-Z_a-z]){1,64})$"),
            ),
            ("a|bc?", Some("^(?:(?:a|b(?:c)?))$")),
            ("[^#/]+", Some("^(?:(?:[^#\\/])+)$")),
            (r"\+[1-9][0-9]{1,14}", Some("^(?:\\+[1-9](?:[0-9]){1,14})$")),
            (r"\w+", None),
            (r"\bx", None),
        ];
        for (regex, wanted) in cases {
            assert_eq!(translate(regex).as_deref(), wanted, "{regex}");
        }
    }
}
