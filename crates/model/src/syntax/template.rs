//! Templates: `TREE#{TreeId}`.
//!
//! ```text
//! template = { literal | "{" source { "|" source } { ":" format } [ "?" | "*" | ".." ] "}" } [ "*" ]
//! ```

mod field;
mod format;

pub use field::{Field, Mode, Root, Source};
pub use format::{Format, TimeFormat};

use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::Text;
use crate::span::{Span, Spanned};
use serde::{Deserialize, Serialize};

/// Text with places for values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Template {
    /// As it is written.
    pub text: String,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
    /// Literals and fields, in order.
    pub parts: Vec<Part>,
    /// Whether a final `*` lets anything follow.
    pub open_end: bool,
}

/// A piece of a template.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Part {
    /// Text that stands as it is.
    Literal(Spanned<String>),
    /// The place of a value.
    Field(Field),
}

/// As it is written.
impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Literal(text) => f.write_str(&text.value.replace('{', "{{").replace('}', "}}")),
            Self::Field(field) => field.fmt(f),
        }
    }
}

/// Where a template stands, which decides what it may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateKind {
    /// A key or a value: it renders one text.
    Value,
    /// A key condition: it may be a prefix or a range.
    Condition,
}

impl Template {
    /// Reads a template, or reports why it cannot be read.
    pub(crate) fn parse(text: &Text, kind: TemplateKind, findings: &mut Findings) -> Option<Self> {
        let mut reader = Reader {
            text,
            at: 0,
            parts: Vec::new(),
        };
        let body_end = match kind {
            TemplateKind::Condition if text.as_str().ends_with('*') => text.value.len() - 1,
            TemplateKind::Condition | TemplateKind::Value => text.value.len(),
        };
        if let Err(problem) = reader.read_until(body_end) {
            findings.push(*problem);
            return None;
        }
        let template = Self {
            text: text.value.clone(),
            span: text.inner(),
            parts: reader.parts,
            open_end: body_end < text.value.len(),
        };
        let problems = template.problems(kind, text);
        let sound = problems.is_empty();
        problems
            .into_iter()
            .for_each(|problem| findings.push(problem));
        sound.then_some(template)
    }

    /// A template of one literal.
    #[must_use]
    pub fn literal(text: impl Into<String>, span: Span) -> Self {
        let text = text.into();
        Self {
            parts: vec![Part::Literal(Spanned::new(text.clone(), span))],
            text,
            span,
            open_end: false,
        }
    }

    /// A template of parts that stand elsewhere in the file.
    pub(crate) fn of_parts(parts: Vec<Part>, open_end: bool, span: Span) -> Self {
        let mut text: String = parts.iter().map(Part::to_string).collect();
        if open_end {
            text.push('*');
        }
        Self {
            text,
            span,
            parts,
            open_end,
        }
    }

    /// Its fields, in order.
    pub fn fields(&self) -> impl DoubleEndedIterator<Item = &Field> {
        self.parts.iter().filter_map(|part| match part {
            Part::Field(field) => Some(field),
            Part::Literal(_) => None,
        })
    }

    /// Whether it renders one text: no prefix, no range, nothing optional.
    #[must_use]
    pub fn is_full(&self) -> bool {
        !self.open_end && self.fields().all(|field| field.mode == Mode::Plain)
    }

    /// Whether it has no field.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.fields().next().is_none()
    }

    fn problems(&self, kind: TemplateKind, text: &Text) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        if kind == TemplateKind::Value {
            for field in self.fields().filter(|field| field.mode != Mode::Plain) {
                let message = format!(
                    "`{}` belongs in a key condition, not in a key or a value",
                    field.mode
                );
                problems.push(Diagnostic::new(Code::BadTemplate, field.span, message));
            }
            return problems;
        }
        if self.open_end && !matches!(self.parts.last(), Some(Part::Literal(_)) | None) {
            problems.push(self.open_prefix(text));
        }
        let count = self.parts.len();
        for (position, part) in self.parts.iter().enumerate() {
            let Part::Field(field) = part else { continue };
            let is_last = position + 1 == count && !self.open_end;
            match field.mode {
                Mode::Open | Mode::Range if !is_last => problems.push(Diagnostic::new(
                    Code::BadTemplate,
                    field.span,
                    format!("nothing may follow `{}`: the condition ends there", field.mode),
                )),
                Mode::Optional if !self.optional_tail(position) => problems.push(
                    Diagnostic::new(
                        Code::BadTemplate,
                        field.span,
                        "after an optional field only literals and optional fields may follow, and a final `*`",
                    ),
                ),
                Mode::Plain | Mode::Optional | Mode::Open | Mode::Range => {}
            }
        }
        problems
    }

    /// Whether everything after this part can be left out with it.
    fn optional_tail(&self, position: usize) -> bool {
        let rest = self.parts.get(position..).unwrap_or_default();
        self.open_end
            && rest.iter().all(|part| match part {
                Part::Literal(_) => true,
                Part::Field(field) => field.mode == Mode::Optional,
            })
    }

    fn open_prefix(&self, text: &Text) -> Diagnostic {
        let end = text.value.len();
        let name = self.fields().last().map_or_else(String::new, Field::name);
        Diagnostic::new(
            Code::OpenPrefix,
            text.span_at(end - 1, end),
            format!("the prefix stops inside `{name}`: asking for `n1` also finds `n10`"),
        )
        .help(format!(
            "close it with its delimiter (`{{{name}}}#*`), or write `{{{name}*}}` if a beginning is meant"
        ))
    }
}

struct Reader<'t> {
    text: &'t Text,
    at: usize,
    parts: Vec<Part>,
}

impl Reader<'_> {
    fn read_until(&mut self, end: usize) -> Result<(), Box<Diagnostic>> {
        let text = self.text;
        let all = text.value.get(..end).unwrap_or_default();
        let mut literal = String::new();
        let mut literal_start = self.at;
        while let Some(rest) = all.get(self.at..)
            && let Some(first) = rest.chars().next()
        {
            match first {
                '{' | '}' if rest.get(1..2) == Some(rest.get(..1).unwrap_or_default()) => {
                    literal.push(first);
                    self.at += 2;
                }
                '}' => {
                    return Err(
                        self.problem(1, "a `}` without a `{`; write `}}` for the brace itself")
                    );
                }
                '{' => {
                    self.end_literal(&mut literal, literal_start);
                    let length = field::length(rest).ok_or_else(|| {
                        self.problem(1, "a `{` without its `}`; write `{{` for the brace itself")
                    })?;
                    let inside = text.part(self.at + 1, self.at + length - 1);
                    let span = text.span_at(self.at, self.at + length);
                    self.parts.push(Part::Field(Field::parse(&inside, span)?));
                    self.at += length;
                    literal_start = self.at;
                }
                other => {
                    literal.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
        self.end_literal(&mut literal, literal_start);
        Ok(())
    }

    fn end_literal(&mut self, literal: &mut String, start: usize) {
        if !literal.is_empty() {
            let span = self.text.span_at(start, self.at);
            self.parts
                .push(Part::Literal(Spanned::new(std::mem::take(literal), span)));
        }
    }

    fn problem(&self, length: usize, message: &str) -> Box<Diagnostic> {
        let span = self.text.span_at(self.at, self.at + length);
        Box::new(Diagnostic::new(Code::BadTemplate, span, message))
    }
}
