//! A client in TypeScript, over the npm package `monotable`.
//!
//! Every type is written out, so that a compiler has nothing to infer. The runtime is imported as `mt`, and nothing else of
//! the language's global names is used: an entity may be called `Page` or `Record`.

mod client;
mod comment;
mod entity;
mod moves;
mod outline;
mod queries;
mod repositories;
mod type_names;
mod value;

use crate::header::{Command, write_header};
use crate::problem::Problem;
use crate::surface::Surface;
use monotable_model::compiled::CompiledModel;
use type_names::TypeNames;
use value::BigInts;

/// What all parts of the generated file are written from.
struct Generator<'m> {
    surface: Surface<'m>,
    types: TypeNames,
    bigints: BigInts,
}

pub(crate) fn generate(model: &CompiledModel, command: &Command) -> Result<String, Problem> {
    let surface = Surface::new(model.model(), model.plans());
    let types = TypeNames::new(&surface)?;
    let bigints = BigInts::new(&surface, &command.bigint)?;
    let generator = Generator {
        surface,
        types,
        bigints,
    };
    let mut text = write_header(command, model)?;
    text.push_str("/* eslint-disable */\n\nimport * as mt from \"monotable\";\n\n");
    text.push_str(&generator.write_client());
    for entity in &generator.surface.entities {
        text.push('\n');
        text.push_str(&generator.write_entity(entity));
    }
    text.push('\n');
    text.push_str(&generator.write_open());
    text.push('\n');
    text.push_str(&generator.write_outline());
    let compiled = model.to_text().map_err(Problem::Unwritable)?;
    text.push_str("\n// The compiled model, for the core alone.\n");
    text.push_str(&format!("const model = \"{compiled}\";\n"));
    Ok(text)
}

/// A function or method on one line, or with its answer on a second one where the first would be too long.
fn write_signature(indent: &str, head: &str, answer: &str) -> String {
    const WIDTH: usize = 120;
    let line = format!("{indent}{head}: {answer};\n");
    if line.chars().count() <= WIDTH {
        line
    } else {
        format!("{indent}{head}:\n{indent}  {answer};\n")
    }
}
