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
mod find;
mod fraction;
mod moving;
mod note;
mod paths;
mod references;
mod relations;
mod relocation;
mod update;

pub(crate) use archive::Archived;
pub(crate) use audit::afterwards as note_afterwards;
pub(crate) use checks::{is_among, names_in as names_in_check, parameters as check_parameters};
pub(crate) use claims::{GuardRow, assigned_value, guard, guards, kept_name};
pub(crate) use counted::counted_by;
pub(crate) use create::{create, put, replacement};
pub(crate) use delete::{
    Removal, delete, delete_into, delete_late_referrers, finish as finish_delete,
};
pub(crate) use derived::{follow as follow_derived, rows as derived_rows, says_the_same};
pub(crate) use each::{first_place, whole as whole_item};
pub(crate) use find::{ReferrerQuery, by_ids, finder, place_of_key, primary_finders, referrers};
pub(crate) use fraction::learn as learn_taken;
pub(crate) use moving::move_row;
pub(crate) use paths::{names as path_names, segments as path_segments};
pub(crate) use references::demand as demand_references;
pub(crate) use update::{Expected, update};
