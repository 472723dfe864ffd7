//! Models of the model language.

use crate::flaw::{Flaw, demand};
use monotable_model::compiled::CompiledModel;

/// Longer models cost seconds to prove, and say nothing more.
const LONGEST: usize = 6_000;

/// A model that has no errors is the same after it was compiled to bytes and read from them; one with errors names them.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    if text.len() > LONGEST {
        return Ok(());
    }
    let reading = monotable_model::read(text);
    let checked = monotable_check::check(text);
    demand(
        checked.model.is_some() || !checked.diagnostics.is_empty(),
        || "a model is refused without a word".to_owned(),
    )?;
    for diagnostic in &checked.diagnostics {
        let span = diagnostic.span;
        demand(text.get(span.start..span.end).is_some(), || {
            format!(
                "{} points to {span:?}, which is no part of the text",
                diagnostic.message
            )
        })?;
    }
    let Some(model) = reading.model else {
        return Ok(());
    };
    let bytes = CompiledModel::new(model).to_bytes()?;
    let again = CompiledModel::from_bytes(&bytes)?.to_bytes()?;
    demand(again == bytes, || {
        "a compiled model has other bytes when it was read".to_owned()
    })
}
