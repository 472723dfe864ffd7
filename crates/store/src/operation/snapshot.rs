//! The rows of a revision, as callers see them.

use crate::row::Row;
use serde::Serialize;

/// The rows of a revision, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Snapshot {
    /// The revision.
    pub revision: String,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What relations of the revision lead to what, in their order.
    pub links: Vec<Link>,
}

/// One row that leads from one to another: positions in the rows of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The row of the relation.
    pub by: usize,
    /// Where it comes from.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
}

impl Snapshot {
    /// The rows that relations connect and none leads to: where a tree begins.
    #[must_use]
    pub fn roots(&self) -> Vec<usize> {
        let connects = |index: &usize| !self.links.iter().any(|link| link.by == *index);
        let above = |index: &usize| !self.links.iter().any(|link| link.to == *index);
        let rows = 0..self.rows.len();
        rows.filter(|index| connects(index) && above(index))
            .collect()
    }

    /// The rows that lie below one, in order.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        let links = self.links.iter().filter(move |link| link.from == of);
        links.map(|link| link.to)
    }
}
