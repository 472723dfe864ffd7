//! DescribeImport: how far an import is.

use crate::structure::structure;
use crate::transfer_arn::{Transfer, TransferArn};
use crate::{Error, ImportTableDescription};

structure! {
    /// A DescribeImport request.
    pub struct DescribeImportInput {
        /// The import.
        import_arn: String,
    }

    /// A DescribeImport answer.
    pub struct DescribeImportOutput {
        /// The import.
        import_table_description: ImportTableDescription,
    }
}

/// A DescribeImport request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeImport {
    /// The import.
    pub import: TransferArn,
}

impl DescribeImportInput {
    /// Describes this import.
    pub fn new(import_arn: impl Into<String>) -> Self {
        Self {
            import_arn: Some(import_arn.into()),
        }
    }

    /// Checks everything that can be judged without the import.
    pub fn validate(self) -> Result<ValidDescribeImport, Error> {
        Ok(ValidDescribeImport {
            import: TransferArn::require(&self.import_arn, Transfer::Import)?,
        })
    }
}
