//! DescribeExport: how far an export is.

use crate::structure::structure;
use crate::transfer_arn::{Transfer, TransferArn};
use crate::{Error, ExportDescription};

structure! {
    /// A DescribeExport request.
    pub struct DescribeExportInput {
        /// The export.
        export_arn: String,
    }

    /// A DescribeExport answer.
    pub struct DescribeExportOutput {
        /// The export.
        export_description: ExportDescription,
    }
}

/// A DescribeExport request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeExport {
    /// The export.
    pub export: TransferArn,
}

impl DescribeExportInput {
    /// Describes this export.
    pub fn new(export_arn: impl Into<String>) -> Self {
        Self {
            export_arn: Some(export_arn.into()),
        }
    }

    /// Checks everything that can be judged without the export.
    pub fn validate(self) -> Result<ValidDescribeExport, Error> {
        Ok(ValidDescribeExport {
            export: TransferArn::require(&self.export_arn, Transfer::Export)?,
        })
    }
}
