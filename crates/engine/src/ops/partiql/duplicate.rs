//! An INSERT is a put on the condition that there is no item; that it fails has a name of its own.

use crate::wording;
use monotable_api::{CancellationCode, CancellationReason, Error};

/// The error of an INSERT that met an item.
pub(super) fn name_duplicate(error: Error) -> Error {
    match error {
        Error::ConditionalCheckFailedException { .. } => wording::duplicate_item(),
        other => other,
    }
}

/// The error of a transaction in which the statements at these positions are INSERTs.
pub(in crate::ops) fn name_duplicates(error: Error, inserts: &[bool]) -> Error {
    let Error::TransactionCanceledException { reasons } = error else {
        return error;
    };
    let reasons = reasons.into_iter().enumerate().map(|(position, reason)| {
        let is_insert = inserts.get(position) == Some(&true);
        if is_insert && reason.code == CancellationCode::ConditionalCheckFailed {
            CancellationReason::of(CancellationCode::DuplicateItem, wording::DUPLICATE_ITEM)
        } else {
            reason
        }
    });
    Error::TransactionCanceledException {
        reasons: reasons.collect(),
    }
}
