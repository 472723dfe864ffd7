//! The type of an attribute: `text(1..100)?`, `A | B`, `[-> Role]`, `-> Tree?`.

use super::template::{Template, TemplateKind};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::Text;
use crate::span::{Name, Span, Spanned};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub(crate) struct TypeExpression {
    pub(crate) kind: TypeKind,
    pub(crate) optional: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum TypeKind {
    Base {
        name: Name,
        parameter: Option<Spanned<Parameter>>,
    },
    Enum(Vec<EnumWord>),
    List {
        of: Box<TypeExpression>,
        length: Option<Spanned<Bounds>>,
    },
    Reference(Name),
    Computed(Template),
}

/// A word of an enum: the first spelling is written, all are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnumWord {
    /// What is written.
    pub word: String,
    /// What else is read.
    pub aliases: Vec<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    Bounds(Bounds),
    Count(usize),
    Word(String),
}

/// `1..100`, `0..`, `..5`: both ends belong to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The least.
    pub least: Option<i64>,
    /// The most.
    pub most: Option<i64>,
}

/// Lists in lists are not deeper than this.
const MAX_DEPTH: usize = 8;

impl TypeExpression {
    pub(crate) fn parse(text: &Text, findings: &mut Findings) -> Option<Self> {
        parse(text, 0, findings)
    }
}

fn parse(text: &Text, depth: usize, findings: &mut Findings) -> Option<TypeExpression> {
    let text = text.trimmed();
    if depth > MAX_DEPTH {
        return fail(&text, "lists are nested too deep", findings);
    }
    if let Some(template) = text.as_str().strip_prefix('=') {
        let start = text.value.len() - template.trim_start().len();
        let template = text.part(start, text.value.len());
        let template = Template::parse(&template, TemplateKind::Value, findings)?;
        return Some(TypeExpression {
            kind: TypeKind::Computed(template),
            optional: false,
        });
    }
    let (body, optional) = match text.as_str().strip_suffix('?') {
        Some(body) => (text.part(0, body.len()).trimmed(), true),
        None => (text.clone(), false),
    };
    let kind = kind(&body, depth, findings)?;
    Some(TypeExpression { kind, optional })
}

fn kind(text: &Text, depth: usize, findings: &mut Findings) -> Option<TypeKind> {
    let value = text.as_str();
    if let Some(entity) = value.strip_prefix("->") {
        let start = value.len() - entity.trim_start().len();
        let name = text.part(start, value.len()).trimmed();
        return if is_name(name.as_str()) {
            Some(TypeKind::Reference(name.name()))
        } else {
            fail(text, "a reference is `-> Entity`", findings)
        };
    }
    if value.starts_with('[') {
        return list(text, depth, findings);
    }
    if let Some(word) = value
        .strip_prefix('\'')
        .and_then(|word| word.strip_suffix('\''))
    {
        let word = text.part(1, 1 + word.len());
        return Some(TypeKind::Enum(vec![enum_word(&word, findings)?]));
    }
    if value.contains('|') {
        return words(text, findings);
    }
    base(text, findings)
}

fn list(text: &Text, depth: usize, findings: &mut Findings) -> Option<TypeKind> {
    let value = text.as_str();
    let Some(close) = value.rfind(']') else {
        return fail(text, "a list ends with `]`", findings);
    };
    let of = parse(&text.part(1, close), depth + 1, findings)?;
    let rest = text.part(close + 1, value.len()).trimmed();
    let length = match rest
        .as_str()
        .strip_prefix('(')
        .map(|inner| inner.strip_suffix(')'))
    {
        Some(Some(inner)) => {
            let inner = rest.part(1, 1 + inner.len());
            let Some(bounds) = bounds(inner.as_str()) else {
                return fail(
                    &inner,
                    "the length of a list is a range, as in `[text](1..10)`",
                    findings,
                );
            };
            Some(Spanned::new(bounds, inner.inner()))
        }
        None if rest.value.is_empty() => None,
        Some(None) | None => {
            return fail(
                &rest,
                "after a list only its length and `?` may follow",
                findings,
            );
        }
    };
    Some(TypeKind::List {
        of: Box::new(of),
        length,
    })
}

fn words(text: &Text, findings: &mut Findings) -> Option<TypeKind> {
    let mut words = Vec::new();
    let mut start = 0;
    for piece in text.as_str().split('|') {
        let end = start + piece.len();
        words.push(enum_word(&text.part(start, end).trimmed(), findings)?);
        start = end + 1;
    }
    Some(TypeKind::Enum(words))
}

fn enum_word(text: &Text, findings: &mut Findings) -> Option<EnumWord> {
    let sound = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "_-.:+".contains(c))
    };
    let mut spellings = text.as_str().split('/').map(str::to_owned);
    let word = spellings.next().unwrap_or_default();
    let aliases: Vec<_> = spellings.collect();
    if !sound(&word) || !aliases.iter().all(|alias| sound(alias)) {
        let message =
            "a word of an enum has letters, digits and `_-.:+`; `A/B` writes A and reads both";
        return fail(text, message, findings);
    }
    Some(EnumWord {
        word,
        aliases,
        span: text.inner(),
    })
}

fn base(text: &Text, findings: &mut Findings) -> Option<TypeKind> {
    let value = text.as_str();
    let (name, parameter) = match value.split_once('(') {
        Some((name, rest)) => {
            let Some(inner) = rest.strip_suffix(')') else {
                return fail(text, "a `(` without its `)`", findings);
            };
            let start = name.len() + 1;
            (name, Some(text.part(start, start + inner.len())))
        }
        None => (value, None),
    };
    let name = text.part(0, name.len()).trimmed();
    if !is_name(name.as_str()) {
        let message = "a type is `text`, `A | B`, `[type]`, `-> Entity` or `= template`; clauses follow after commas";
        return fail(text, message, findings);
    }
    let parameter = match parameter {
        Some(inner) => Some(Spanned::new(parameter_of(&inner, findings)?, inner.inner())),
        None => None,
    };
    Some(TypeKind::Base {
        name: name.name(),
        parameter,
    })
}

fn parameter_of(text: &Text, findings: &mut Findings) -> Option<Parameter> {
    let value = text.as_str().trim();
    if let Some(bounds) = bounds(value) {
        return Some(Parameter::Bounds(bounds));
    }
    if let Ok(count) = value.parse() {
        return Some(Parameter::Count(count));
    }
    if is_name(value) {
        Some(Parameter::Word(value.to_owned()))
    } else {
        fail(
            text,
            "a parameter is a range (`1..100`), a number or a word",
            findings,
        )
    }
}

fn bounds(text: &str) -> Option<Bounds> {
    let (least, most) = text.split_once("..")?;
    let end = |text: &str| match text.trim() {
        "" => Some(None),
        number => number.parse().ok().map(Some),
    };
    let bounds = Bounds {
        least: end(least)?,
        most: end(most)?,
    };
    let reversed = matches!((bounds.least, bounds.most), (Some(least), Some(most)) if least > most);
    (!reversed).then_some(bounds)
}

pub(crate) fn is_name(text: &str) -> bool {
    let mut characters = text.chars();
    characters
        .next()
        .is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
}

fn fail<T>(text: &Text, message: &str, findings: &mut Findings) -> Option<T> {
    findings.push(Diagnostic::new(Code::BadAttribute, text.inner(), message));
    None
}
