//! The mechanisms: how rows come to be, move, and are allowed.

use super::{
    AccessId, Assignment, Attribute, Each, EntityId, Notes, PathId, Predicate, RepositoryId,
    Template, Writes,
};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

/// How tenants are kept apart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tenant {
    /// The tenant's id.
    pub attribute: Attribute,
    /// What stands before every partition key.
    pub prefix: Template,
    /// The tenant without a prefix.
    pub bare: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Which partitions a caller may touch.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Isolation {
    /// Partition keys, or how they begin.
    pub partitions: Vec<Template>,
    /// The policy variable that stands for the caller.
    pub iam: Option<String>,
    /// What a caller is told who touches another partition.
    pub message: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Versioned data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repository {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The row that names the current revision.
    pub head: EntityId,
    /// The head's reference to the log: the current revision.
    pub pointer: Name,
    /// One row for each revision.
    pub log: EntityId,
    /// The log's reference to itself: the revision that one follows.
    pub parent: Option<Name>,
    /// The rows of a snapshot.
    pub entities: Vec<EntityId>,
    /// Commits under way.
    pub intent: EntityId,
    /// The attribute that names the revision in the snapshot's partition key.
    pub revision: Name,
    /// The log's attribute that says how many rows the snapshot has.
    pub count: Option<Name>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Rows that are kept equal to what another row says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Derive {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The row they follow from.
    pub of: EntityId,
    /// Only if this holds.
    pub when: Option<Predicate>,
    /// One row for each; one row if empty.
    pub each: Vec<Each>,
    /// What they are.
    pub entity: EntityId,
    /// Their attributes; others are those of the same name.
    pub set: Vec<Assignment>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// A rule that needs other rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check {
    /// Its name, for the error.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The rows it is about.
    pub of: EntityId,
    /// On which writes.
    pub on: Writes,
    /// Only if this holds.
    pub when: Option<Predicate>,
    /// What must be.
    pub demand: CheckRule,
    /// Parameters of its pattern.
    pub set: Vec<Assignment>,
    /// What a caller is told whose write it refuses.
    pub message: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// What a check demands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CheckRule {
    /// That this holds.
    Must(Box<Predicate>),
    /// That a value is among those of a pattern.
    Among {
        /// The attribute.
        value: Name,
        /// The pattern.
        pattern: AccessId,
        /// The attribute of its rows.
        attribute: Name,
        /// No rows, no rule.
        allow_none: bool,
    },
    /// That a pattern finds nothing.
    Absent(AccessId),
}

/// Rights that rows give.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grant {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The rows it is about.
    pub of: Vec<EntityId>,
    /// The pattern that finds the rows that give rights.
    pub access: AccessId,
    /// Asked for each folder above, along this path.
    pub above: Option<PathId>,
    /// The attribute that lists the rights.
    pub allows: Template,
    /// The right that stands for every other.
    pub all: Option<String>,
    /// No rows, no restriction.
    pub allow_none: bool,
    /// Not asked if this holds.
    pub unless: Option<Predicate>,
    /// Parameters of the pattern.
    pub set: Vec<Assignment>,
    /// What a caller is told to whom no row gives the right.
    pub message: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Rows that come to stand elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Move {
    /// Its name, which is that of the operation.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The rows that move.
    pub of: EntityId,
    /// Where to.
    pub kind: MoveKind,
    /// What changes on the way.
    pub set: Vec<Assignment>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Where rows move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum MoveKind {
    /// They become rows of another entity.
    To {
        /// That entity.
        to: EntityId,
        /// What the rows become that go with them.
        rest: Option<EntityId>,
        /// The name of the way back.
        undo: Option<Name>,
        /// The name of the operation that deletes what was moved.
        purge: Option<Name>,
        /// Rows that are deleted on the way, and made again on the way back.
        removes: Vec<EntityId>,
    },
    /// Attributes of the key change.
    Changes {
        /// Which.
        changes: Vec<Name>,
        /// The patterns whose rows change with them.
        carries: Vec<AccessId>,
    },
}

/// A path string as a chain of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Path {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The entity with the path.
    pub of: EntityId,
    /// The attribute with the path.
    pub attribute: Name,
    /// What stands between segments.
    pub split: String,
    /// A segment that is not the last.
    pub folder: EntityId,
    /// The last segment.
    pub leaf: EntityId,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Rows of one head in a commit of another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Carry {
    /// Its name, which is that of the operation.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The rows.
    pub of: EntityId,
    /// Where they are read.
    pub from: RepositoryId,
    /// Where they are committed.
    pub to: RepositoryId,
    /// Only if this holds.
    pub when: Option<Predicate>,
    /// What changes on the way.
    pub set: Vec<Assignment>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Rows that say what happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Audit {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The rows that are watched.
    pub of: Vec<EntityId>,
    /// What is noted.
    pub on: Vec<AuditEvent>,
    /// What is written.
    pub entity: EntityId,
    /// Its attributes.
    pub set: Vec<Assignment>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// What an audit notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditEvent {
    /// A new row.
    Create,
    /// A row that was read.
    Read,
    /// A change.
    Update,
    /// A delete.
    Delete,
    /// Something that was forbidden.
    Denied,
    /// Something that failed.
    Failed,
}

/// Rows that keep what was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Archive {
    /// Its name.
    pub name: Name,
    /// What it is and which requirements it fulfils.
    pub notes: Notes,
    /// The rows that are kept.
    pub of: EntityId,
    /// Kept when one of these changes; `*` is any.
    pub changed: Vec<Name>,
    /// Kept when the row is deleted.
    pub deleted: bool,
    /// What is written.
    pub entity: EntityId,
    /// Its attributes; others are those of the same name.
    pub set: Vec<Assignment>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}
