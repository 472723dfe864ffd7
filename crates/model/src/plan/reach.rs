//! The ways to the rows of a pattern.

use super::condition::KeyCondition;
use super::key_text::KeyText;
use super::route::{BackRoute, RowRoute};
use crate::model::{AccessId, Assignment, EntityId, PathId, Predicate, RepositoryId, TableId};
use serde::{Deserialize, Serialize};

/// How a pattern reaches its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Reach {
    /// One row, by its whole primary key.
    Get(GetStep),
    /// The rows of a partition, or of several.
    Query(QueryStep),
    /// The row that a guard leads to.
    Guard {
        /// The entity that the guard belongs to.
        entity: EntityId,
        /// The position of its claim.
        claim: usize,
    },
    /// What several patterns find, one after the other.
    Union(Composite),
    /// Each row of one pattern gives parameters to the next.
    Steps(Composite),
    /// From row to row along relations.
    Walk(WalkStep),
    /// A path, one row for each segment.
    Segments(SegmentStep),
    /// What differs between two revisions.
    Diff(DiffStep),
    /// The row whose whole key is given.
    Pointer(PointerStep),
}

/// One row by its primary key.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GetStep {
    /// The key.
    pub key: KeyCondition,
    /// Where rows of other layouts stand, asked one after the other until one is found.
    pub layouts: Vec<KeyText>,
    /// The attributes that are read; all if none.
    pub projection: Option<Vec<String>>,
}

/// The rows of partitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QueryStep {
    /// Partitions and sort keys.
    pub key: KeyCondition,
    /// The index holds a part of the items: they are read by their keys before anything is decided.
    pub hydrate: bool,
    /// The attributes that are read; all if none.
    pub projection: Option<Vec<String>>,
}

/// Patterns that a pattern is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Composite {
    /// The patterns.
    pub parts: Vec<AccessId>,
    /// Parameters that they are given beside the caller's and, in steps, what the row before says.
    pub set: Vec<Assignment>,
}

/// A walk: the row it begins with, then all that it leads to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WalkStep {
    /// The entity of the row it begins with, which is named by its key.
    pub start: EntityId,
    /// Where it goes from each row.
    pub links: Vec<Link>,
}

/// A step of a walk, by a row that links two others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Link {
    /// How linking rows are found from the row that the walk is at.
    pub back: BackRoute,
    /// Only rows that satisfy this are followed.
    pub filter: Option<Predicate>,
    /// The attribute that names the next row.
    pub end: String,
    /// The next row.
    pub next: RowRoute,
}

/// A path string, followed from the root.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SegmentStep {
    /// The path tree.
    pub path: PathId,
    /// The parameter with the path.
    pub parameter: String,
    /// What stands between segments.
    pub split: String,
    /// A segment that is not the last, or the last if it names a folder.
    pub folder: SegmentKey,
    /// The last segment.
    pub leaf: SegmentKey,
    /// The attribute of a folder that its children are found by.
    pub id: Option<String>,
}

/// The key of the row of a segment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SegmentKey {
    /// What it is.
    pub entity: EntityId,
    /// Its key.
    pub key: KeyText,
    /// Attributes that show the folder; absent in the root.
    pub parent: Vec<String>,
    /// Attributes that show the segment.
    pub segment: Vec<String>,
}

/// Two snapshots of a repository, and their rows of the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DiffStep {
    /// The repository.
    pub repository: RepositoryId,
    /// The partition of a snapshot.
    pub snapshot: KeyText,
    /// The attribute that names the revision there.
    pub revision: String,
    /// The key of a revision's row of the log.
    pub log: KeyText,
    /// The attribute that names the revision there.
    pub log_id: String,
}

/// The row whose whole key another row holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PointerStep {
    /// The table that it is looked for in.
    pub table: TableId,
    /// `TableName`.
    pub table_name: String,
    /// The attributes of the table's key.
    pub key: Vec<String>,
    /// The parameters that hold the key: that of the partition, and that of the order in it.
    pub parameters: Vec<String>,
    /// Rows that are looked for there may be for all tenants.
    pub may_be_shared: bool,
}
