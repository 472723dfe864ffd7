//! The requests that stores send, and their answers, as JSON. DynamoDB has many more, and a small program need not have them
//! all: `api` has one function for each of them, and this names those of stores.

use monotable_api::{
    BatchGetItemOutput, BatchWriteItemOutput, CreateTableOutput, DeleteItemOutput,
    DescribeContinuousBackupsOutput, DescribeTableOutput, DescribeTimeToLiveOutput,
    Error as ServiceError, GetItemOutput, OperationName, PutItemOutput, QueryOutput, Request,
    Response, ScanOutput, TransactGetItemsOutput, TransactWriteItemsOutput,
    UpdateContinuousBackupsOutput, UpdateItemOutput, UpdateTableOutput, UpdateTimeToLiveOutput,
};
use serde::de::DeserializeOwned;

macro_rules! sent {
    ($($operation:ident => $output:ty;)+) => {
        /// The body of a request that a store sends.
        pub fn encode_request(request: &Request) -> Result<Vec<u8>, ServiceError> {
            match request {
                $(Request::$operation(input) => {
                    serde_json::to_vec(input).map_err(ServiceError::validation)
                })+
                other => Err(unknown(other.operation())),
            }
        }

        /// The answer to a request that a store sends, from its body.
        pub fn decode_response(
            operation: OperationName,
            body: &[u8],
        ) -> Result<Response, ServiceError> {
            match operation {
                $(OperationName::$operation => {
                    decode::<$output>(body).map(Response::$operation)
                })+
                other => Err(unknown(other)),
            }
        }
    };
}

sent! {
    BatchGetItem => BatchGetItemOutput;
    BatchWriteItem => BatchWriteItemOutput;
    CreateTable => CreateTableOutput;
    DeleteItem => DeleteItemOutput;
    DescribeContinuousBackups => DescribeContinuousBackupsOutput;
    DescribeTable => DescribeTableOutput;
    DescribeTimeToLive => DescribeTimeToLiveOutput;
    GetItem => GetItemOutput;
    PutItem => PutItemOutput;
    Query => QueryOutput;
    Scan => ScanOutput;
    TransactGetItems => TransactGetItemsOutput;
    TransactWriteItems => TransactWriteItemsOutput;
    UpdateContinuousBackups => UpdateContinuousBackupsOutput;
    UpdateItem => UpdateItemOutput;
    UpdateTable => UpdateTableOutput;
    UpdateTimeToLive => UpdateTimeToLiveOutput;
}

fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, ServiceError> {
    serde_json::from_slice(body).map_err(ServiceError::serialization)
}

fn unknown(operation: OperationName) -> ServiceError {
    ServiceError::internal(format_args!("no store sends {operation}"))
}
