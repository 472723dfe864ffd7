//! The graph of revisions, drawn as source control does.
//!
//! ```text
//! * r4
//! | * r3
//! | * r2
//! |/
//! * r1
//! ```

use std::collections::BTreeSet;

/// A revision in the graph.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    /// What stands beside it.
    pub(super) text: String,
}

/// Draws revisions, the newest first. Each has one parent at most, so lanes only ever join.
pub(super) fn draw(nodes: &[Node]) -> String {
    let ids: BTreeSet<&str> = nodes.iter().map(|node| node.id.as_str()).collect();
    let mut passed: BTreeSet<&str> = BTreeSet::new();
    // What each lane leads to.
    let mut lanes: Vec<&str> = Vec::new();
    let mut text = String::new();
    for node in nodes {
        let own = lanes.iter().position(|next| *next == node.id);
        let own = own.unwrap_or_else(|| {
            lanes.push(&node.id);
            lanes.len() - 1
        });
        text.push_str(&revision(own, lanes.len(), &node.text));
        passed.insert(&node.id);
        // A parent that is not shown, or was before, leads nowhere.
        let parent = node.parent.as_deref();
        let parent = parent.filter(|parent| ids.contains(parent) && !passed.contains(parent));
        match parent {
            None => {
                lanes.remove(own);
                text.push_str(&closed(own, lanes.len()));
            }
            Some(parent) => match lanes.iter().position(|next| *next == parent) {
                None => {
                    if let Some(lane) = lanes.get_mut(own) {
                        *lane = parent;
                    }
                }
                Some(other) => {
                    let (to, from) = (own.min(other), own.max(other));
                    text.push_str(&joined(from, to, lanes.len()));
                    lanes.remove(from);
                    if let Some(lane) = lanes.get_mut(to) {
                        *lane = parent;
                    }
                }
            },
        }
    }
    text
}

/// `| * text`.
fn revision(own: usize, lanes: usize, text: &str) -> String {
    let marks = (0..lanes).map(|lane| if lane == own { "* " } else { "| " });
    format!("{}{text}\n", marks.collect::<String>())
}

/// The lanes behind one that has ended move up.
fn closed(ended: usize, left: usize) -> String {
    if ended >= left {
        return String::new();
    }
    let standing = (0..ended).map(|lane| (2 * lane, '|'));
    row(standing.chain(moving(ended + 1, left + 1)))
}

/// A lane on its way to another further left, one column in each line; those behind it move up.
fn joined(from: usize, to: usize, lanes: usize) -> String {
    let mut lines = String::new();
    let standing = |count: usize| (0..count).map(|lane| (2 * lane, '|'));
    lines.push_str(&row(standing(from).chain(moving(from, lanes))));
    for column in (to + 1..from).rev() {
        let passing = (2 * column - 1, '/');
        lines.push_str(&row(standing(lanes - 1).chain([passing])));
    }
    lines
}

/// Lanes that move one column to the left.
fn moving(first: usize, end: usize) -> impl Iterator<Item = (usize, char)> {
    (first..end).map(|lane| ((2 * lane).saturating_sub(1), '/'))
}

/// A line with marks in columns.
fn row(marks: impl Iterator<Item = (usize, char)>) -> String {
    let mut marks: Vec<_> = marks.collect();
    marks.sort_unstable();
    let mut line = String::new();
    for (column, mark) in marks {
        while line.len() < column {
            line.push(' ');
        }
        line.push(mark);
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Revisions as `id parent`, the newest first.
    fn drawn(revisions: &[(&str, &str)]) -> String {
        let nodes = revisions.iter().map(|(id, parent)| Node {
            id: (*id).to_owned(),
            parent: (!parent.is_empty()).then(|| (*parent).to_owned()),
            text: (*id).to_owned(),
        });
        draw(&nodes.collect::<Vec<_>>())
    }

    #[test]
    fn a_line() {
        assert_eq!(drawn(&[]), "");
        assert_eq!(
            drawn(&[("3", "2"), ("2", "1"), ("1", "")]),
            "* 3\n* 2\n* 1\n"
        );
    }

    #[test]
    fn a_branch_after_a_rollback() {
        let text = drawn(&[("4", "1"), ("3", "2"), ("2", "1"), ("1", "")]);
        assert_eq!(text, "* 4\n| * 3\n| * 2\n|/\n* 1\n");
        let text = drawn(&[("5", "3"), ("4", "2"), ("3", "1"), ("2", "1"), ("1", "")]);
        assert_eq!(text, "* 5\n| * 4\n* | 3\n| * 2\n|/\n* 1\n");
    }

    #[test]
    fn the_left_lane_comes_to_the_branch_first() {
        let text = drawn(&[("5", "4"), ("3", "1"), ("4", "1"), ("1", "")]);
        assert_eq!(text, "* 5\n| * 3\n* | 4\n|/\n* 1\n");
    }

    #[test]
    fn three_branches() {
        let text = drawn(&[("4", "1"), ("3", "1"), ("2", "1"), ("1", "")]);
        assert_eq!(text, "* 4\n| * 3\n|/\n| * 2\n|/\n* 1\n");
        // One passes another on its way, which goes on.
        let text = drawn(&[("7", "2"), ("6", "3"), ("5", "2"), ("3", "2"), ("2", "")]);
        assert_eq!(text, "* 7\n| * 6\n| | * 5\n| |/\n|/|\n| * 3\n|/\n* 2\n");
    }

    #[test]
    fn lanes_behind_move_up() {
        let text = drawn(&[
            ("7", "1"),
            ("6", "4"),
            ("5", "2"),
            ("4", "1"),
            ("2", "1"),
            ("1", ""),
        ]);
        assert_eq!(text, "* 7\n| * 6\n| | * 5\n| * | 4\n|/ /\n| * 2\n|/\n* 1\n");
    }

    #[test]
    fn parents_that_are_not_there() {
        assert_eq!(
            drawn(&[("3", "lost"), ("2", "1"), ("1", "")]),
            "* 3\n* 2\n* 1\n"
        );
        let text = drawn(&[("4", "2"), ("3", "lost"), ("2", "")]);
        assert_eq!(text, "* 4\n| * 3\n* 2\n");
        // Two beginnings, and a clock that went backwards.
        let text = drawn(&[("4", "2"), ("3", "1"), ("2", ""), ("1", "")]);
        assert_eq!(text, "* 4\n| * 3\n* | 2\n /\n* 1\n");
        assert_eq!(drawn(&[("1", ""), ("2", "1")]), "* 1\n* 2\n");
        assert_eq!(drawn(&[("1", "1")]), "* 1\n");
    }
}
