//! Real servers under load over HTTP, which are killed and started again.
//!
//! - `histories append`: clients append to lists and read them, by transactions, updates, batches and queries over indexes,
//!   while the server is killed; what they saw must be explained by one order of all their requests ([`check`]);
//! - `histories kills`: thousands of kills, also while the server recovers; after each, everything that was acknowledged
//!   must be there, in the table and in its indexes ([`kills`]).
//!
//! Layout: [`history`] is what clients did and saw; [`append`] makes such histories (`append/`); `server.rs` starts
//! `monotable serve` and kills it.

pub mod append;
pub mod check;
pub mod history;
pub mod kills;
mod server;

pub use server::Program;
