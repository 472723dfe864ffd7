//! Calling a DynamoDB through the typed methods.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BoxFuture, Dynamo, DynamoExt, Error, GetItemInput, GetItemOutput, ListTablesInput,
    ListTablesOutput, Request, Response,
};
use monotable_item::{EncodedItem, Item};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Answers GetItem with the key it was asked for, and everything else with a list of tables.
struct Echo;

impl Dynamo for Echo {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        let answer = match request {
            Request::GetItem(input) => {
                let item = input.key.and_then(|key| key.into_checked().ok());
                Response::from(GetItemOutput {
                    item,
                    consumed_capacity: None,
                })
            }
            _ => Response::from(ListTablesOutput::default()),
        };
        Box::pin(async move { Ok(answer) })
    }
}

/// The result of a future that never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("the future waits"),
    }
}

#[test]
fn a_typed_request_gets_a_typed_answer() {
    let key = Item::new().with("pk", "a");
    let output = now(Echo.get_item(GetItemInput::new("abc", key.clone()))).unwrap();
    assert_eq!(output.item, Some(EncodedItem::from(key)));
}

#[test]
fn shared_and_boxed_ones_are_called_the_same_way() {
    let shared: Arc<dyn Dynamo> = Arc::new(Echo);
    assert_eq!(
        now(shared.list_tables(ListTablesInput::new())),
        Ok(ListTablesOutput::default())
    );
    let boxed: Box<dyn Dynamo> = Box::new(Echo);
    assert_eq!(
        now(boxed.list_tables(ListTablesInput::new())),
        Ok(ListTablesOutput::default())
    );
}

#[test]
fn the_futures_can_move_between_threads() {
    fn is_send(_: impl Send) {}
    is_send(Echo.list_tables(ListTablesInput::new()));
}

#[test]
fn an_answer_of_another_operation_is_an_error() {
    let error = now(Echo.describe_limits(Default::default())).unwrap_err();
    assert_eq!(
        error,
        Error::internal("asked for DescribeLimits and got the answer of ListTables"),
    );
}
