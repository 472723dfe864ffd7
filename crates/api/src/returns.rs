//! What an operation is asked to return beside its plain answer.

use crate::choice::choices;

choices! {
    /// Which attributes a write returns.
    pub enum ReturnValue {
        /// The whole item after the write.
        AllNew = "ALL_NEW",
        /// The attributes that the update names, as they were before.
        UpdatedOld = "UPDATED_OLD",
        /// The whole item before the write.
        AllOld = "ALL_OLD",
        /// Nothing.
        None = "NONE",
        /// The attributes that the update names, as they are after.
        UpdatedNew = "UPDATED_NEW",
    }

    /// How much detail of the consumed capacity is returned.
    #[derive(Default)]
    pub enum ReturnConsumedCapacity {
        /// The total, and the shares of the table and of each index.
        Indexes = "INDEXES",
        /// Only the total.
        Total = "TOTAL",
        /// Nothing.
        #[default]
        None = "NONE",
    }

    /// Whether the size of the touched item collection is returned.
    #[derive(Default)]
    pub enum ReturnItemCollectionMetrics {
        /// An estimate of the size.
        Size = "SIZE",
        /// Nothing.
        #[default]
        None = "NONE",
    }

    /// Whether a failed condition returns the item that it failed on.
    pub enum ReturnValuesOnConditionCheckFailure {
        /// The item as it is stored.
        AllOld = "ALL_OLD",
        /// Nothing.
        None = "NONE",
    }
}
