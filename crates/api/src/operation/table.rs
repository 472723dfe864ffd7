//! The table of operations. A new operation is one line here and one file beside `put_item.rs`.

use super::Operation;
use super::decode::decode;
use crate::dynamo::Dynamo;
use crate::{
    BatchGetItemInput, BatchGetItemOutput, BatchWriteItemInput, BatchWriteItemOutput,
    CreateTableInput, CreateTableOutput, DeleteItemInput, DeleteItemOutput, DeleteTableInput,
    DeleteTableOutput, DescribeEndpointsInput, DescribeEndpointsOutput, DescribeLimitsInput,
    DescribeLimitsOutput, DescribeTableInput, DescribeTableOutput, DescribeTimeToLiveInput,
    DescribeTimeToLiveOutput, Error, GetItemInput, GetItemOutput, ListTablesInput,
    ListTablesOutput, PutItemInput, PutItemOutput, QueryInput, QueryOutput, ScanInput, ScanOutput,
    TransactGetItemsInput, TransactGetItemsOutput, TransactWriteItemsInput,
    TransactWriteItemsOutput, UpdateItemInput, UpdateItemOutput, UpdateTableInput,
    UpdateTableOutput, UpdateTimeToLiveInput, UpdateTimeToLiveOutput, wording,
};
use std::fmt;
use std::io;

