//! The text of a sketch, checked.

use crate::Sketch;
use crate::settle::settle;
use crate::write::write;
use monotable_model::diagnostic::Diagnostic;
use monotable_model::model::Model;

/// Every round takes away at least one pattern; more than these are not needed.
const ROUNDS: usize = 8;

/// A model that was made, and what the check says about it.
#[derive(Debug)]
pub struct Proof {
    /// The text.
    pub text: String,
    /// The model, unless it has errors.
    pub model: Option<Model>,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Writes and checks a sketch. A pattern that the check refuses becomes a comment with the reason, because it was suggested
/// by the keys and nobody asked for it; whatever else is wrong is what the design itself has.
pub fn prove(sketch: &mut Sketch) -> Proof {
    prove_with(sketch, Scope::Patterns)
}

/// Writes and checks a sketch that was found in items. Entities that the check refuses become comments too: a model that can be
/// used shows more about a table than one that cannot.
pub fn prove_found(sketch: &mut Sketch) -> Proof {
    prove_with(sketch, Scope::Entities)
}

/// What becomes a comment if the check refuses it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Patterns,
    /// Patterns and entities.
    Entities,
}

fn prove_with(sketch: &mut Sketch, scope: Scope) -> Proof {
    settle(sketch);
    let mut rounds = 0;
    loop {
        rounds += 1;
        let written = write(sketch);
        let reading = monotable_check::check(&written.text);
        let mut is_changed = false;
        for found in reading.diagnostics.iter().filter(|found| found.is_error()) {
            let position = written
                .patterns
                .iter()
                .position(|range| range.contains(&found.span.start));
            let pattern = position.and_then(|position| sketch.patterns.get_mut(position));
            if let Some(pattern) = pattern
                && pattern.refused.is_none()
            {
                pattern.refused = Some(found.message.clone());
                is_changed = true;
                continue;
            }
            let position = written
                .entities
                .iter()
                .position(|range| range.contains(&found.span.start));
            let entity = position.and_then(|position| sketch.entities.get_mut(position));
            if let Some(entity) = entity
                && scope == Scope::Entities
                && entity.refused.is_none()
            {
                entity.refused = Some(found.message.clone());
                is_changed = true;
            }
        }
        if !is_changed || rounds == ROUNDS {
            return Proof {
                text: written.text,
                model: reading.model,
                diagnostics: reading.diagnostics,
            };
        }
    }
}
