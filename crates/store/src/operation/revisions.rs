//! Operations on repositories.

use super::AnyOperation;
use crate::operation::{At, Commit, Parent};
use crate::wire;
use monotable_item::Item;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// New revisions of several repositories, all or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitAll {
    /// The commits, one for each repository.
    #[serde(rename = "commit_all")]
    pub commits: Vec<Commit>,
}

/// The revisions of a repository, the newest first. The row of its head comes along as `followed`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Log {
    /// The repository.
    #[serde(rename = "log")]
    pub repository: String,
    /// Which one of those that the model's repository stands for: the attributes of its head's key.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// The most rows of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Where the page begins: the cursor of the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The oldest first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub oldest_first: bool,
}

/// The rows of a revision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// The repository.
    #[serde(rename = "show")]
    pub repository: String,
    /// The attributes of its head's key.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// Which revision.
    #[serde(default)]
    pub at: At,
    /// Also what has a tombstone.
    #[serde(default, skip_serializing_if = "is_false")]
    pub with_tombstones: bool,
    /// Only what a relation leads to from the row with this id, in its order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
}

/// What two revisions differ in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diff {
    /// The repository.
    #[serde(rename = "diff")]
    pub repository: String,
    /// The attributes of its head's key.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// The one revision.
    pub from: At,
    /// The other.
    #[serde(default)]
    pub to: At,
}

/// The head moved back, or to any other revision. Nothing else changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rollback {
    /// The repository.
    #[serde(rename = "rollback")]
    pub repository: String,
    /// The attributes of its head's key.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// Where to.
    pub to: String,
    /// What the head must be before; whatever it is if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// A new revision with the rows of an old one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RevertObject", into = "RevertObject")]
pub struct Revert {
    /// The repository.
    pub repository: String,
    /// The attributes of its head's key.
    pub key: Item,
    /// The old revision.
    pub to: At,
    /// What the new one says.
    pub values: Item,
    /// What it follows.
    pub parent: Parent,
}

/// A carry that the model declares: rows of one repository's head committed to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carry {
    /// The carry.
    #[serde(rename = "carry")]
    pub name: String,
    /// The attributes of the key of the head that the rows come from.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// What the new revision says, beside what the carry sets.
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    pub values: Item,
}

/// What commits left that never finished, deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The repository.
    #[serde(rename = "sweep")]
    pub repository: String,
    /// Attributes of its head's key; some may be left out.
    #[serde(with = "wire::item")]
    pub key: Item,
    /// Only commits that began so many seconds ago: one that is under way would be undone.
    #[serde(with = "wire::seconds")]
    pub older_than: Duration,
}

/// Everything of an owner deleted: all partitions that the model's isolation gives to this caller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purge {
    /// Attributes of the model's principal.
    #[serde(rename = "purge", with = "wire::item")]
    pub owner: Item,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A commit as JSON. Its parent is a revision, null for the first commit, or `rebase`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommitObject {
    commit: String,
    #[serde(with = "wire::item")]
    key: Item,
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    values: Item,
    #[serde(
        default,
        deserialize_with = "wire::read_nullable",
        skip_serializing_if = "Option::is_none"
    )]
    parent: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rebase: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changes: Vec<AnyOperation>,
}

/// A revert as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RevertObject {
    revert: String,
    #[serde(with = "wire::item")]
    key: Item,
    to: At,
    #[serde(default, with = "wire::item", skip_serializing_if = "Item::is_empty")]
    values: Item,
    #[serde(
        default,
        deserialize_with = "wire::read_nullable",
        skip_serializing_if = "Option::is_none"
    )]
    parent: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rebase: Option<String>,
}

/// What a revision follows, of its two members.
fn read_parent(
    parent: Option<Option<String>>,
    rebase: Option<String>,
) -> Result<Parent, &'static str> {
    match (parent, rebase) {
        (None, None) => Ok(Parent::Head),
        (Some(None), None) => Ok(Parent::None),
        (Some(Some(revision)), None) => Ok(Parent::Is(revision)),
        (None, Some(revision)) => Ok(Parent::Rebased(revision)),
        (Some(_), Some(_)) => Err("`parent` and `rebase` cannot both be given"),
    }
}

fn write_parent(parent: Parent) -> (Option<Option<String>>, Option<String>) {
    match parent {
        Parent::Head => (None, None),
        Parent::None => (Some(None), None),
        Parent::Is(revision) => (Some(Some(revision)), None),
        Parent::Rebased(revision) => (None, Some(revision)),
    }
}

impl TryFrom<CommitObject> for Commit {
    type Error = &'static str;

    fn try_from(object: CommitObject) -> Result<Self, &'static str> {
        Ok(Self {
            repository: object.commit,
            key: object.key,
            values: object.values,
            parent: read_parent(object.parent, object.rebase)?,
            changes: object.changes,
        })
    }
}

impl From<Commit> for CommitObject {
    fn from(commit: Commit) -> Self {
        let (parent, rebase) = write_parent(commit.parent);
        Self {
            commit: commit.repository,
            key: commit.key,
            values: commit.values,
            parent,
            rebase,
            changes: commit.changes,
        }
    }
}

impl TryFrom<RevertObject> for Revert {
    type Error = &'static str;

    fn try_from(object: RevertObject) -> Result<Self, &'static str> {
        Ok(Self {
            repository: object.revert,
            key: object.key,
            to: object.to,
            values: object.values,
            parent: read_parent(object.parent, object.rebase)?,
        })
    }
}

impl From<Revert> for RevertObject {
    fn from(revert: Revert) -> Self {
        let (parent, rebase) = write_parent(revert.parent);
        Self {
            revert: revert.repository,
            key: revert.key,
            to: revert.to,
            values: revert.values,
            parent,
            rebase,
        }
    }
}
