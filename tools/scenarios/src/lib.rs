//! Scenarios: what a model promises, as text, run on anything that is a `Dynamo`.
//!
//! ```text
//! # Comments begin with #.
//! model yggdrasil
//! setup
//! create User {"Email": "ann@example.com", "PasswordHash": "secret"} -> ann
//! create User {"Email": "ANN@example.com", "PasswordHash": "secret"}
//!   ! Conflict Email
//! query user_by_email {"Email": "ann@example.com"}
//!   = [{"UserId": "$ann.UserId"}]
//! ```
//!
//! A statement stands at the beginning of a line, what is expected of it on the indented lines that follow; other
//! indented lines go on with what is above them. `GRAMMAR.md` beside the manifest has all of it.

mod expectation;
mod faults;
mod gap;
mod json;
mod other_server;
mod reference;
mod rest;
mod run;
mod script;
mod serve;
mod stale;
mod statement;
mod target;
mod variables;

pub use faults::Faulty;
pub use gap::find_gap;
pub use other_server::OtherServer;
pub use reference::{answer_models, dump_file};
pub use run::{Failure, Played, play_file, run_file};
pub use serve::serve_until_input_ends;
pub use stale::Stale;
pub use target::Target;
