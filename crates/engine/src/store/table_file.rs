//! Reads fjall's table files block by block, also damaged ones.
//!
//! fjall reads a table file by its index and gives up at the first thing that is wrong. Here every block is looked at by itself: each has
//! a head with a checksum of its own, and a checksum of what follows. So what is not damaged is still found when the index, the
//! directory or a neighbour is lost. `docs/format.md` draws the format, which is that of lsm-tree 3.1.

mod block;
mod properties;
mod rows;
mod walk;

pub(super) use properties::Properties;
pub(super) use rows::VersionedRow;
pub(super) use walk::{LostBlock, TableMap};
