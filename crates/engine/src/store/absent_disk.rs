//! Stands for the store on disk where the crate is built without it: there is none.

use super::{
    Batch, Crowding, DamagedFile, Direction, Durability, KeyRange, Row, ScrubProgress, ScrubStep,
    Space, StoreFault,
};
use bytes::Bytes;
use std::time::Duration;

/// A store that nobody can make.
pub(crate) enum DiskStore {}

/// A snapshot that nobody can take.
#[derive(Clone)]
pub(crate) enum DiskSnapshot {}

type RowsOfRange<'a> = Box<dyn Iterator<Item = Result<Row, StoreFault>> + 'a>;

impl DiskSnapshot {
    pub(super) const fn get(&self, _: Space, _: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        match *self {}
    }

    pub(super) fn range(&self, _: Space, _: KeyRange, _: Direction) -> RowsOfRange<'_> {
        match *self {}
    }
}

macro_rules! absent {
    ($($name:ident($($argument:ty),*) -> $answer:ty;)+) => {
        impl DiskStore {
            $(
                pub(super) fn $name(&self, $(_: $argument),*) -> $answer {
                    match *self {}
                }
            )+
        }
    };
}

absent! {
    snapshot() -> DiskSnapshot;
    wait_for_room() -> Result<(), StoreFault>;
    nudge() -> ();
    last_crowding() -> Option<Crowding>;
    crowding() -> Crowding;
    commit(Batch, Durability) -> Result<(), StoreFault>;
    check_background() -> Result<(), StoreFault>;
    damaged_files() -> Vec<DamagedFile>;
    scrub(u64, Duration) -> ScrubStep;
    scrub_progress() -> ScrubProgress;
    sync() -> Result<(), StoreFault>;
    disk_bytes() -> Result<u64, StoreFault>;
    note(u64) -> ();
    close(u64) -> Result<(), StoreFault>;
    flush() -> Result<(), StoreFault>;
    settle() -> Result<(), StoreFault>;
}
