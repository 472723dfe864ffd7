//! Query, Scan and SearchVectors.

use super::item_access::{ItemAccess, word};
use super::keys::Keys;
use monotable_api::{Error, QueryInput, ScanInput, SearchVectorsInput, Selection};

pub(super) fn query(input: &QueryInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    let access = ItemAccess::new("Query", valid.table)
        .named(valid.key_condition.attributes())
        .start_key(valid.start.as_ref())
        .condition(valid.filter.as_ref())
        .selection(&valid.selection)
        .capacity(word(&input.return_consumed_capacity));
    Ok(ItemAccess {
        index: valid.index.map(|index| index.as_str().to_owned()),
        keys: Some(Keys::Condition(valid.key_condition)),
        ..access
    })
}

/// A Scan names no partition, whatever its filter says.
pub(super) fn scan(input: &ScanInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    let access = ItemAccess::new("Scan", valid.table)
        .start_key(valid.start.as_ref())
        .condition(valid.filter.as_ref())
        .selection(&valid.selection)
        .capacity(word(&input.return_consumed_capacity));
    Ok(ItemAccess {
        index: valid.index.map(|index| index.as_str().to_owned()),
        ..access
    })
}

/// A SearchVectors names no partition of the table: AWS knows no fine-grained access control for it.
pub(super) fn search_vectors(input: &SearchVectorsInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    let condition = valid.condition.iter().flatten();
    let selection = match valid.projection {
        Some(projection) => Selection::Specific(projection),
        None => Selection::AllProjectedAttributes,
    };
    let access = ItemAccess::new("SearchVectors", valid.table)
        .named(condition.map(|equality| equality.attribute.as_str()))
        .selection(&selection)
        .capacity(word(&input.return_consumed_capacity));
    Ok(ItemAccess {
        index: Some(valid.index.as_str().to_owned()),
        ..access
    })
}
