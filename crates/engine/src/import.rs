//! What is read from a bucket: objects as records, and records as items.

mod csv;
mod item_reader;
mod records;

pub(crate) use item_reader::{ItemReader, ReadItem};
