//! What is read from a bucket: objects as records, and records as items.

mod csv;
mod item_reader;
mod put_reader;
mod records;

pub(crate) use item_reader::{ItemReader, ReadItem};
pub(crate) use put_reader::{PutReader, ReadPut, RecordPut};
