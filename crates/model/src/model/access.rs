//! How data is read.

use super::{
    Accept, AccessId, Assignment, EntityId, Key, Kind, Mode, Notes, PathId, Predicate,
    RepositoryId, TableId,
};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

/// An access pattern.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Access {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// How it reaches its rows.
    pub way: Way,
    /// The entities it returns.
    pub returns: Vec<EntityId>,
    /// Entities it meets and leaves out.
    pub drops: Vec<EntityId>,
    /// There is at most one row; a second is an error.
    pub one: bool,
    /// The usual direction.
    pub order: Order,
    /// The most rows of a page.
    pub limit: Option<usize>,
    /// Whether it sees every write that was acknowledged.
    pub consistent: bool,
    /// Which rows are kept, decided after they were read.
    pub filter: Option<Predicate>,
    /// The order of the rows, decided after they were read.
    pub sort: Vec<Name>,
    /// Rows that agree on these are one.
    pub distinct: Vec<Name>,
    /// The two ends of a relation are one pair, whatever their order.
    pub distinct_pairs: bool,
    /// References whose rows come along.
    pub follow: Vec<Name>,
    /// The attributes that are read; all if empty.
    pub only: Vec<Name>,
    /// Parameters that it gives to the patterns it is made of.
    pub set: Vec<Assignment>,
    /// It exists in this layout only.
    pub layout: Option<Name>,
    /// Findings that are accepted here.
    pub accepts: Vec<Accept>,
    /// What a caller gives.
    pub parameters: Vec<Parameter>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// How a pattern reaches its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Way {
    /// One row, by its whole primary key.
    Get {
        /// The table.
        table: TableId,
        /// The key.
        key: Box<Key>,
    },
    /// The rows of a partition of the table or of an index.
    Query {
        /// The table.
        table: TableId,
        /// The condition on its key.
        key: Box<Key>,
    },
    /// The row that a claim's guard names.
    Through {
        /// The entity.
        entity: EntityId,
        /// The position of its claim.
        claim: usize,
    },
    /// What several patterns return.
    Union(Vec<AccessId>),
    /// Each row of one pattern feeds the next.
    Steps(Vec<AccessId>),
    /// Again and again towards an end of a relation.
    Walk(Vec<Walk>),
    /// A path string, one row for each segment.
    Resolve(PathId),
    /// What differs between two revisions.
    Diff(RepositoryId),
    /// The row whose key another row holds.
    Pointer {
        /// The entity that holds it.
        entity: EntityId,
        /// The attributes that hold it.
        attributes: Vec<Name>,
    },
}

impl Way {
    /// The patterns that it is made of.
    #[must_use]
    pub fn parts(&self) -> &[AccessId] {
        match self {
            Self::Union(patterns) | Self::Steps(patterns) => patterns,
            Self::Get { .. }
            | Self::Query { .. }
            | Self::Through { .. }
            | Self::Walk(_)
            | Self::Resolve(_)
            | Self::Diff(_)
            | Self::Pointer { .. } => &[],
        }
    }
}

/// A step of a walk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Walk {
    /// The relation.
    pub entity: EntityId,
    /// The attribute it goes to.
    pub end: Name,
    /// Only rows that satisfy this.
    pub filter: Option<Predicate>,
}

/// The direction of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// By the sort key.
    #[default]
    Ascending,
    /// Against it.
    Descending,
}

/// What a caller of a pattern gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name: that of an attribute.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// How much of it: a value, one that may be left out, a beginning, a range.
    pub mode: Mode,
}
