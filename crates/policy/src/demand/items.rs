//! The operations on items.

use super::item_access::{ItemAccess, word};
use super::{batches, pages, statements};
use monotable_api::{DeleteItemInput, Error, GetItemInput, PutItemInput, Request, UpdateItemInput};

/// The accesses of a request; none for an operation that is not about items.
pub(super) fn accesses(request: &Request) -> Result<Option<Vec<ItemAccess>>, Error> {
    let accesses = match request {
        Request::GetItem(input) => vec![get(input)?],
        Request::PutItem(input) => vec![put(input)?],
        Request::UpdateItem(input) => vec![update(input)?],
        Request::DeleteItem(input) => vec![delete(input)?],
        Request::Query(input) => vec![pages::query(input)?],
        Request::Scan(input) => vec![pages::scan(input)?],
        Request::SearchVectors(input) => vec![pages::search_vectors(input)?],
        Request::BatchGetItem(input) => batches::batch_get(input)?,
        Request::BatchWriteItem(input) => batches::batch_write(input)?,
        Request::TransactGetItems(input) => batches::transact_get(input)?,
        Request::TransactWriteItems(input) => batches::transact_write(input)?,
        Request::ExecuteStatement(input) => statements::execute(input)?,
        Request::BatchExecuteStatement(input) => statements::batch(input)?,
        Request::ExecuteTransaction(input) => statements::transaction(input)?,
        _ => return Ok(None),
    };
    Ok(Some(accesses))
}

fn get(input: &GetItemInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    Ok(ItemAccess::new("GetItem", valid.table)
        .item(valid.key)
        .projection(valid.projection.as_ref())
        .capacity(word(&input.return_consumed_capacity)))
}

fn put(input: &PutItemInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    let on_failure = &input.return_values_on_condition_check_failure;
    Ok(ItemAccess::new("PutItem", valid.table)
        .item(valid.item)
        .condition(valid.condition.as_ref())
        .returns(word(&input.return_values), on_failure)
        .capacity(word(&input.return_consumed_capacity)))
}

fn update(input: &UpdateItemInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    let on_failure = &input.return_values_on_condition_check_failure;
    Ok(ItemAccess::new("UpdateItem", valid.table)
        .item(valid.key)
        .update(valid.update.as_ref())
        .condition(valid.condition.as_ref())
        .returns(word(&input.return_values), on_failure)
        .capacity(word(&input.return_consumed_capacity)))
}

fn delete(input: &DeleteItemInput) -> Result<ItemAccess, Error> {
    let valid = input.clone().validate()?;
    let on_failure = &input.return_values_on_condition_check_failure;
    Ok(ItemAccess::new("DeleteItem", valid.table)
        .item(valid.key)
        .condition(valid.condition.as_ref())
        .returns(word(&input.return_values), on_failure)
        .capacity(word(&input.return_consumed_capacity)))
}
