//! The model language: a single-table design for DynamoDB as a file.
//!
//! [`check`] reads a model, proves what can be proved about it, and says what is wrong, with the place, a
//! counterexample and a remedy. `docs/model.md` is the language's reference.
//!
//! Layout, in the order a model travels:
//! - `document`, `syntax`: TOML with places, and the tree of what it says;
//! - `resolve`: names looked up, defaults filled in -> [`model::Model`];
//! - [`language`], `shape`: regular languages, and templates as patterns over them;
//! - `check`: the rules, one file each; [`diagnostic`]: what they report;
//! - [`compiled`]: templates that render and parse;
//! - [`describe`]: the model as a document; [`schema`]: the language as a JSON Schema.
//!
//! ```
//! let reading = monotable_model::check(r##"
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
//!
//!     [entity.Copy]
//!     key = ["BOOK#{isbn}", "COPY#{number:03}"]
//!     [entity.Copy.attributes]
//!     isbn   = "-> Book, on_delete = cascade"
//!     number = "integer(1..999), immutable"
//!
//!     [access.copies_of_book]
//!     key     = ["BOOK#{isbn}"]
//!     returns = ["Copy"]
//! "##);
//!
//! let [stranger] = reading.diagnostics.as_slice() else { panic!() };
//! assert_eq!(stranger.message, "`copies_of_book` can also return Book");
//! assert_eq!(stranger.counterexample[0].text, "(\"BOOK#0000000000\", \"BOOK\")");
//! ```

mod check;
pub mod compiled;
pub mod describe;
pub mod diagnostic;
mod document;
pub mod language;
pub mod model;
mod resolve;
pub mod schema;
mod shape;
pub mod span;
mod suggest;
mod syntax;

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
    let model = resolved(text, &mut findings);
    Reading {
        model,
        diagnostics: findings.into_sorted(),
    }
}

/// Reads, resolves and proves a model.
#[must_use]
pub fn check(text: &str) -> Reading {
    let mut findings = Findings::default();
    let model = resolved(text, &mut findings);
    if let Some(model) = &model {
        check::check(model, &mut findings);
    }
    Reading {
        model: model.filter(|_| !findings.has_errors()),
        diagnostics: findings.into_sorted(),
    }
}

fn resolved(text: &str, findings: &mut Findings) -> Option<Model> {
    let file = syntax::file::File::parse(text, findings)?;
    // Names of what could not be read would be reported as unknown.
    match findings.has_errors() {
        true => None,
        false => resolve::resolve(&file, findings),
    }
}
