//! The lines that a change of a text takes away and adds.

use super::toml;
use crate::context::OpenModel;
use maud::{Markup, html};

/// Two texts, from the first line that differs to the last one.
struct Difference<'t> {
    /// The number of the first line that differs.
    first: usize,
    removed: Vec<&'t str>,
    added: Vec<&'t str>,
}

impl<'t> Difference<'t> {
    fn new(before: &'t str, after: &'t str) -> Self {
        let (before, after): (Vec<&str>, Vec<&str>) =
            (before.lines().collect(), after.lines().collect());
        let pairs = before.iter().zip(&after);
        let same = pairs.take_while(|(left, right)| left == right).count();
        let (removed, added) = (
            before.get(same..).unwrap_or_default(),
            after.get(same..).unwrap_or_default(),
        );
        let ends = removed.iter().rev().zip(added.iter().rev());
        let alike = ends.take_while(|(left, right)| left == right).count();
        let cut = |lines: &[&'t str]| {
            let kept = lines.len() - alike;
            lines.get(..kept).unwrap_or_default().to_vec()
        };
        Self {
            first: same + 1,
            removed: cut(removed),
            added: cut(added),
        }
    }
}

/// What a change of the text of a model changes.
pub(crate) fn draw_difference(open: &OpenModel, before: &str, after: &str) -> Markup {
    let difference = Difference::new(before, after);
    let groups = [
        ("gone", "−", "removed", &difference.removed),
        ("new", "+", "added", &difference.added),
    ];
    html! {
        div class="patch" role="group" tabindex="0" aria-label="What changes in the text" {
            @for (class, sign, word, lines) in groups {
                @for (position, line) in lines.iter().enumerate() {
                    div class={ "ln " (class) } {
                        span class="no" { (difference.first + position) " " span aria-label=(word) role="img" { (sign) } }
                        span class="tx" { (toml::line(open, line)) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_differ_are_shown() {
        let difference = Difference::new("a\nb\nc\n", "a\nB\nx\nc\n");
        assert_eq!(difference.first, 2);
        assert_eq!(difference.removed, ["b"]);
        assert_eq!(difference.added, ["B", "x"]);
    }

    #[test]
    fn a_line_more_of_the_same_is_one_line() {
        let difference = Difference::new("a\na\n", "a\na\na\n");
        assert!(difference.removed.is_empty());
        assert_eq!(difference.added, ["a"]);
    }
}
