//! Operations: one table names them all.

mod decode;
mod table;

pub use table::*;

use crate::TableReferences;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// One operation of DynamoDB.
pub trait Operation {
    /// Its name, as in the header `X-Amz-Target: DynamoDB_20120810.PutItem`.
    const NAME: OperationName;
    /// Its request.
    type Input: Serialize + DeserializeOwned + TableReferences;
    /// Its answer.
    type Output: Serialize + DeserializeOwned;
}

impl OperationName {
    /// Whether the operation changes nothing, whatever it is asked for. Statements may read or write, so those of PartiQL are not among them.
    #[must_use]
    pub const fn is_read(self) -> bool {
        match self {
            Self::BatchGetItem
            | Self::DescribeBackup
            | Self::DescribeBulkOperation
            | Self::DescribeContinuousBackups
            | Self::DescribeContributorInsights
            | Self::DescribeEndpoints
            | Self::DescribeExport
            | Self::DescribeGlobalTable
            | Self::DescribeGlobalTableSettings
            | Self::DescribeImport
            | Self::DescribeKinesisStreamingDestination
            | Self::DescribeLimits
            | Self::DescribeStream
            | Self::DescribeTable
            | Self::DescribeTableReplicaAutoScaling
            | Self::DescribeTimeToLive
            | Self::GetItem
            | Self::GetRecords
            | Self::GetResourcePolicy
            | Self::GetShardIterator
            | Self::ListBackups
            | Self::ListBulkOperations
            | Self::ListContributorInsights
            | Self::ListExports
            | Self::ListGlobalTables
            | Self::ListImports
            | Self::ListStreams
            | Self::ListTables
            | Self::ListTagsOfResource
            | Self::Query
            | Self::Scan
            | Self::SearchVectors
            | Self::TransactGetItems => true,
            Self::BatchExecuteStatement
            | Self::BatchWriteItem
            | Self::CancelBulkOperation
            | Self::CreateBackup
            | Self::CreateTable
            | Self::DeleteBackup
            | Self::DeleteItem
            | Self::DeleteResourcePolicy
            | Self::DeleteTable
            | Self::ExecuteStatement
            | Self::ExecuteTransaction
            | Self::ExportTableToPointInTime
            | Self::ImportTable
            | Self::PutItem
            | Self::PutResourcePolicy
            | Self::RestoreTableFromBackup
            | Self::RestoreTableToPointInTime
            | Self::StartBulkPutItems
            | Self::TagResource
            | Self::TransactWriteItems
            | Self::UntagResource
            | Self::UpdateContinuousBackups
            | Self::UpdateContributorInsights
            | Self::UpdateItem
            | Self::UpdateTable
            | Self::UpdateTimeToLive => false,
        }
    }
}
