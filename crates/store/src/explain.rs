//! What an operation would send.

use crate::error::Error;
use crate::execute;
use crate::steps::{Answer, Machine, Step};
use crate::store::Store;
use monotable_api::{
    BatchWriteItemOutput, DeleteItemOutput, PutItemOutput, Request, Response,
    TransactWriteItemsOutput, UpdateItemOutput,
};

/// The requests of an operation, in the rounds in which they are sent.
#[derive(Debug, Default)]
pub struct Explanation {
    /// Each round is sent side by side.
    pub rounds: Vec<Vec<Request>>,
}

/// Runs an operation with its reads sent and its writes only noted.
pub(crate) async fn run<T>(store: &Store, mut machine: Machine<T>) -> (Explanation, Result<T, Error>) {
    let mut explanation = Explanation::default();
    let mut answers = Vec::new();
    loop {
        answers = match machine.step(std::mem::take(&mut answers)) {
            Step::Done(result) => return (explanation, result),
            Step::Wait(_) => Vec::new(),
            Step::Send(requests) => {
                let mut answers = Vec::new();
                for request in &requests {
                    answers.push(match written(request) {
                        Some(response) => Answer::of(Ok(response)),
                        None => execute::answer(&*store.dynamo, &store.retry, request.clone()).await,
                    });
                }
                explanation.rounds.push(requests);
                answers
            }
        };
    }
}

/// The answer to a write, as if it had been carried out; none for a read.
fn written(request: &Request) -> Option<Response> {
    Some(match request {
        Request::PutItem(_) => Response::PutItem(PutItemOutput::default()),
        Request::UpdateItem(_) => Response::UpdateItem(UpdateItemOutput::default()),
        Request::DeleteItem(_) => Response::DeleteItem(DeleteItemOutput::default()),
        Request::TransactWriteItems(_) => {
            Response::TransactWriteItems(TransactWriteItemsOutput::default())
        }
        Request::BatchWriteItem(_) => Response::BatchWriteItem(BatchWriteItemOutput::default()),
        _ => return None,
    })
}
