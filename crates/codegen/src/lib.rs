//! Typed clients of a model.
//!
//! [`generate`] writes one file: the types and names of a model in a language, and the compiled model as its last line. The
//! text depends on the model and on the command alone, so a file can be compared with what its model says today.
//!
//! Layout:
//! - `surface/`: what programs can do with a model, without a word of any language;
//! - `prose.rs`: what comments say; `names.rs`: names in the customs of languages; `problem.rs`: names that clash;
//! - `header.rs`: the first lines of a file, and the command in them;
//! - `typescript/`, `rust/`: one file for each part of the generated code.

mod header;
mod names;
mod problem;
mod prose;
mod rust;
mod surface;
mod typescript;

pub use header::{Command, Language};
pub use problem::Problem;

use monotable_model::compiled::CompiledModel;

/// The text of a generated file.
pub fn generate(model: &CompiledModel, command: &Command) -> Result<String, Problem> {
    match command.language {
        Language::TypeScript => typescript::generate(model, command),
        Language::Rust => rust::generate(model, command),
    }
}
