//! The page that shows stores to people: what is in the tables, what a program sends and what it costs, what a write changes and
//! why, and whether the design is sound.
//!
//! Nothing here opens a socket: [`Workbench::answer`] takes a parsed request and gives a response. Every screen is a plain address
//! that is rendered as a whole page; the modules in `assets/` only make it quick. Nothing belongs to one model. Layout:
//! - `workbench.rs` finds the screen of an address, `context.rs` has what every screen needs: the store as the caller sees it, the
//!   words of the address, the hues of entities; `address.rs` reads and writes addresses, `reply.rs` answers with the headers that
//!   keep foreign scripts out, `asset.rs` holds styles and modules;
//! - `census.rs` counts what is in the tables, `recognition.rs` says what an item is, `key_owner.rs` what a key is of, `activity.rs` notes calls with what they send
//!   (`ledger.rs`) and how many there were (`rates.rs`; `pace.rs`, where there are too many), `meter.rs` what requests cost, `heat.rs` which partitions are used most, `bill.rs` what a page over somebody else's DynamoDB has used, `event_stream.rs` tells open pages that something has happened,
//!   `witness.rs` finds stored rows that a finding is about;
//! - `part/` has the pieces that screens are made of, `screen/` the screens, `write.rs` carries out what a form asks for;
//! - `model_change.rs` changes the file of a model while `dev` runs (`model_edit.rs` its text, `model_file.rs` the file), `editor.rs`
//!   opens it in the reader's editor.

mod activity;
mod address;
mod asset;
mod bill;
mod census;
mod conflict;
mod context;
mod editor;
mod event_stream;
mod heat;
mod hue;
mod key_owner;
mod ledger;
mod meter;
mod mode;
mod model_change;
mod model_edit;
mod model_file;
mod pace;
mod part;
mod proof;
mod rates;
mod recognition;
mod reply;
mod screen;
mod time;
mod value;
mod witness;
mod workbench;
mod write;

pub use activity::{Activity, CallKind, CallRecord};
pub use editor::Editor;
pub use mode::Mode;
pub use proof::ModelSource;
pub use workbench::{HOME, RemotePlace, Workbench};
