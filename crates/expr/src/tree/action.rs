//! The actions of an update.

use super::DocumentPath;
use monotable_item::EncodedValue;

/// One change to an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// `SET path = value`.
    Set {
        /// What is set.
        path: DocumentPath,
        /// What it becomes.
        value: NewValue,
    },
    /// `REMOVE path`.
    Remove {
        /// What is removed.
        path: DocumentPath,
    },
    /// `ADD path value`.
    Add {
        /// The number or set that grows.
        path: DocumentPath,
        /// The number or set that is added.
        value: EncodedValue,
    },
    /// `DELETE path value`.
    Delete {
        /// The set that shrinks.
        path: DocumentPath,
        /// The elements that go.
        value: EncodedValue,
    },
}

impl Action {
    /// What the action changes.
    pub const fn path(&self) -> &DocumentPath {
        match self {
            Self::Set { path, .. }
            | Self::Remove { path }
            | Self::Add { path, .. }
            | Self::Delete { path, .. } => path,
        }
    }
}

/// The right side of a `SET`. Paths in it are read from the item as it was before the update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewValue {
    /// A value of the item.
    Path(DocumentPath),
    /// A value of the request.
    Value(EncodedValue),
    /// `if_not_exists(path, value)`.
    IfNotExists(DocumentPath, Box<NewValue>),
    /// `list_append(first, second)`.
    ListAppend(Box<NewValue>, Box<NewValue>),
    /// `left + right`.
    Sum(Box<NewValue>, Box<NewValue>),
    /// `left - right`.
    Difference(Box<NewValue>, Box<NewValue>),
}

impl NewValue {
    /// Calls `visit` with every document path that the value reads, from left to right.
    pub fn for_each_path<'a>(&'a self, visit: &mut impl FnMut(&'a DocumentPath)) {
        match self {
            Self::Path(path) => visit(path),
            Self::Value(_) => {}
            Self::IfNotExists(path, value) => {
                visit(path);
                value.for_each_path(visit);
            }
            Self::ListAppend(first, second)
            | Self::Sum(first, second)
            | Self::Difference(first, second) => {
                first.for_each_path(visit);
                second.for_each_path(visit);
            }
        }
    }
}
