//! Writes: what they demand of other rows, and what they do to them.

mod about;
mod archive;
mod audit;
mod checks;
mod claims;
mod collection;
mod counted;
mod create;
mod delete;
mod derived;
mod each;
mod find;
mod fraction;
mod grants;
mod moving;
mod paths;
mod permission;
mod references;
mod relations;
mod relocation;
mod update;

pub(crate) use archive::Archived;
pub(crate) use audit::afterwards as note_afterwards;
pub(crate) use checks::{is_among, names_in as names_in_check, parameters as check_parameters};
pub(crate) use claims::{Guarded, assigned_value, guard, guards, kept_name};
pub(crate) use counted::counted_by;
pub(crate) use create::{create, put, replacement};
pub(crate) use delete::{Going, delete, delete_into, look_again};
pub(crate) use derived::{follow as follow_derived, rows as derived_rows, says_the_same};
pub(crate) use find::{Asked, Finder, beginning, by_ids, finder, referrers};
pub(crate) use fraction::learn as learn_taken;
pub(crate) use moving::transfer;
pub(crate) use permission::may_see;
pub(crate) use references::demand as demand_references;
pub(crate) use update::{Expected, update};
