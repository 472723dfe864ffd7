//! Writes: what they demand of other rows, and what they do to them.

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
mod fraction;
mod moving;
mod note;
mod paths;
mod references;
mod relations;
mod relocation;
mod update;

pub(crate) use audit::afterwards as note_afterwards;
pub(crate) use checks::{is_among, names_in as names_in_check, parameters as check_parameters};
pub(crate) use counted::counted_by;
pub(crate) use create::{create, put, replacement};
pub(crate) use delete::{
    Removal, delete, delete_into, delete_late_referrers, finish as finish_delete,
};
pub(crate) use derived::{follow as follow_derived, rows as derived_rows, says_the_same};
pub(crate) use fraction::learn as learn_taken;
pub(crate) use moving::move_row;
pub(crate) use references::demand as demand_references;
pub(crate) use update::{Expected, update};
