//! The rules and proofs of the model language.
//!
//! [`check`] reads a model, proves what can be proved about it, and says what is wrong, with the place, a counterexample and a
//! remedy. A program that only runs a model reads it with `monotable_model::read` and does not need this crate.
//!
//! ```
//! let reading = monotable_check::check(r##"
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

mod rules;

use monotable_model::diagnostic::Findings;
use monotable_model::{Reading, read_into};

/// Reads, resolves and proves a model.
#[must_use]
pub fn check(text: &str) -> Reading {
    let mut findings = Findings::default();
    let model = read_into(text, &mut findings);
    if let Some(model) = &model {
        rules::check(model, &mut findings);
    }
    Reading {
        model: model.filter(|_| !findings.has_errors()),
        diagnostics: findings.into_sorted(),
    }
}
