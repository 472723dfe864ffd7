//! Requests that write.

use super::{Outgoing, Touched};
use crate::address::Address;
use monotable_api::{
    BatchWriteItemInput, DeleteItemInput, DeleteRequest, PutItemInput, PutRequest, Request,
    ReturnValue, ReturnValuesOnConditionCheckFailure, TransactConditionCheck, TransactDelete,
    TransactPut, TransactUpdate, TransactWriteItem, TransactWriteItemsInput, UpdateItemInput,
    WriteRequest,
};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::Model;
use std::collections::BTreeMap;

/// What is done to an item.
#[derive(Clone, Debug)]
pub(crate) enum WriteVerb {
    Put(EncodedItem),
    /// Changes it as an update expression says.
    Update(String),
    Delete,
    /// Only holds it against the condition.
    Check,
}

/// The condition of a write, and the names and values of its expressions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clauses {
    pub(crate) condition: Option<String>,
    pub(crate) names: BTreeMap<String, String>,
    pub(crate) values: Item,
}

/// A write of one item.
#[derive(Clone, Debug)]
pub(crate) struct ItemWrite<'a> {
    pub(crate) address: &'a Address,
    pub(crate) verb: WriteVerb,
    pub(crate) clauses: Clauses,
}

/// Sets what the inputs of all writes have: the condition, and the names and values of expressions.
macro_rules! with_clauses {
    ($input:expr, $clauses:expr) => {{
        let mut input = $input;
        let Clauses {
            condition,
            names,
            values,
        } = $clauses;
        if condition.is_some() {
            input.condition_expression = condition;
            let all_old = ReturnValuesOnConditionCheckFailure::AllOld;
            input.return_values_on_condition_check_failure = Some(all_old.into());
        }
        if !names.is_empty() {
            input.expression_attribute_names = Some(names);
        }
        if !values.is_empty() {
            input.expression_attribute_values = Some(values.into());
        }
        input
    }};
}

/// Writes one item by itself. A check by itself is a delete that its condition must refuse, so nobody asks for one.
pub(crate) fn write<'a>(model: &Model, write: ItemWrite<'a>) -> Outgoing<'a> {
    let ItemWrite {
        address,
        verb,
        clauses,
    } = write;
    let table = model.table(address.table()).physical.clone();
    let request = match verb {
        WriteVerb::Put(item) => {
            Request::PutItem(with_clauses!(PutItemInput::new(table, item), clauses))
        }
        WriteVerb::Update(update) => {
            let input = UpdateItemInput::new(table, address.encoded_key(model)).update(update);
            Request::UpdateItem(with_clauses!(input, clauses))
        }
        WriteVerb::Delete | WriteVerb::Check => {
            let input = DeleteItemInput::new(table, address.encoded_key(model));
            Request::DeleteItem(with_clauses!(input, clauses))
        }
    };
    Outgoing::new(request, Touched::Item(address))
}

/// Changes one item by itself, and is answered with the item as it is then.
pub(crate) fn update_for_item<'a>(
    model: &Model,
    address: &'a Address,
    update: String,
    clauses: Clauses,
) -> Outgoing<'a> {
    let table = model.table(address.table()).physical.clone();
    let mut input = UpdateItemInput::new(table, address.encoded_key(model))
        .update(update)
        .return_values(ReturnValue::AllNew);
    input.condition_expression = clauses.condition;
    input.expression_attribute_names = Some(clauses.names);
    if !clauses.values.is_empty() {
        input.expression_attribute_values = Some(clauses.values.into());
    }
    Outgoing::new(Request::UpdateItem(input), Touched::Item(address))
}

/// Writes several items in one transaction, which DynamoDB knows by `token` when it is sent again.
pub(crate) fn transact<'a>(model: &Model, writes: Vec<ItemWrite<'a>>, token: &str) -> Outgoing<'a> {
    let touches = Touched::Items(writes.iter().map(|write| write.address).collect());
    let items = writes.into_iter().map(|write| part(model, write));
    let input = TransactWriteItemsInput {
        transact_items: Some(items.collect()),
        client_request_token: Some(token.to_owned()),
        ..TransactWriteItemsInput::default()
    };
    Outgoing::new(Request::TransactWriteItems(input), touches)
}

fn part(model: &Model, write: ItemWrite<'_>) -> TransactWriteItem {
    let ItemWrite {
        address,
        verb,
        clauses,
    } = write;
    let table = model.table(address.table()).physical.clone();
    match verb {
        WriteVerb::Put(item) => with_clauses!(TransactPut::new(table, item), clauses).into(),
        WriteVerb::Update(update) => {
            let input = TransactUpdate::new(table, address.encoded_key(model), update);
            with_clauses!(input, clauses).into()
        }
        WriteVerb::Delete => with_clauses!(
            TransactDelete::new(table, address.encoded_key(model)),
            clauses
        )
        .into(),
        WriteVerb::Check => {
            let input = TransactConditionCheck {
                table_name: Some(table),
                key: Some(address.encoded_key(model).into()),
                ..TransactConditionCheck::default()
            };
            with_clauses!(input, clauses).into()
        }
    }
}

/// Puts as many items as DynamoDB takes in one request, without conditions.
pub(crate) fn batch_put(model: &Model, items: Vec<(Address, EncodedItem)>) -> Outgoing<'static> {
    let writes = items.into_iter().map(|(address, item)| {
        let put = WriteRequest {
            put_request: Some(PutRequest {
                item: Some(item.into()),
            }),
            ..WriteRequest::default()
        };
        (address, put)
    });
    batch_write(model, writes)
}

/// Deletes as many items as DynamoDB takes in one request, without conditions.
pub(crate) fn batch_delete(model: &Model, addresses: Vec<Address>) -> Outgoing<'static> {
    let writes = addresses.into_iter().map(|address| {
        let key = address.encoded_key(model);
        let delete = WriteRequest {
            delete_request: Some(DeleteRequest {
                key: Some(key.into()),
            }),
            ..WriteRequest::default()
        };
        (address, delete)
    });
    batch_write(model, writes)
}

fn batch_write(
    model: &Model,
    writes: impl Iterator<Item = (Address, WriteRequest)>,
) -> Outgoing<'static> {
    let mut input = BatchWriteItemInput::default();
    let mut partitions = Vec::new();
    for (address, write) in writes {
        partitions.push(address.partition());
        input = input.and(model.table(address.table()).physical.clone(), [write]);
    }
    Outgoing::new(
        Request::BatchWriteItem(input),
        Touched::Partitions(partitions),
    )
}
