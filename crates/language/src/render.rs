//! From values to text.

use super::pattern::{Assignment, Part, Pattern};

/// The text of a pattern. Variables without value and free parts render as nothing.
#[must_use]
pub fn render(pattern: &Pattern, assignment: &Assignment) -> String {
    pattern
        .parts()
        .iter()
        .map(|part| text_of(part, assignment))
        .collect()
}

fn text_of<'a>(part: &'a Part, assignment: &'a Assignment) -> &'a str {
    match part {
        Part::Literal(text) => text,
        Part::Variable { id, .. } => assignment.get(id).map_or("", String::as_str),
        Part::Free(_) => "",
    }
}
