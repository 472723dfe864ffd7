//! The clients that `monotable generate rust` writes for the five models.
//!
//! `crates/codegen/tests/committed_files.rs` compares them with their models byte for byte, so nothing formats them. What is
//! missing does not compile:
//!
//! ```
//! use monotable_typed::yggdrasil::person;
//! person::New::new("user", "tree", "Ann", "Oak", person::Gender::Female);
//! ```
//!
//! Nobody is without a gender:
//!
//! ```compile_fail,E0061
//! use monotable_typed::yggdrasil::person;
//! person::New::new("user", "tree", "Ann", "Oak");
//! ```
//!
//! A word that the model does not have:
//!
//! ```compile_fail,E0599
//! use monotable_typed::yggdrasil::person;
//! person::New::new("user", "tree", "Ann", "Oak", person::Gender::Robot);
//! ```
//!
//! A key of two attributes needs both:
//!
//! ```compile_fail,E0061
//! use monotable_typed::yggdrasil::tree;
//! tree::Key::new("user");
//! ```
//!
//! The store keeps counters, so nobody gives them:
//!
//! ```compile_fail,E0560
//! use monotable_typed::yggdrasil::tree;
//! let tree = tree::New { person_count: 3, ..tree::New::new("user", "Oak") };
//! ```
//!
//! What is required cannot be removed:
//!
//! ```compile_fail,E0599
//! use monotable_typed::yggdrasil::tree;
//! tree::Change::new().remove_tree_name();
//! ```
//!
//! A move is no part of a transaction:
//!
//! ```compile_fail,E0277
//! use monotable_typed::yggdrasil::{Yggdrasil, tree};
//! fn give(db: &Yggdrasil) {
//!     let key = tree::Key::new("ann", "oak");
//!     let _ = db.transact((db.moves().transfer_tree(key, "eve"),));
//! }
//! ```
//!
//! A tenant is named before its rows:
//!
//! ```compile_fail,E0599
//! fn documents(sites: &monotable_typed::formkiq::Global) {
//!     sites.document();
//! }
//! ```

#[rustfmt::skip]
pub mod authorization;
#[rustfmt::skip]
pub mod formkiq;
#[rustfmt::skip]
pub mod processproof;
#[rustfmt::skip]
pub mod values;
#[rustfmt::skip]
pub mod yggdrasil;
