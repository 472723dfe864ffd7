//! What writes are answered with that are not carried out.

use super::{Target, units};
use monotable_api::{
    BatchWriteItemOutput, DeleteItemOutput, Error as ServiceError, PutItemOutput, Request,
    Response, ReturnValue, TransactWriteItemsOutput, UpdateItemInput, UpdateItemOutput,
};
use monotable_item::EncodedItem;

/// The answer to a write, as if it had been carried out; none for a read.
pub(super) async fn answer_write(
    target: Target<'_>,
    request: &Request,
) -> Option<Result<Response, ServiceError>> {
    Some(Ok(match request {
        Request::PutItem(_) => Response::PutItem(PutItemOutput::default()),
        Request::UpdateItem(input) => return Some(answer_update(target, input).await),
        Request::DeleteItem(_) => Response::DeleteItem(DeleteItemOutput::default()),
        Request::TransactWriteItems(_) => {
            Response::TransactWriteItems(TransactWriteItemsOutput::default())
        }
        Request::BatchWriteItem(_) => Response::BatchWriteItem(BatchWriteItemOutput::default()),
        _ => return None,
    }))
}

/// An update that nothing was read for is answered with the item that it would leave, if its condition holds of the stored
/// one. Every other was decided from what was read, so it succeeds.
async fn answer_update(
    target: Target<'_>,
    input: &UpdateItemInput,
) -> Result<Response, ServiceError> {
    let valid = input.clone().validate()?;
    let mut output = UpdateItemOutput::default();
    if valid.return_values == ReturnValue::AllNew {
        let stored = units::stored_for_update(target, input).await;
        let view = EncodedItem::from(stored.clone().unwrap_or_default());
        let holds = valid
            .condition
            .is_none_or(|condition| condition.matches(view.view()));
        if !holds {
            return Err(ServiceError::ConditionalCheckFailedException {
                message: "the condition does not hold".to_owned(),
                item: None,
            });
        }
        output.attributes = stored.map(|item| units::apply_update(item, input).into());
    }
    Ok(Response::UpdateItem(output))
}
