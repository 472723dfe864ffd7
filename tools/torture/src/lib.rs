//! Kills, power cuts and failing disks: what is acknowledged must survive them.
//!
//! How it works: a *writer* child opens the engine and writes from several threads, telling the parent
//! each request before it is sent and each answer after it came ([`record`]). The parent kills it at a
//! random moment ([`kill_time`]), maybe cuts the power ([`power_loss`]), and lets a *checker* child look
//! at everything ([`child`]). What the checker saw is held against what the requests imply
//! ([`check`]). That is one round of a [`campaign`].
//!
//! - [`place`], [`version`], [`mod@write`], [`workload`]: which items there are, what they hold, and the
//!   requests that write them.
//! - [`ledger`] and [`fading`]: tables that say by themselves what must be in them, and in every backup, restored table, export and
//!   import of them; and whether what is gone had expired.
//! - [`record`], [`running`], [`machine`]: pipes, children, and the directory they work on.
//! - [`history`], [`model`], [`observed`], [`check`]: what was asked for, what follows from it, what is
//!   there, and whether that is right.
//! - [`campaign`], [`summary`], [`planted`], [`small_disk`]: rounds, their numbers, bugs that must be
//!   found, and a disk that fills up.
//! - [`numbered`]: requests whose effects are known beforehand; with them, [`flips`] damages files, [`calls`] fails one call after another, and
//!   [`enumeration`] makes every state that a power cut can leave.
//! - [`power_loss`]: makes a directory what a power cut would have left of it.
//! - [`preload`]: builds the fault shim, and starts a program under it.
//! - [`bounded`]: waits for processes, but not for ever.
//! - [`script`] and [`storm`]: small programs that the tests of the shim run under it.
//!
//! Linux only, as the shim is; elsewhere the library is empty.

#![cfg(target_os = "linux")]

pub mod bounded;
pub mod calls;
pub mod campaign;
pub mod check;
pub mod child;
pub mod enumeration;
pub mod fading;
pub mod flips;
pub mod history;
pub mod kill_time;
pub mod ledger;
pub mod machine;
pub mod model;
pub mod numbered;
pub mod observed;
pub mod place;
pub mod planted;
pub mod power_loss;
pub mod preload;
pub mod record;
pub mod running;
pub mod script;
pub mod small_disk;
pub mod storm;
pub mod summary;
pub mod version;
pub mod workload;
pub mod write;
