//! What a SELECT returns of an item.

use super::error::{StatementError, StatementProblem};
use crate::check::tree_of;
use crate::tree::{DocumentPath, PathStep};
use monotable_item::{EncodedItem, ItemBuilder, ItemView};
use std::collections::HashSet;

/// Columns: document paths, each returned under its last name. `a.b[2]` is the column `b[2]`.
#[derive(Clone, Debug)]
pub struct Columns {
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    path: DocumentPath,
}

impl Columns {
    /// The columns of these paths, of which no two may have one name.
    pub(super) fn new(paths: Vec<DocumentPath>) -> Result<Self, StatementError> {
        let mut names = HashSet::new();
        let columns: Vec<_> = paths
            .into_iter()
            .map(|path| Column {
                name: last_name(&path),
                path,
            })
            .collect();
        for column in &columns {
            if !names.insert(&column.name) {
                let name = column.name.clone();
                return Err(StatementProblem::DuplicateColumn(name).into());
            }
        }
        tree_of(
            &columns
                .iter()
                .map(|column| &column.path)
                .collect::<Vec<_>>(),
        )?;
        Ok(Self { columns })
    }

    /// The columns of an item; those that it does not have are left out.
    pub fn project(&self, item: ItemView<'_>) -> EncodedItem {
        let mut builder = ItemBuilder::new();
        for column in &self.columns {
            if let Some(value) = column.path.resolve(item) {
                builder.push(&column.name, value);
            }
        }
        builder.finish()
    }

    /// The document paths, as written.
    pub fn paths(&self) -> impl Iterator<Item = &DocumentPath> {
        self.columns.iter().map(|column| &column.path)
    }
}

/// The last name of a path with the indexes after it.
fn last_name(path: &DocumentPath) -> String {
    let mut name = path.attribute().to_owned();
    for step in path.steps() {
        match step {
            PathStep::Name(inner) => name.clone_from(inner),
            PathStep::Index(index) => name.push_str(&format!("[{index}]")),
        }
    }
    name
}
