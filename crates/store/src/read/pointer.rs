//! The row whose whole key another row holds.

use super::StoredRow;
use crate::address::{Address, KeyTexts};
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
use crate::reader::Reader;
use crate::scope::Scope;
use monotable_item::AttributeValue;
use monotable_model::plan::PointerStep;

/// The row that a pointer leads to; none if there is no pointer, or it leads to another tenant's.
pub(super) async fn row(
    reader: &Reader<'_>,
    step: &PointerStep,
    given: &Parameters,
    consistent: bool,
) -> Result<Option<StoredRow>, Interrupt> {
    // Of rows that a pattern went through before some may point nowhere.
    let Some(address) = address(reader, step, given) else {
        return Ok(None);
    };
    let item = reader.get(&address, consistent).await?;
    Ok(item.and_then(|item| {
        let record = reader.decode_view(address.table(), item.view())?;
        Some(StoredRow { record, item })
    }))
}

fn address(scope: &Scope, step: &PointerStep, given: &Parameters) -> Option<Address> {
    let mut parts = step
        .parameters
        .iter()
        .map(|name| match given.values.get(name) {
            Some(AttributeValue::S(text)) if !text.is_empty() => Some(text.clone()),
            _ => None,
        });
    let partition = parts.next()??;
    let sort = match scope.model().table(step.table).range {
        Some(_) => Some(parts.next()??),
        None => None,
    };
    let texts = KeyTexts::new(partition, sort);
    let addressing = scope.addressing();
    // Other keys are not asked for unless they can be the tenant's.
    addressing
        .locate_pointer(step.table, texts, step.may_be_shared)
        .ok()
}
