//! What a batch left undone.

use monotable_api::{BatchGetItemInput, BatchWriteItemInput, Request, Response};

/// The request for what is left of a batch; none if everything was done.
pub(super) fn take_rest(response: &mut Response) -> Option<Request> {
    match response {
        Response::BatchGetItem(output) if !output.unprocessed_keys.is_empty() => {
            let request_items = Some(std::mem::take(&mut output.unprocessed_keys));
            Some(Request::BatchGetItem(BatchGetItemInput {
                request_items,
                ..BatchGetItemInput::default()
            }))
        }
        Response::BatchWriteItem(output) if !output.unprocessed_items.is_empty() => {
            let request_items = Some(std::mem::take(&mut output.unprocessed_items));
            Some(Request::BatchWriteItem(BatchWriteItemInput {
                request_items,
                ..BatchWriteItemInput::default()
            }))
        }
        _ => None,
    }
}

/// Two answers to parts of a batch as one.
pub(super) fn join_answers(first: Response, more: Response) -> Response {
    match (first, more) {
        (Response::BatchGetItem(mut first), Response::BatchGetItem(more)) => {
            for (table, items) in more.responses {
                first.responses.entry(table).or_default().extend(items);
            }
            first.unprocessed_keys = more.unprocessed_keys;
            if let (Some(capacity), Some(more)) =
                (&mut first.consumed_capacity, more.consumed_capacity)
            {
                capacity.extend(more);
            }
            Response::BatchGetItem(first)
        }
        (Response::BatchWriteItem(mut first), Response::BatchWriteItem(more)) => {
            first.unprocessed_items = more.unprocessed_items;
            Response::BatchWriteItem(first)
        }
        (first, _) => first,
    }
}
