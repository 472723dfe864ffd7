//! Texts with wildcards and variables.
//!
//! `*` stands for any characters and `?` for one. `${aws:username}` stands for a value of the request, which is text even
//! if it has a `*` in it; `${*}`, `${?}` and `${$}` are the characters themselves. `${key, 'text'}` has a default.

mod glob;
mod variable;

use crate::error::PolicyError;
use crate::json::Place;
use crate::key::{ConditionKey, Context};
pub(crate) use glob::Piece;
pub(crate) use variable::Variable;
use variable::parse_variable;

/// A text with wildcards and variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    source: String,
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Piece(Piece),
    Variable(Variable),
}

/// Whether case matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Matters,
    Ignored,
}

impl Pattern {
    /// A pattern in which `*` and `?` are wildcards.
    pub(crate) fn parse(place: &Place<'_>, text: &str) -> Result<Self, PolicyError> {
        Self::parse_with(place, text, |c| match c {
            '*' => Piece::Many,
            '?' => Piece::One,
            c => Piece::Char(c),
        })
    }

    /// A pattern without wildcards: `*` and `?` are themselves.
    pub(crate) fn parse_literal(place: &Place<'_>, text: &str) -> Result<Self, PolicyError> {
        Self::parse_with(place, text, Piece::Char)
    }

    fn parse_with(
        place: &Place<'_>,
        text: &str,
        piece: impl Fn(char) -> Piece,
    ) -> Result<Self, PolicyError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(inside) = rest.strip_prefix("${") {
                let (name, after) = inside
                    .split_once('}')
                    .ok_or_else(|| place.refuse("`${` without its `}`: write ${$} for a `$`"))?;
                parts.push(match name {
                    "*" | "?" | "$" => name
                        .chars()
                        .next()
                        .map_or(Part::Piece(Piece::Many), |c| Part::Piece(Piece::Char(c))),
                    _ => Part::Variable(parse_variable(place, name)?),
                });
                rest = after;
                continue;
            }
            parts.push(Part::Piece(piece(first)));
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
        let source = text.to_owned();
        Ok(Self { source, parts })
    }

    /// The pattern as it is written.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// The variables without a default.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &ConditionKey> {
        self.parts.iter().filter_map(|part| match part {
            Part::Variable(variable) => variable.required(),
            Part::Piece(_) => None,
        })
    }

    /// The pattern with the values of a request in it; none if a variable has no value there.
    pub(crate) fn resolve(&self, context: &Context<'_>) -> Option<Vec<Piece>> {
        let mut pieces = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match part {
                Part::Piece(piece) => pieces.push(*piece),
                Part::Variable(variable) => {
                    pieces.extend(variable.value(context)?.chars().map(Piece::Char));
                }
            }
        }
        Some(pieces)
    }

    /// Whether a text, in any case, is one of those that a pattern without variables stands for.
    pub(crate) fn matches_without_variables(&self, text: &str) -> bool {
        let pieces: Option<Vec<_>> = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Piece(piece) => Some(*piece),
                Part::Variable(_) => None,
            })
            .collect();
        pieces.is_some_and(|pieces| glob::matches(&pieces, text, Case::Ignored))
    }

    /// Whether a text is one of those that the pattern stands for.
    pub(crate) fn matches(&self, text: &str, case: Case, context: &Context<'_>) -> bool {
        let pieces = self.resolve(context);
        pieces.is_some_and(|pieces| glob::matches(&pieces, text, case))
    }
}

/// Whether an ARN is one of those that a pattern stands for. The six parts of an ARN are compared each by itself, so that
/// a `*` for the region does not reach into the name of a table.
pub(crate) fn matches_arn(pattern: &Pattern, arn: &str, context: &Context<'_>) -> bool {
    if pattern.source == "*" {
        return true;
    }
    let Some(pieces) = pattern.resolve(context) else {
        return false;
    };
    let parts = pieces.splitn(ARN_PARTS, |piece| *piece == Piece::Char(':'));
    let texts = arn.splitn(ARN_PARTS, ':');
    let (parts, texts): (Vec<_>, Vec<_>) = (parts.collect(), texts.collect());
    parts.len() == texts.len()
        && parts
            .iter()
            .zip(texts)
            .all(|(part, text)| glob::matches(part, text, Case::Matters))
}

/// `arn:partition:service:region:account:resource`
pub(crate) const ARN_PARTS: usize = 6;

/// A pattern of ARNs, or `*`.
pub(crate) fn parse_arn(place: &Place<'_>, text: &str) -> Result<Pattern, PolicyError> {
    let pattern = Pattern::parse(place, text)?;
    let colons = pattern
        .parts
        .iter()
        .filter(|part| **part == Part::Piece(Piece::Char(':')));
    if text != "*" && (!text.starts_with("arn:") || colons.count() + 1 < ARN_PARTS) {
        return Err(place.refuse(format!(
            "{text:?} is no ARN: write \"*\", or all six parts as in arn:aws:dynamodb:*:*:table/NAME"
        )));
    }
    Ok(pattern)
}
