//! The hierarchy of a snapshot, drawn.
//!
//! ```text
//! DRIVER d1 Health
//! ├── MILESTONE m1 Run 10 km
//! │   └── ACTION a1 Buy shoes
//! └── ACTION a2 Sleep
//! ```

use super::declared::Declared;
use super::label::marked;
use monotable_store::{Row, Snapshot};
use std::collections::BTreeSet;

/// What lies below what, by positions in the rows of a snapshot.
#[derive(Debug)]
pub(super) struct Tree {
    roots: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// Rows that no relation connects.
    loose: Vec<usize>,
}

/// A row where it stands in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) row: usize,
    /// How many rows lie above it.
    pub(super) depth: usize,
    /// What is drawn before it, and before what lies below it.
    before: String,
    below: String,
    /// What lies below it is shown elsewhere.
    pub(super) is_repeated: bool,
}

impl Tree {
    /// The tree of a snapshot.
    pub(super) fn of(declared: &Declared<'_>, shown: &Snapshot) -> Self {
        let connected = declared.connected();
        let can_connect = |row: &Row| {
            let entity = declared.model.entity_named(&row.entity);
            entity.is_some_and(|(id, _)| connected.contains(&id))
        };
        let links = shown.links.iter().map(|link| (link.from, link.to));
        let by: BTreeSet<usize> = shown.links.iter().map(|link| link.by).collect();
        let rows = shown.rows.iter().enumerate();
        let rows = rows.filter(|(position, _)| !by.contains(position));
        let (nodes, loose): (Vec<_>, Vec<_>) = rows.partition(|(_, row)| can_connect(row));
        let positions = |rows: Vec<(usize, &Row)>| -> Vec<usize> {
            rows.into_iter().map(|(row, _)| row).collect()
        };
        Self::new(shown.rows.len(), &positions(nodes), positions(loose), links)
    }

    fn new(
        count: usize,
        nodes: &[usize],
        loose: Vec<usize>,
        links: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        let mut children = vec![Vec::new(); count];
        let mut has_parent = BTreeSet::new();
        for (from, to) in links {
            if let Some(children) = children.get_mut(from) {
                children.push(to);
                has_parent.insert(to);
            }
        }
        let roots = nodes.iter().filter(|node| !has_parent.contains(node));
        let mut tree = Self {
            roots: roots.copied().collect(),
            children,
            loose,
        };
        tree.break_cycles(nodes);
        tree
    }

    /// Rows of a cycle that no root reaches: the first of them stands as a root.
    fn break_cycles(&mut self, nodes: &[usize]) {
        let mut reached: BTreeSet<usize> = self.stands().iter().map(|stand| stand.row).collect();
        for node in nodes {
            if reached.contains(node) {
                continue;
            }
            self.roots.push(*node);
            let mut open = vec![*node];
            while let Some(row) = open.pop() {
                if reached.insert(row) {
                    open.extend(self.children(row));
                }
            }
        }
    }

    /// Only one row and what lies below it.
    pub(super) fn below(self, root: usize) -> Self {
        Self {
            roots: vec![root],
            loose: Vec::new(),
            ..self
        }
    }

    fn children(&self, of: usize) -> &[usize] {
        self.children.get(of).map_or(&[], Vec::as_slice)
    }

    pub(super) fn loose(&self) -> &[usize] {
        &self.loose
    }

    /// Every row of the tree in the order of the drawing. What lies below a row comes the first time only.
    pub(super) fn stands(&self) -> Vec<Stand> {
        let mut drawn = Vec::new();
        let mut expanded = BTreeSet::new();
        let mut open: Vec<Stand> = self.roots.iter().rev().map(|row| root(*row)).collect();
        // Without recursion: old data may be deeper than a stack.
        while let Some(mut stand) = open.pop() {
            let children = self.children(stand.row);
            if expanded.insert(stand.row) {
                let last = children.len().saturating_sub(1);
                let below = children.iter().enumerate().rev();
                open.extend(below.map(|(place, row)| child(&stand, *row, place == last)));
            } else {
                stand.is_repeated = !children.is_empty();
            }
            drawn.push(stand);
        }
        drawn
    }

    /// The drawing, and below it the rows that nothing connects, by entity.
    pub(super) fn drawn(&self, declared: &Declared<'_>, rows: &[Row]) -> String {
        let mut text = draw(&self.stands(), |row| {
            rows.get(row)
                .map(|row| marked(declared, row))
                .unwrap_or_default()
        });
        for id in &declared.repository.entities {
            let name = &declared.model.entity(*id).name.value;
            let loose = self.loose.iter().filter_map(|row| rows.get(*row));
            let lines: Vec<_> = loose
                .filter(|row| row.entity == *name)
                .map(|row| format!("  {}\n", marked(declared, row)))
                .collect();
            if !lines.is_empty() {
                let gap = if text.is_empty() { "" } else { "\n" };
                text.push_str(&format!("{gap}{name}\n{}", lines.concat()));
            }
        }
        text
    }
}

fn draw(stands: &[Stand], label: impl Fn(usize) -> String) -> String {
    let lines = stands.iter().map(|stand| {
        let more = if stand.is_repeated { " …" } else { "" };
        format!("{}{}{more}\n", stand.before, label(stand.row))
    });
    lines.collect()
}

const fn root(row: usize) -> Stand {
    Stand {
        row,
        depth: 0,
        before: String::new(),
        below: String::new(),
        is_repeated: false,
    }
}

fn child(of: &Stand, row: usize, is_last: bool) -> Stand {
    let (branch, below) = if is_last {
        ("└── ", "    ")
    } else {
        ("├── ", "│   ")
    };
    Stand {
        row,
        depth: of.depth + 1,
        before: format!("{}{branch}", of.below),
        below: format!("{}{below}", of.below),
        is_repeated: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(count: usize, links: &[(usize, usize)]) -> String {
        let nodes: Vec<usize> = (0..count).collect();
        let tree = Tree::new(count, &nodes, Vec::new(), links.iter().copied());
        draw(&tree.stands(), |row| row.to_string())
    }

    #[test]
    fn branches_and_the_last_of_them() {
        let text = drawn(7, &[(0, 1), (1, 2), (1, 3), (0, 4), (4, 5)]);
        let expected = "\
0
├── 1
│   ├── 2
│   └── 3
└── 4
    └── 5
6
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_row_with_several_parents_is_under_each_and_expanded_once() {
        let text = drawn(5, &[(0, 2), (1, 2), (2, 3), (1, 3), (1, 4)]);
        assert_eq!(text, "0\n└── 2\n    └── 3\n1\n├── 2 …\n├── 3\n└── 4\n");
    }

    #[test]
    fn a_cycle_ends() {
        assert_eq!(drawn(2, &[(0, 1), (1, 0)]), "0\n└── 1\n    └── 0 …\n");
        assert_eq!(drawn(1, &[(0, 0)]), "0\n└── 0 …\n");
        let text = drawn(4, &[(0, 1), (2, 3), (3, 2)]);
        assert_eq!(text, "0\n└── 1\n2\n└── 3\n    └── 2 …\n");
    }

    #[test]
    fn a_long_chain_does_not_overflow() {
        let links: Vec<_> = (0..3_000).map(|row| (row, row + 1)).collect();
        let text = drawn(3_001, &links);
        assert_eq!(text.lines().count(), 3_001);
    }

    #[test]
    fn only_what_lies_below() {
        let tree = Tree::new(3, &[0, 1], vec![2], [(0, 1)].into_iter());
        let stands = tree.below(1).stands();
        assert_eq!(draw(&stands, |row| row.to_string()), "1\n");
    }
}
