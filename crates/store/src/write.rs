//! Writes: the paths by which rows change. Each describes its work as changes, which the pipeline writes.

mod afterwards;
mod blind;
mod collection;
mod create;
mod delete;
mod each;
mod marking;
mod moving;
mod relocation;
mod update;

pub(crate) use afterwards::afterwards as note_afterwards;
pub(crate) use create::{create, put, replacement};
pub(crate) use delete::{
    Removal, delete, delete_into, delete_late_referrers, finish as finish_delete,
};
pub(crate) use moving::{finish_move, move_row};
pub(crate) use update::{Expected, update, update_alone};
