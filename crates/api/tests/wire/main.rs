//! Requests and answers on the wire: what is read is what was written, every member is known, and
//! no bytes whatsoever make the reader panic.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod hostile;
mod members;
mod round_trip;
mod serialization;
mod values;
