//! Blocks of HCL, the language of Terraform, in the form that `terraform fmt` gives them.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A block: `kind "label" { .. }`.
pub(super) struct Block {
    kind: String,
    labels: Vec<String>,
    attributes: Vec<(String, Expression)>,
    blocks: Vec<Self>,
}

/// What an attribute is.
pub(super) enum Expression {
    Text(String),
    Number(u64),
    Flag(bool),
    List(Vec<String>),
    Map(BTreeMap<String, String>),
    Object(Vec<(String, Self)>),
}

impl Block {
    pub(super) fn new(kind: &str, labels: &[&str]) -> Self {
        Self {
            kind: kind.to_owned(),
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            attributes: Vec::new(),
            blocks: Vec::new(),
        }
    }

    pub(super) fn text(self, name: &str, value: &str) -> Self {
        self.set(name, Expression::Text(value.to_owned()))
    }

    pub(super) fn number(self, name: &str, value: impl Into<u64>) -> Self {
        self.set(name, Expression::Number(value.into()))
    }

    pub(super) fn flag(self, name: &str, value: bool) -> Self {
        self.set(name, Expression::Flag(value))
    }

    pub(super) fn set(mut self, name: &str, value: Expression) -> Self {
        self.attributes.push((name.to_owned(), value));
        self
    }

    pub(super) fn block(mut self, block: Self) -> Self {
        self.blocks.push(block);
        self
    }

    /// The block as text.
    pub(super) fn render(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text
    }

    fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let labels: String = self
            .labels
            .iter()
            .map(|label| format!("{} ", quote(label)))
            .collect();
        let _ = writeln!(text, "{indent}{} {labels}{{", self.kind);
        write_attributes(&self.attributes, depth + 1, text);
        for (position, block) in self.blocks.iter().enumerate() {
            if position > 0 || !self.attributes.is_empty() {
                text.push('\n');
            }
            block.write(depth + 1, text);
        }
        let _ = writeln!(text, "{indent}}}");
    }
}

/// Attributes with their signs below each other. One of several lines stands alone.
fn write_attributes(attributes: &[(String, Expression)], depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let runs = attributes.chunk_by(|(_, one), (_, other)| !one.is_long() && !other.is_long());
    for run in runs {
        let width = run.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in run {
            let _ = writeln!(text, "{indent}{name:width$} = {}", value.render(depth));
        }
    }
}

impl Expression {
    const fn is_long(&self) -> bool {
        matches!(self, Self::Map(_) | Self::Object(_))
    }

    fn render(&self, depth: usize) -> String {
        match self {
            Self::Text(text) => quote(text),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::List(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| quote(text)).collect();
                format!("[{}]", texts.join(", "))
            }
            Self::Map(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (quote(name), Self::Text(value.clone())));
                render_members(&members.collect::<Vec<_>>(), depth)
            }
            Self::Object(members) => render_members(members, depth),
        }
    }
}

fn render_members(members: &[(String, Expression)], depth: usize) -> String {
    let mut text = "{\n".to_owned();
    write_attributes(members, depth + 1, &mut text);
    text.push_str(&"  ".repeat(depth));
    text.push('}');
    text
}

/// A text in which nothing is interpolated.
fn quote(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted.replace("${", "$${").replace("%{", "%%{")
}
