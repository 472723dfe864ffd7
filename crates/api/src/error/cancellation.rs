//! Why a transaction was cancelled, action by action.

use crate::choice::{Choice, choices};
use crate::wording;
use monotable_item::EncodedItem;
use serde::{Deserialize, Serialize};
use std::fmt;

choices! {
    /// What became of one action of a cancelled transaction.
    pub enum CancellationCode {
        /// The action itself would have succeeded.
        None = "None",
        /// Its condition did not hold.
        ConditionalCheckFailed = "ConditionalCheckFailed",
        /// Its item collection is full.
        ItemCollectionSizeLimitExceeded = "ItemCollectionSizeLimitExceeded",
        /// Another transaction is at work on its item.
        TransactionConflict = "TransactionConflict",
        /// The table's provisioned throughput is used up for the moment.
        ProvisionedThroughputExceeded = "ProvisionedThroughputExceeded",
        /// The table is scaling.
        ThrottlingError = "ThrottlingError",
        /// The action breaks a rule that depends on the stored item or the table.
        ValidationError = "ValidationError",
        /// A PartiQL INSERT met an item with the same key.
        DuplicateItem = "DuplicateItem",
        /// A policy does not allow the action.
        AccessDenied = "AccessDenied",
        /// The table of a PartiQL statement does not exist.
        ResourceNotFound = "ResourceNotFound",
    }
}

impl CancellationCode {
    /// Whether the action may succeed later without change.
    pub const fn retryable(self) -> bool {
        match self {
            Self::TransactionConflict
            | Self::ProvisionedThroughputExceeded
            | Self::ThrottlingError => true,
            Self::None
            | Self::ConditionalCheckFailed
            | Self::ItemCollectionSizeLimitExceeded
            | Self::ValidationError
            | Self::DuplicateItem
            | Self::AccessDenied
            | Self::ResourceNotFound => false,
        }
    }

    /// Whether the action fails again if nothing changes.
    pub fn is_final(self) -> bool {
        self != Self::None && !self.retryable()
    }
}

/// The reason of one action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct CancellationReason {
    /// What became of the action.
    pub code: CancellationCode,
    /// In words; absent when the action itself would have succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The stored item, when the action asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<EncodedItem>,
}

impl CancellationReason {
    /// The action itself would have succeeded.
    pub const fn none() -> Self {
        Self {
            code: CancellationCode::None,
            message: None,
            item: None,
        }
    }

    /// The action's condition did not hold; with the stored item when the action asked for it.
    pub fn condition_failed(item: Option<EncodedItem>) -> Self {
        Self {
            code: CancellationCode::ConditionalCheckFailed,
            message: Some(wording::CONDITION_FAILED.to_owned()),
            item,
        }
    }

    /// Another transaction is at work on the item.
    pub fn conflict() -> Self {
        Self::of(
            CancellationCode::TransactionConflict,
            wording::TRANSACTION_CONFLICT,
        )
    }

    /// The action breaks a rule that depends on the stored item or the table.
    pub fn validation(message: impl fmt::Display) -> Self {
        Self::of(CancellationCode::ValidationError, message)
    }

    /// A reason in these words.
    pub fn of(code: CancellationCode, message: impl fmt::Display) -> Self {
        Self {
            code,
            message: Some(message.to_string()),
            item: None,
        }
    }
}

/// The codes as AWS lists them in the exception's message: `None, ConditionalCheckFailed`.
pub(crate) struct Codes<'a>(pub(crate) &'a [CancellationReason]);

impl fmt::Display for Codes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, reason) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            f.write_str(reason.code.as_str())?;
        }
        Ok(())
    }
}
