//! An attribute: `"-> Tree, on_delete = cascade, counted = PersonCount"`.

use super::clause::Clause;
use super::type_expression::TypeExpression;
use crate::diagnostic::Findings;
use crate::document::{Section, Text, Value};
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    /// A final `*` makes it a family of names.
    pub(crate) name: Name,
    pub(crate) type_expression: TypeExpression,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) span: Span,
}

impl Attribute {
    pub(crate) fn parse(name: Name, text: &Text, findings: &mut Findings) -> Option<Self> {
        let pieces = split(text);
        let (first, clauses) = pieces.split_first()?;
        let type_expression = TypeExpression::parse(first, findings);
        // All clauses are read, also if the type is wrong.
        let clauses: Vec<_> = clauses
            .iter()
            .filter_map(|clause| Clause::parse(clause, findings))
            .collect();
        Some(Self {
            name,
            type_expression: type_expression?,
            clauses,
            span: text.inner(),
        })
    }

    fn read(name: Name, value: Value<'_>, findings: &mut Findings) -> Option<Self> {
        let Some(text) = value.text() else {
            value.wrong_kind(
                &name.value,
                "the text of an attribute, such as \"text?\"",
                findings,
            );
            return None;
        };
        Self::parse(name, &text, findings)
    }
}

/// All keys of a section as attributes.
pub(crate) fn attributes(mut section: Section<'_>, findings: &mut Findings) -> Vec<Attribute> {
    section
        .take_rest()
        .into_iter()
        .filter_map(|(name, value)| Attribute::read(name, value, findings))
        .collect()
}

/// Splits at commas outside of quotes, brackets and, after `matches =`, slashes.
fn split(text: &Text) -> Vec<Text> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut open = Open::default();
    for (position, c) in text.as_str().char_indices() {
        let piece = text.as_str().get(start..position).unwrap_or_default();
        if c == ',' && open.is_closed() {
            pieces.push(text.part(start, position));
            start = position + 1;
        } else {
            open.read(c, piece);
        }
    }
    pieces.push(text.part(start, text.value.len()));
    pieces
}

#[derive(Default)]
struct Open {
    depth: usize,
    quoted: bool,
    in_regex: bool,
    escaped: bool,
}

impl Open {
    const fn is_closed(&self) -> bool {
        self.depth == 0 && !self.quoted && !self.in_regex
    }

    fn read(&mut self, c: char, before: &str) {
        if self.in_regex {
            self.in_regex = self.escaped || c != '/';
            self.escaped = !self.escaped && c == '\\';
            return;
        }
        match c {
            '\'' => self.quoted = !self.quoted,
            _ if self.quoted => {}
            '(' | '[' | '{' => self.depth += 1,
            ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
            '/' if before
                .trim()
                .strip_prefix("matches")
                .is_some_and(|rest| rest.trim() == "=") =>
            {
                self.in_regex = true;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let text = Text::plain(text.to_owned(), 0);
        split(&text)
            .iter()
            .map(|piece| piece.trimmed().value)
            .collect()
    }

    #[test]
    fn commas_split_only_outside() {
        assert_eq!(
            pieces("text, secret = mask(8,4), internal"),
            ["text", "secret = mask(8,4)", "internal"]
        );
        assert_eq!(
            pieces("text, matches = /[a,b]{1,2}/, movable"),
            ["text", "matches = /[a,b]{1,2}/", "movable"]
        );
        assert_eq!(
            pieces(r"text, matches = /a\/,b/, movable"),
            ["text", r"matches = /a\/,b/", "movable"]
        );
        assert_eq!(
            pieces("text, without = #/, movable"),
            ["text", "without = #/", "movable"]
        );
        assert_eq!(
            pieces("text, only if a IN ('x,y', 'z')"),
            ["text", "only if a IN ('x,y', 'z')"]
        );
        assert_eq!(
            pieces("= {a:join(,)}, key_only"),
            ["= {a:join(,)}", "key_only"]
        );
    }
}
