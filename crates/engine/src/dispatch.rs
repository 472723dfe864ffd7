//! Every operation as a method of [`Engine`], and all of them through [`Dynamo`].

use crate::engine::Engine;
use crate::ops::Execute;
use monotable_api::{
    BatchGetItem, BatchWriteItem, BoxFuture, CreateTable, DeleteItem, DeleteTable,
    DescribeEndpoints, DescribeLimits, DescribeTable, DescribeTimeToLive, Dynamo, Error, GetItem,
    ListTables, Operation, PutItem, Query, Request, Response, Scan, TransactGetItems,
    TransactWriteItems, UpdateItem, UpdateTable, UpdateTimeToLive,
};

impl Engine {
    fn run<O: Execute<Output: Send + 'static>>(&self, input: O::Input) -> Result<O::Output, Error> {
        O::start(self.core(), input)?.wait()
    }

    async fn answer<O>(&self, input: O::Input) -> Result<Response, Error>
    where
        O: Execute<Output: Send + Into<Response> + 'static>,
    {
        // Started outside of the await: nothing borrowed is held across it.
        let step = O::start(self.core(), input)?;
        step.resolve(&self.core().pool).await.map(Into::into)
    }
}

/// A blocking method for each operation, and one arm of `call`. The match is exhaustive: an operation
/// of the table that is missing here does not compile.
macro_rules! operations {
    ($( $(#[$meta:meta])* $operation:ident, $method:ident; )*) => {
        impl Engine {
            $(
                $(#[$meta])*
                pub fn $method(
                    &self,
                    input: <$operation as Operation>::Input,
                ) -> Result<<$operation as Operation>::Output, Error> {
                    self.run::<$operation>(input)
                }
            )*
        }

        impl Dynamo for Engine {
            fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
                match request {
                    $( Request::$operation(input) => Box::pin(self.answer::<$operation>(input)), )*
                }
            }
        }
    };
}

operations! {
    /// Reads up to a hundred items.
    BatchGetItem, batch_get_item;
    /// Puts and deletes up to 25 items.
    BatchWriteItem, batch_write_item;
    /// Creates a table.
    CreateTable, create_table;
    /// Deletes an item.
    DeleteItem, delete_item;
    /// Deletes a table.
    DeleteTable, delete_table;
    /// Says where the service is.
    DescribeEndpoints, describe_endpoints;
    /// Says how many units an account may provision.
    DescribeLimits, describe_limits;
    /// Describes a table.
    DescribeTable, describe_table;
    /// Says whether items of a table go by themselves.
    DescribeTimeToLive, describe_time_to_live;
    /// Reads an item.
    GetItem, get_item;
    /// Lists tables.
    ListTables, list_tables;
    /// Puts an item.
    PutItem, put_item;
    /// Reads items of one partition.
    Query, query;
    /// Reads all items.
    Scan, scan;
    /// Reads up to a hundred items at one point in time.
    TransactGetItems, transact_get_items;
    /// Writes up to a hundred items, all or none.
    TransactWriteItems, transact_write_items;
    /// Changes an item.
    UpdateItem, update_item;
    /// Changes a table.
    UpdateTable, update_table;
    /// Says by which attribute items of a table go by themselves.
    UpdateTimeToLive, update_time_to_live;
}
