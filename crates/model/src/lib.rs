//! The model language: a single-table design for DynamoDB as a file.
//!
//! [`read`] reads a model and resolves its names. The crate `monotable-check` proves what can be proved about it, and
//! `monotable-describe` makes documents of it; a program that runs a model needs neither. `docs/model.md` is the language's
//! reference.
//!
//! Layout, in the order a model travels:
//! - `document`, `syntax`: TOML with places, and the tree of what it says;
//! - `resolve`: names looked up, defaults filled in -> [`model::Model`]; [`diagnostic`]: what is reported;
//! - [`shape`]: templates as patterns over regular languages ([`language`]);
//! - [`compiled`]: templates that render and parse; [`schema`]: the language as a JSON Schema.
//!
//! ```
//! let reading = monotable_model::read(r##"
//!     monotable = 1
//!     model     = "library"
//!
//!     [table.Library]
//!     key = ["PK", "SK"]
//!
//!     [entity.Book]
//!     key = ["BOOK#{isbn}", "BOOK"]
//!     [entity.Book.attributes]
//!     isbn = "text, matches = /[0-9-]{10,17}/"
//! "##);
//!
//! let model = reading.model.unwrap();
//! assert_eq!(model.entities().count(), 1);
//! ```

pub mod compiled;
pub mod diagnostic;
mod document;
pub mod model;
pub mod plan;
mod resolve;
pub mod schema;
pub mod shape;
pub mod span;
pub mod suggest;
mod syntax;

pub use monotable_language as language;

use diagnostic::{Diagnostic, Findings};
use model::Model;

/// What came of reading a model.
#[derive(Debug)]
pub struct Reading {
    /// The model, unless it has errors.
    pub model: Option<Model>,
    /// What is wrong with it, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a model into its syntax tree, and reports what is wrong with its text. Nothing is looked up yet.
#[must_use]
pub fn parse(text: &str) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    let _file = syntax::file::File::parse(text, &mut findings);
    findings.into_sorted()
}

/// Reads and resolves a model, without proving anything about it.
#[must_use]
pub fn read(text: &str) -> Reading {
    let mut findings = Findings::default();
    let model = read_into(text, &mut findings);
    Reading {
        model,
        diagnostics: findings.into_sorted(),
    }
}

/// Reads and resolves a model, and adds what is wrong to other findings.
pub fn read_into(text: &str, findings: &mut Findings) -> Option<Model> {
    let file = syntax::file::File::parse(text, findings)?;
    // Names of what could not be read would be reported as unknown.
    if findings.has_errors() {
        None
    } else {
        resolve::resolve(&file, findings)
    }
}
