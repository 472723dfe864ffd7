//! Stored items: bytes as a disk may give them back, or the JSON of an item.

use crate::flaw::{Flaw, demand};
use bytes::Bytes;
use monotable_item::{EncodedItem, GivenItem};

/// Damaged bytes read as some item and never panic; an item that is well formed has one encoding, also by way of its JSON.
pub(crate) fn check(input: &[u8]) -> Result<(), Flaw> {
    check_stored(&EncodedItem::from_stored(Bytes::copy_from_slice(input)))?;
    if let Ok(given) = serde_json::from_slice::<GivenItem>(input)
        && let Ok(item) = given.into_checked()
    {
        demand(item.is_well_formed(), || {
            format!("{item:?} is not encoded as its tree is")
        })?;
        check_stored(&item)?;
    }
    Ok(())
}

fn check_stored(item: &EncodedItem) -> Result<(), Flaw> {
    let tree = item.to_item();
    let encoded = EncodedItem::from(&tree);
    demand(encoded.is_well_formed(), || {
        format!("{tree:?} has two encodings")
    })?;
    let _ = (item.size(), item.view().size(), serde_json::to_string(item));
    if !item.is_well_formed() {
        return Ok(());
    }
    demand(item.size() == item.view().size(), || {
        format!(
            "{item:?} weighs {} and says {}",
            item.view().size(),
            item.size()
        )
    })?;
    let json = serde_json::to_vec(item)?;
    let read: GivenItem = serde_json::from_slice(&json)?;
    // What was stored by other means may break a rule of requests, such as a name that is too long.
    if let Ok(again) = read.into_checked() {
        demand(again.as_bytes() == item.as_bytes(), || {
            format!("{item:?} became {again:?} by way of its JSON")
        })?;
    }
    Ok(())
}
