//! The one way to write.
//!
//! A write is a [`WriteRequest`]: actions on items, all or nothing. The calling thread *speculates*: it
//! evaluates the request (conditions, updates, index entries) on a snapshot and notes how far that
//! snapshot reached. The committer, one thread, then takes what is queued as a *group*. If no row that a
//! speculation read was written since, its result stands as it is; otherwise the request is evaluated
//! again, on the group's overlay. The overlay is the batch: one change per row, one commit, one sync.
//! Every answer, also that of a failed condition, leaves after the sync of its group.
//!
//! So writes are serial in effect, conditions are decided on what is durable or becomes so together with
//! them, and the committer does little more than compare numbers and hand bytes to the store.

mod action;
mod committer;
mod evaluate;
mod group;
mod pending;
mod published;
mod recent;
mod task;
mod token;
mod watch;

pub(crate) use action::{Action, Change, Effect, Refusal, WriteRequest};
pub(crate) use committer::{CommitOptions, Committer};
pub(crate) use evaluate::{Evaluation, ReadRows, evaluate};
pub(crate) use group::Group;
pub(crate) use pending::Pending;
pub(crate) use published::Published;
pub(crate) use token::{Token, TokenRows};
pub(crate) use watch::StallBounds;
