//! The place of a value in a template: `{email:trim:lower}`.

use super::Format;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::Text;
use crate::span::{Name, Span, Spanned};
use crate::suggest::did_you_mean;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The place of a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Where the value comes from: the first that is there.
    pub sources: Vec<Source>,
    /// What is done to it, left to right.
    pub formats: Vec<Spanned<Format>>,
    /// How much of it must be given.
    pub mode: Mode,
    /// Where it stands, braces included.
    #[serde(skip)]
    pub span: Span,
}

/// Where a value comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Source {
    /// An attribute, or what a root holds: `TreeId`, `TreeId.IsPublic`, `setting.domain`.
    Path {
        /// What the names belong to, if not to the row itself.
        root: Option<Root>,
        /// The names after the root.
        names: Vec<Name>,
        /// Where it stands.
        #[serde(skip)]
        span: Span,
    },
    /// Text of its own.
    Literal(Spanned<String>),
    /// Nothing: the field may be empty.
    Nothing(#[serde(skip)] Span),
}

/// What a path in a template can begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Root {
    /// A setting of the deployment.
    Setting,
    /// The caller.
    Principal,
    /// The tenant.
    Tenant,
    /// The keys of the row that is moved.
    Row,
    /// The row before the write.
    Old,
    /// The request: operation, status, changes.
    Request,
    /// The row that an archive rule wrote.
    Archive,
    /// The time of the request.
    Now,
}

impl Root {
    const ALL: [Self; 8] = [
        Self::Setting,
        Self::Principal,
        Self::Tenant,
        Self::Row,
        Self::Old,
        Self::Request,
        Self::Archive,
        Self::Now,
    ];

    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setting => "setting",
            Self::Principal => "principal",
            Self::Tenant => "tenant",
            Self::Row => "row",
            Self::Old => "old",
            Self::Request => "request",
            Self::Archive => "archive",
            Self::Now => "now",
        }
    }
}

/// How much of a value must be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// The value.
    Plain,
    /// `{x?}`: it can be left out, and the condition ends there.
    Optional,
    /// `{x*}`: a beginning of it.
    Open,
    /// `{x..}`: a range of it.
    Range,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "{x}",
            Self::Optional => "{x?}",
            Self::Open => "{x*}",
            Self::Range => "{x..}",
        })
    }
}

/// As it is written in a template.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (position, source) in self.sources.iter().enumerate() {
            f.write_str(if position == 0 { "" } else { "|" })?;
            write!(f, "{source}")?;
        }
        for format in &self.formats {
            write!(f, ":{}", format.value)?;
        }
        f.write_str(match self.mode {
            Mode::Plain => "}",
            Mode::Optional => "?}",
            Mode::Open => "*}",
            Mode::Range => "..}",
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path { root, names, .. } => {
                let names = names.iter().map(|name| name.value.as_str());
                let parts: Vec<_> = root.iter().map(|root| root.name()).chain(names).collect();
                f.write_str(&parts.join("."))
            }
            Self::Literal(text) => write!(f, "'{}'", text.value),
            Self::Nothing(_) => Ok(()),
        }
    }
}

impl Field {
    /// The attribute (or root and name) it shows first, for messages and for the parameter's name.
    #[must_use]
    pub fn name(&self) -> String {
        self.sources
            .first()
            .map_or_else(String::new, |source| match source {
                Source::Literal(text) => text.value.clone(),
                Source::Path { .. } | Source::Nothing(_) => source.to_string(),
            })
    }

    /// The attributes of the row itself that it may show.
    pub fn attributes(&self) -> impl Iterator<Item = &Name> {
        self.sources.iter().filter_map(|source| match source {
            Source::Path {
                root: None, names, ..
            } => names.first(),
            Source::Path { .. } | Source::Literal(_) | Source::Nothing(_) => None,
        })
    }

    /// Whether it can show nothing although its attributes are absent.
    #[must_use]
    pub fn has_fallback(&self) -> bool {
        matches!(
            self.sources.last(),
            Some(Source::Literal(_) | Source::Nothing(_))
        )
    }

