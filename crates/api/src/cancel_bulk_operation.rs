//! CancelBulkOperation: gives a bulk operation up. What it has put stays.

use crate::Error;
use crate::bulk_operation::BulkOperationStatus;
use crate::structure::structure;
use crate::transfer_arn::{Transfer, TransferArn};

structure! {
    /// A CancelBulkOperation request.
    pub struct CancelBulkOperationInput {
        /// The operation.
        bulk_operation_arn: String,
    }

    /// A CancelBulkOperation answer.
    pub struct CancelBulkOperationOutput {
        /// The operation.
        bulk_operation_arn: String,
        /// How far it is.
        bulk_operation_status: BulkOperationStatus,
    }
}

/// A CancelBulkOperation request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidCancelBulkOperation {
    /// The operation.
    pub operation: TransferArn,
}

impl CancelBulkOperationInput {
    /// Gives this operation up.
    pub fn new(bulk_operation_arn: impl Into<String>) -> Self {
        Self {
            bulk_operation_arn: Some(bulk_operation_arn.into()),
        }
    }

    /// Checks everything that can be judged without the operation.
    pub fn validate(self) -> Result<ValidCancelBulkOperation, Error> {
        Ok(ValidCancelBulkOperation {
            operation: TransferArn::require(&self.bulk_operation_arn, Transfer::BulkOperation)?,
        })
    }
}
