//! Rules that the operations on single items and their counterparts in batches and transactions
//! share.

use crate::{Error, ReturnValue, ReturnValuesOnConditionCheckFailure, wording};
use monotable_item::{EncodedItem, limits};

/// What is written must not be larger than an item may be.
pub(crate) fn check_size(item: &EncodedItem) -> Result<(), Error> {
    if item.view().size() > limits::MAX_ITEM_BYTES {
        return Err(Error::validation(wording::ITEM_TOO_LARGE));
    }
    Ok(())
}

/// Whether an operation that knows no new item returns the old one.
pub(crate) fn return_old(returned: Option<ReturnValue>) -> Result<bool, Error> {
    match returned {
        Some(ReturnValue::AllOld) => Ok(true),
        Some(ReturnValue::None) | None => Ok(false),
        Some(ReturnValue::AllNew | ReturnValue::UpdatedOld | ReturnValue::UpdatedNew) => {
            Err(Error::validation(wording::RETURN_VALUES_OLD_ONLY))
        }
    }
}

/// Whether a condition that does not hold returns the stored item.
pub(crate) const fn return_old_on_failure(
    returned: Option<ReturnValuesOnConditionCheckFailure>,
) -> bool {
    match returned {
        Some(ReturnValuesOnConditionCheckFailure::AllOld) => true,
        Some(ReturnValuesOnConditionCheckFailure::None) | None => false,
    }
}