    pub(super) fn parse(inside: &Text, span: Span) -> Result<Self, Box<Diagnostic>> {
        let (body, mode) = mode(inside);
        let pieces = split(&body, ':');
        let (sources, formats) = pieces.split_first().ok_or_else(|| empty(span))?;
        let sources: Vec<_> = split(sources, '|')
            .iter()
            .map(source)
            .collect::<Result<_, _>>()?;
        if let [Source::Nothing(_)] = sources.as_slice() {
            return Err(empty(span));
        }
        Ok(Self {
            sources,
            formats: formats.iter().map(format).collect::<Result<_, _>>()?,
            mode,
            span,
        })
    }
}

fn empty(span: Span) -> Box<Diagnostic> {
    let message = "an empty field; write an attribute between the braces";
    Box::new(Diagnostic::new(Code::BadTemplate, span, message))
}

fn mode(inside: &Text) -> (Text, Mode) {
    let marks = [
        ("..", Mode::Range),
        ("?", Mode::Optional),
        ("*", Mode::Open),
    ];
    for (mark, mode) in marks {
        if inside.as_str().ends_with(mark) {
            return (inside.part(0, inside.value.len() - mark.len()), mode);
        }
    }
    (inside.clone(), Mode::Plain)
}

fn source(text: &Text) -> Result<Source, Box<Diagnostic>> {
    let text = text.trimmed();
    let value = text.as_str();
    if value.is_empty() {
        return Ok(Source::Nothing(text.inner()));
    }
    if let Some(literal) = value.strip_prefix('\'') {
        let literal = literal.strip_suffix('\'').ok_or_else(|| {
            let message = "text in a field ends with the quote it begins with";
            Box::new(Diagnostic::new(Code::BadTemplate, text.inner(), message))
        })?;
        return Ok(Source::Literal(Spanned::new(
            literal.replace("''", "'"),
            text.inner(),
        )));
    }
    path(&text)
}

fn path(text: &Text) -> Result<Source, Box<Diagnostic>> {
    let mut names = Vec::new();
    let mut start = 0;
    for piece in text.as_str().split('.') {
        let end = start + piece.len();
        let sound = !piece.is_empty()
            && piece
                .chars()
                .all(|c| c.is_alphanumeric() || "_-#$@".contains(c));
        if !sound {
            let span = text.span_at(start, end.max(start + 1));
            let message = format!("`{piece}` is no name of an attribute");
            return Err(Box::new(Diagnostic::new(Code::BadTemplate, span, message)));
        }
        names.push(Spanned::new(piece.to_owned(), text.span_at(start, end)));
        start = end + 1;
    }
    let first = names.first().map(|name| name.value.as_str());
    let root = Root::ALL
        .into_iter()
        .find(|root| first == Some(root.name()) && (names.len() > 1) == (*root != Root::Now));
    if root.is_some() {
        names.remove(0);
    }
    Ok(Source::Path {
        root,
        names,
        span: text.inner(),
    })
}

fn format(text: &Text) -> Result<Spanned<Format>, Box<Diagnostic>> {
    let text = text.trimmed();
    let format = Format::parse(text.as_str()).ok_or_else(|| {
        let message = format!("`{}` is no format", text.as_str());
        let help = did_you_mean(text.as_str(), Format::NAMES.iter().copied())
            .unwrap_or_else(|| format!("formats: {}", Format::NAMES.join(", ")));
        Box::new(Diagnostic::new(Code::BadTemplate, text.inner(), message).help(help))
    })?;
    Ok(Spanned::new(format, text.inner()))
}

/// Splits outside of quotes and parentheses.
fn split(text: &Text, at: char) -> Vec<Text> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0_usize, false);
    for (position, c) in text.as_str().char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            c if c == at && !quoted && depth == 0 => {
                parts.push(text.part(start, position));
                start = position + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text.part(start, text.value.len()));
    parts
}

/// How long the field at the start of `rest` is, braces included.
pub(super) fn length(rest: &str) -> Option<usize> {
    let mut quoted = false;
    for (position, c) in rest.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '}' if !quoted => return Some(position + 1),
            '{' if position > 0 && !quoted => return None,
            _ => {}
        }
    }
    None
}
