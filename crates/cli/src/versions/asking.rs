//! What the command line asks of a repository, beside its name and its key.

use super::change_set::ChangeSet;
use super::revision_words::at;
use super::short_forms::ShortForms;
use crate::exit::{Failure, note};
use crate::rows::Paging;
use clap::{Args, ValueHint};
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{At, Commit, Diff, Log, Parent, Revert, Rollback, Show, Sweep};
use std::path::PathBuf;
use std::time::Duration;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asking {
    /// What a commit changes.
    pub(crate) changes: ChangeSet,
    /// What a new revision follows.
    pub(crate) parent: Parent,
    /// Words that name revisions.
    pub(crate) revisions: Vec<String>,
    /// Also rows with a tombstone.
    pub(crate) has_tombstones: bool,
    /// Only what lies below this row.
    pub(crate) under: Option<String>,
    /// What the head must be before it is moved.
    pub(crate) from: Option<String>,
    /// How old intents are that are swept.
    pub(crate) older_than: Duration,
    pub(crate) oldest_first: bool,
    /// A tree of rows, or a graph of revisions.
    pub(crate) is_drawn: bool,
}

/// What a commit follows, and what it changes.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CommitArguments {
    /// Only if the head is this revision
    #[arg(long, value_name = "REV", conflicts_with_all = ["rebase", "first"])]
    pub(crate) parent: Option<String>,

    /// The changes were made for this revision; if others have committed since, they are made to what is there now,
    /// unless the same rows were changed
    #[arg(long, value_name = "REV", conflicts_with = "first")]
    pub(crate) rebase: Option<String>,

    /// Only if nothing was committed yet
    #[arg(long)]
    pub(crate) first: bool,

    /// Read changes from this file, one JSON object per line, or one array; - is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) changes: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) short: ShortForms,
}

impl CommitArguments {
    /// What the new revision follows.
    pub(crate) fn parent(&self) -> Parent {
        match (&self.parent, &self.rebase, self.first) {
            (Some(revision), ..) => Parent::Is(revision.clone()),
            (_, Some(revision), _) => Parent::Rebased(revision.clone()),
            (_, _, true) => Parent::None,
            (None, None, false) => Parent::Head,
        }
    }
}

impl Asking {
    /// The commits of a call; without a name of a repository only those of the lines.
    pub(crate) fn commits(
        &self,
        model: &Model,
        name: &str,
        key: Item,
        values: Item,
    ) -> Result<Vec<Commit>, Failure> {
        let named = match name {
            "" => {
                self.refuse_homeless(&values)?;
                None
            }
            name => {
                let mut commit = Commit::new(name, key).after(self.parent.clone());
                commit.values = values;
                if !self.changes.has_changes() {
                    note(format_args!(
                        "no changes: the rows of {name} stay as they are"
                    ));
                }
                Some(commit)
            }
        };
        let commits = self.changes.commits(model, named)?;
        if commits.is_empty() {
            return Err(Failure::usage("there is nothing to commit")
                .help("name a repository, or give lines with \"commit\""));
        }
        Ok(commits)
    }

    /// What is said of a revision must be said of one.
    fn refuse_homeless(&self, values: &Item) -> Result<(), Failure> {
        let option = match (&self.parent, values.is_empty()) {
            (_, false) => "--set",
            (Parent::Is(_), _) => "--parent",
            (Parent::Rebased(_), _) => "--rebase",
            (Parent::None, _) => "--first",
            (Parent::Head, true) => return Ok(()),
        };
        Err(Failure::usage(format_args!(
            "{option} needs the name of a repository"
        )))
    }

    pub(crate) fn log(&self, repository: String, key: Item, paging: &Paging) -> Log {
        Log {
            repository,
            key,
            limit: paging.limit,
            after: paging.cursor.clone(),
            oldest_first: self.oldest_first,
        }
    }

    /// A tree below a row needs more than the row's own children.
    pub(crate) fn show(&self, repository: String, key: Item) -> Result<Show, Failure> {
        let at = match self.revisions.as_slice() {
            [] => At::Head,
            [revision] => at(revision),
            _ => return Err(Failure::usage("one revision is shown")),
        };
        Ok(Show {
            repository,
            key,
            at,
            with_tombstones: self.has_tombstones,
            under: self.under.clone().filter(|_| !self.is_drawn),
        })
    }

    pub(crate) fn diff(&self, repository: String, key: Item) -> Result<Diff, Failure> {
        let (from, to) = match self.revisions.as_slice() {
            [from] => (at(from), At::Head),
            [from, to] => (at(from), at(to)),
            _ => {
                return Err(Failure::usage("give one revision, or two: FROM and TO")
                    .help("words with = are the key of the repository, all others are revisions"));
            }
        };
        Ok(Diff {
            repository,
            key,
            from,
            to,
        })
    }

    pub(crate) fn rollback(&self, repository: String, key: Item) -> Result<Rollback, Failure> {
        Ok(Rollback {
            repository,
            key,
            to: self.revision()?.to_owned(),
            from: self.from.clone(),
        })
    }

    pub(crate) fn revert(
        &self,
        repository: String,
        key: Item,
        values: Item,
    ) -> Result<Revert, Failure> {
        Ok(Revert {
            repository,
            key,
            to: at(self.revision()?),
            values,
            parent: self.parent.clone(),
        })
    }

    pub(crate) const fn sweep(&self, repository: String, key: Item) -> Sweep {
        Sweep {
            repository,
            key,
            older_than: self.older_than,
        }
    }

    fn revision(&self) -> Result<&str, Failure> {
        match self.revisions.as_slice() {
            [revision] => Ok(revision),
            _ => {
                Err(Failure::usage("give one revision, without a =")
                    .help("`monotable log` shows them"))
            }
        }
    }
}
