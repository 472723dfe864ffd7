//! Kills, power cuts and failing disks: what is acknowledged must survive them.
//!
//! - [`power_loss`]: makes a directory what a power cut would have left of it.
//! - [`preload`]: builds the fault shim, and starts a program under it.
//! - [`bounded`]: waits for processes, but not for ever.
//! - [`script`] and [`storm`]: small programs that the tests of the above run under the shim.
//!
//! Linux only, as the shim is; elsewhere the library is empty.

#![cfg(target_os = "linux")]

pub mod bounded;
pub mod power_loss;
pub mod preload;
pub mod script;
pub mod storm;
