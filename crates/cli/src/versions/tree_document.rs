//! The hierarchy of a snapshot as data.

use super::tree::Tree;
use crate::notation::{Notation, Shown};
use monotable_item::EncodedItem;
use serde::Serialize;

/// A revision and its rows, with the tree if it is asked for.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    revision: &'a str,
    rows: Vec<Shown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Vec<Branch<'a>>>,
}

/// A row and what lies below it.
#[derive(Serialize)]
pub(super) struct Branch<'a> {
    row: Shown<'a>,
    /// What lies below it is shown elsewhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Branch<'a>>,
}

impl<'a> Document<'a> {
    pub(super) fn new(
        revision: &'a str,
        rows: &'a [EncodedItem],
        tree: Option<Vec<Branch<'a>>>,
        notation: Notation,
    ) -> Self {
        let rows = rows.iter().map(|row| notation.show(row)).collect();
        Self {
            revision,
            rows,
            tree,
        }
    }
}

/// The roots with everything below them; rows that nothing connects are roots too.
pub(super) fn roots<'a>(
    tree: &Tree,
    rows: &'a [EncodedItem],
    notation: Notation,
) -> Vec<Branch<'a>> {
    let branch = |row: usize, repeated: bool| {
        rows.get(row).map(|row| Branch {
            row: notation.show(row),
            repeated,
            children: Vec::new(),
        })
    };
    // The branches from a root down to the row that was read last: one for each depth.
    let mut path: Vec<Branch<'a>> = Vec::new();
    let mut roots = Vec::new();
    for stand in tree.stands() {
        close(&mut path, &mut roots, stand.depth);
        path.extend(branch(stand.row, stand.is_repeated));
    }
    close(&mut path, &mut roots, 0);
    roots.extend(tree.loose().iter().filter_map(|row| branch(*row, false)));
    roots
}

/// Puts the branches from a depth on where they belong.
fn close<'a>(path: &mut Vec<Branch<'a>>, roots: &mut Vec<Branch<'a>>, depth: usize) {
    while path.len() > depth {
        let Some(done) = path.pop() else {
            return;
        };
        match path.last_mut() {
            Some(parent) => parent.children.push(done),
            None => roots.push(done),
        }
    }
}
