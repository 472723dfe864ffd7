//! DescribeBulkOperation: how far a bulk operation is.

use crate::Error;
use crate::bulk_operation::BulkOperationDescription;
use crate::structure::structure;
use crate::transfer_arn::{Transfer, TransferArn};

structure! {
    /// A DescribeBulkOperation request.
    pub struct DescribeBulkOperationInput {
        /// The operation.
        bulk_operation_arn: String,
    }

    /// A DescribeBulkOperation answer.
    pub struct DescribeBulkOperationOutput {
        /// The operation.
        bulk_operation_description: BulkOperationDescription,
    }
}

/// A DescribeBulkOperation request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeBulkOperation {
    /// The operation.
    pub operation: TransferArn,
}

impl DescribeBulkOperationInput {
    /// Describes this operation.
    pub fn new(bulk_operation_arn: impl Into<String>) -> Self {
        Self {
            bulk_operation_arn: Some(bulk_operation_arn.into()),
        }
    }

    /// Checks everything that can be judged without the operation.
    pub fn validate(self) -> Result<ValidDescribeBulkOperation, Error> {
        Ok(ValidDescribeBulkOperation {
            operation: TransferArn::require(&self.bulk_operation_arn, Transfer::BulkOperation)?,
        })
    }
}
