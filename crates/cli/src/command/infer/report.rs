//! The sample, held against the model that was found in it.

use crate::command::verify::count;
use crate::exit::{Failure, done, note, warn};
use crate::output::visible;
use crate::rows::Opened;
use monotable_infer::Sample;
use monotable_sketch::Sketch;
use monotable_store::Verification;

/// So many rows that do not fit are listed.
const LISTED: usize = 20;

/// What was found, counted.
pub(super) fn summarize(sketch: &Sketch) -> String {
    let patterns = sketch.patterns.iter();
    let held = patterns.filter(|pattern| pattern.refused.is_none()).count();
    let entities = sketch.entities.iter();
    let entities = entities.filter(|entity| entity.refused.is_none()).count();
    let noun = if entities == 1 { "entity" } else { "entities" };
    format!(
        "{entities} {noun} and {}",
        count(held as u64, "access pattern")
    )
}

/// Puts the sample into a store in memory and verifies it there.
pub(super) async fn hold(text: &str, samples: &[Sample]) -> Result<Verification, Failure> {
    let model = monotable_model::read(text).model;
    let model = model.ok_or_else(|| Failure::other("the model that was found cannot be read"))?;
    let opened = Opened::in_memory(model).await?;
    let store = &opened.store;
    for sample in samples {
        let mut tables = store.model().tables();
        let table = tables.find(|(_, table)| table.name.value == sample.table.name);
        let Some((table, _)) = table else {
            continue;
        };
        let items = sample.items.iter();
        let items = items.filter(|item| sample.has_text_key(item));
        store.restore_items(table, items.cloned().collect()).await?;
    }
    let mut found = store.verify().await?;
    let strange = samples.iter().map(Sample::count_strange_keys);
    found.unknown += strange.sum::<usize>() as u64;
    Ok(found)
}

/// Says which rows do not fit.
pub(super) fn tell(found: &Verification) {
    for unknown in found.unknown_items.iter().take(LISTED) {
        warn(visible(&unknown.to_string()));
    }
    for violation in found.violations.iter().take(LISTED) {
        warn(visible(&violation.to_string()));
    }
    let further = found.violations.len().saturating_sub(LISTED);
    if further > 0 {
        note(format_args!(
            "{further} violations more; `monotable verify` lists all"
        ));
    }
    done(format_args!(
        "held against the sample: {} of entities, {} that the model does not know, {}",
        count(found.rows, "row"),
        count(found.unknown, "item"),
        count(found.violations.len() as u64, "violation")
    ));
}