/// The version of the API that stands before the operation in `X-Amz-Target`.
const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// Declares the operations and everything that is the same for each of them.
macro_rules! operations {
    ($( $(#[$meta:meta])* $operation:ident($input:ident) -> $output:ident, $method:ident; )*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug)]
            pub struct $operation;

            impl Operation for $operation {
                const NAME: OperationName = OperationName::$operation;
                type Input = $input;
                type Output = $output;
            }
        )*

        /// The name of an operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum OperationName { $( $(#[$meta])* $operation, )* }

        impl OperationName {
            /// All operations.
            pub const ALL: &'static [Self] = &[$( Self::$operation, )*];

            /// The name as AWS writes it.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$operation => stringify!($operation), )* }
            }
        }

        /// A request of any operation.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Request { $( $(#[$meta])* $operation($input), )* }

        /// An answer of any operation.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Response { $( $(#[$meta])* $operation($output), )* }

        impl Request {
            /// The operation.
            pub const fn operation(&self) -> OperationName {
                match self { $( Self::$operation(_) => OperationName::$operation, )* }
            }

            /// Reads the body of a request.
            pub fn decode(operation: OperationName, body: &[u8]) -> Result<Self, Error> {
                match operation {
                    $( OperationName::$operation => decode(body).map(Self::$operation), )*
                }
            }

            /// Checks everything that can be judged without the tables, and keeps nothing of it.
            pub fn check(self) -> Result<(), Error> {
                match self { $( Self::$operation(input) => input.validate().map(drop), )* }
            }

            /// Writes the body of the request.
            pub fn write_json(&self, writer: impl io::Write) -> serde_json::Result<()> {
                match self {
                    $( Self::$operation(input) => serde_json::to_writer(writer, input), )*
                }
            }
        }

        impl Response {
            /// The operation.
            pub const fn operation(&self) -> OperationName {
                match self { $( Self::$operation(_) => OperationName::$operation, )* }
            }

            /// Reads the body of an answer.
            pub fn decode(operation: OperationName, body: &[u8]) -> Result<Self, Error> {
                match operation {
                    $( OperationName::$operation => decode(body).map(Self::$operation), )*
                }
            }

            /// Writes the body of the answer.
            pub fn write_json(&self, writer: impl io::Write) -> serde_json::Result<()> {
                match self {
                    $( Self::$operation(output) => serde_json::to_writer(writer, output), )*
                }
            }
        }

        $(
            impl From<$input> for Request {
                fn from(input: $input) -> Self {
                    Self::$operation(input)
                }
            }

            impl From<$output> for Response {
                fn from(output: $output) -> Self {
                    Self::$operation(output)
                }
            }

            impl TryFrom<Response> for $output {
                type Error = Error;

                fn try_from(response: Response) -> Result<Self, Error> {
                    match response {
                        Response::$operation(output) => Ok(output),
                        other => Err(wrong_answer(OperationName::$operation, other.operation())),
                    }
                }
            }
        )*

        /// The operations as methods of anything that is a [`Dynamo`].
        pub trait DynamoExt: Dynamo {
            $(
                $(#[$meta])*
                fn $method(
                    &self,
                    input: $input,
                ) -> impl Future<Output = Result<$output, Error>> + Send {
                    let answer = self.call(Request::$operation(input));
                    async move { answer.await?.try_into() }
                }
            )*
        }

        impl<D: Dynamo + ?Sized> DynamoExt for D {}
    };
}

operations! {
    /// Reads up to a hundred items.
    BatchGetItem(BatchGetItemInput) -> BatchGetItemOutput, batch_get_item;
    /// Writes and removes up to 25 items.
    BatchWriteItem(BatchWriteItemInput) -> BatchWriteItemOutput, batch_write_item;
    /// Creates a table.
    CreateTable(CreateTableInput) -> CreateTableOutput, create_table;
    /// Removes an item.
    DeleteItem(DeleteItemInput) -> DeleteItemOutput, delete_item;
    /// Removes a table.
    DeleteTable(DeleteTableInput) -> DeleteTableOutput, delete_table;
    /// Says where the service is to be found.
    DescribeEndpoints(DescribeEndpointsInput) -> DescribeEndpointsOutput, describe_endpoints;
    /// Says how many units an account may provision.
    DescribeLimits(DescribeLimitsInput) -> DescribeLimitsOutput, describe_limits;
    /// Describes a table.
    DescribeTable(DescribeTableInput) -> DescribeTableOutput, describe_table;
    /// Says whether items of a table go by themselves.
    DescribeTimeToLive(DescribeTimeToLiveInput) -> DescribeTimeToLiveOutput, describe_time_to_live;
    /// Reads an item.
    GetItem(GetItemInput) -> GetItemOutput, get_item;
    /// Lists tables.
    ListTables(ListTablesInput) -> ListTablesOutput, list_tables;
    /// Writes an item.
    PutItem(PutItemInput) -> PutItemOutput, put_item;
    /// Reads items of one partition.
    Query(QueryInput) -> QueryOutput, query;
    /// Reads all items.
    Scan(ScanInput) -> ScanOutput, scan;
    /// Reads up to a hundred items at one point in time.
    TransactGetItems(TransactGetItemsInput) -> TransactGetItemsOutput, transact_get_items;
    /// Writes up to a hundred items, all or none.
    TransactWriteItems(TransactWriteItemsInput) -> TransactWriteItemsOutput, transact_write_items;
    /// Changes an item.
    UpdateItem(UpdateItemInput) -> UpdateItemOutput, update_item;
    /// Changes a table.
    UpdateTable(UpdateTableInput) -> UpdateTableOutput, update_table;
    /// Says by which attribute items of a table go by themselves.
    UpdateTimeToLive(UpdateTimeToLiveInput) -> UpdateTimeToLiveOutput, update_time_to_live;
}

impl OperationName {
    /// The operation that a header `X-Amz-Target` asks for.
    pub fn from_target(target: &str) -> Result<Self, Error> {
        let name = target.strip_prefix(TARGET_PREFIX);
        name.map_or_else(
            || Err(unknown(wording::no_operation(target, TARGET_PREFIX))),
            str::parse,
        )
    }

    /// The header `X-Amz-Target` that asks for the operation.
    pub fn target(self) -> String {
        format!("{TARGET_PREFIX}{self}")
    }
}

impl std::str::FromStr for OperationName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL
            .iter()
            .find(|operation| operation.as_str() == name);
        known.copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|known| known.as_str()).collect();
            unknown(wording::unknown_operation(name, &names))
        })
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const fn unknown(message: String) -> Error {
    Error::UnknownOperationException { message }
}

fn wrong_answer(asked: OperationName, answered: OperationName) -> Error {
    Error::internal(format_args!(
        "asked for {asked} and got the answer of {answered}"
    ))
}

impl Request {
    /// The body of the request.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        // A request can hold a value that no DynamoDB would take, and then has no JSON.
        self.write_json(&mut body).map_err(Error::validation)?;
        Ok(body)
    }
}

impl Response {
    /// Fills in what only the server knows that was asked: its address, host and port.
    pub fn answer_from(&mut self, host: &str) {
        if let Self::DescribeEndpoints(output) = self {
            output.answer_from(host);
        }
    }

    /// The body of the answer.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        self.write_json(&mut body).map_err(Error::internal)?;
        Ok(body)
    }
}
