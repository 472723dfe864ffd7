//! The fault shim and the power cut, seen from outside: small programs run under the shim, are killed,
//! and their files are looked at.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod concurrency;
mod exactness;
mod faults;
mod loss;
mod under_shim;
