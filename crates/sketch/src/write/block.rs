//! Lines of TOML, with their `=` below each other, and comments.

use std::fmt::Write as _;

/// Comments are wrapped before they are wider.
const WIDTH: usize = 118;

/// Lines of a section.
#[derive(Debug, Default)]
pub(super) struct Block {
    lines: Vec<Line>,
}

#[derive(Debug)]
enum Line {
    Setting { key: String, value: String },
    Comment(String),
}

impl Block {
    /// Adds a line. The key is as TOML has it.
    pub(super) fn line(&mut self, key: &str, value: impl Into<String>) {
        self.lines.push(Line::Setting {
            key: key.to_owned(),
            value: value.into(),
        });
    }

    pub(super) fn comments(&mut self, remarks: &[String]) {
        let comments = remarks.iter().cloned().map(Line::Comment);
        self.lines.extend(comments);
    }

    pub(super) fn write(&self, text: &mut String) {
        let widths = self.lines.iter().map(|line| match line {
            Line::Setting { key, .. } => key.chars().count(),
            Line::Comment(_) => 0,
        });
        let width = widths.max().unwrap_or_default();
        for line in &self.lines {
            match line {
                Line::Setting { key, value } => {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{key:width$} = {value}");
                }
                Line::Comment(remark) => comment(text, std::slice::from_ref(remark)),
            }
        }
    }
}

/// Remarks as comments.
pub(super) fn comment(text: &mut String, remarks: &[String]) {
    for remark in remarks {
        let mut line = String::from("#");
        for word in remark.split_whitespace() {
            if line.chars().count() + word.chars().count() >= WIDTH {
                text.push_str(&line);
                text.push('\n');
                line = String::from("#");
            }
            line.push(' ');
            // What no comment of TOML may contain.
            line.extend(word.chars().map(|c| if c.is_control() { '?' } else { c }));
        }
        text.push_str(&line);
        text.push('\n');
    }
}

/// A name as a key of TOML: bare if it can be.
pub(super) fn write_name(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quote(name)
    }
}

/// A text of TOML.
#[must_use]
pub fn quote(text: &str) -> String {
    let needs_escapes = text.contains(['"', '\\']);
    let is_plain = !text.contains('\'') && !text.chars().any(char::is_control);
    if needs_escapes && is_plain {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A list of texts; one that stands alone may do without brackets where the language says so.
pub(super) fn list<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| quote(text)).collect();
    format!("[{}]", texts.join(", "))
}
