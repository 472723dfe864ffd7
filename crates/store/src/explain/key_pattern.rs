//! Texts of keys, taken apart by the templates that made them.

use monotable_model::model::{Part, Template};

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fragment {
    /// What the template says.
    Literal(String),
    /// What a value was shown as.
    Value { field: String, text: String },
}

/// The literals and fields of a template.
#[derive(Clone, Debug)]
pub(super) struct KeyPattern(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Literal(String),
    Field(String),
}

impl KeyPattern {
    /// A template that has literals; others say nothing about a text.
    pub(super) fn new(template: &Template) -> Option<Self> {
        let pieces: Vec<Piece> = template
            .parts
            .iter()
            .map(|part| match part {
                Part::Literal(literal) => Piece::Literal(literal.value.clone()),
                Part::Field(field) => Piece::Field(field.name()),
            })
            .collect();
        let has_literal = pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Literal(_)));
        has_literal.then_some(Self(pieces))
    }

    /// The fragments of a text that this template, or a beginning of it, makes. None if it does not make the text.
    pub(super) fn split(&self, text: &str) -> Option<Vec<Fragment>> {
        let mut fragments = Vec::new();
        let fits = split_at(&self.0, text, &mut fragments);
        let has_literal = fragments
            .iter()
            .any(|fragment| matches!(fragment, Fragment::Literal(_)));
        (fits && has_literal).then_some(fragments)
    }
}

/// Tries the pieces one after the other; a value ends where the literal behind it begins, the first that fits.
fn split_at(pieces: &[Piece], text: &str, fragments: &mut Vec<Fragment>) -> bool {
    if text.is_empty() {
        return true;
    }
    match pieces {
        [] => false,
        [Piece::Literal(literal), rest @ ..] => {
            let Some(behind) = text.strip_prefix(literal.as_str()) else {
                return false;
            };
            fragments.push(Fragment::Literal(literal.clone()));
            if split_at(rest, behind, fragments) {
                return true;
            }
            fragments.pop();
            false
        }
        [Piece::Field(field), rest @ ..] => {
            let ends = match rest.first() {
                Some(Piece::Literal(literal)) => {
                    let found = text.match_indices(literal.as_str());
                    let found = found.map(|(at, _)| at);
                    found.chain([text.len()]).collect()
                }
                Some(Piece::Field(_)) | None => vec![text.len()],
            };
            for end in ends {
                let Some((value, behind)) = text.split_at_checked(end) else {
                    continue;
                };
                let before = fragments.len();
                fragments.push(Fragment::Value {
                    field: field.clone(),
                    text: value.to_owned(),
                });
                if split_at(rest, behind, fragments) {
                    return true;
                }
                fragments.truncate(before);
            }
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(pieces: &[&str]) -> KeyPattern {
        let piece = |text: &&str| match text.strip_prefix('$') {
            Some(field) => Piece::Field(field.to_owned()),
            None => Piece::Literal((*text).to_owned()),
        };
        KeyPattern(pieces.iter().map(piece).collect())
    }

    fn values(pattern: &KeyPattern, text: &str) -> Option<Vec<String>> {
        let fragments = pattern.split(text)?;
        let values = fragments.into_iter().filter_map(|fragment| match fragment {
            Fragment::Value { text, .. } => Some(text),
            Fragment::Literal(_) => None,
        });
        Some(values.collect())
    }

    #[test]
    fn a_key_has_the_values_of_its_template() {
        let child = pattern(&["PERSON#", "$ParentId", "#CHILD#", "$ChildId"]);
        assert_eq!(values(&child, "PERSON#p1#CHILD#p2").unwrap(), ["p1", "p2"]);
        assert_eq!(values(&child, "TREE#p1"), None);
    }

    #[test]
    fn a_beginning_of_a_key_is_recognised() {
        let child = pattern(&["PERSON#", "$ParentId", "#CHILD#", "$ChildId"]);
        assert_eq!(values(&child, "PERSON#p1#CHILD#").unwrap(), ["p1"]);
        assert_eq!(values(&child, "PERSON#").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_literal_inside_a_value_does_not_end_the_search() {
        let pair = pattern(&["A#", "$a", "#X"]);
        assert_eq!(values(&pair, "A#1#X#X").unwrap(), ["1#X"]);
    }
}
