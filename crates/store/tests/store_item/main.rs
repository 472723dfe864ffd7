//! The store's own item: the secret of cursors and the templates of keys, shared by all processes of a store.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod backups;
mod reserved_keys;
mod secrets;
mod templates;
mod world;
