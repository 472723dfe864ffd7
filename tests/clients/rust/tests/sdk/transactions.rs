//! Transactions: all or nothing, reasons in the order of the actions, tokens.

use crate::library::{Library, item, key, loan, n, new_name, s};
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Get, Put, ReturnValuesOnConditionCheckFailure, TransactGetItem,
    TransactWriteItem, Update,
};

fn put(library: &Library, number: u32) -> TransactWriteItem {
    let put = Put::builder()
        .table_name(&library.table)
        .set_item(Some(loan("ada", number)));
    TransactWriteItem::builder()
        .put(put.build().unwrap())
        .build()
}

/// Only where nothing is, and otherwise with what is there.
fn put_new(library: &Library, number: u32) -> TransactWriteItem {
    let put = Put::builder()
        .table_name(&library.table)
        .set_item(Some(key("ada", number)));
    let put = put.condition_expression("attribute_not_exists(PK)");
    let put =
        put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    TransactWriteItem::builder()
        .put(put.build().unwrap())
        .build()
}

fn visit(library: &Library, number: u32) -> TransactWriteItem {
    let update = Update::builder()
        .table_name(&library.table)
        .set_key(Some(key("ada", number)));
    let update = update
        .update_expression("ADD Visits :one")
        .expression_attribute_values(":one", n(1));
    TransactWriteItem::builder()
        .update(update.build().unwrap())
        .build()
}

fn delete(library: &Library, number: u32) -> TransactWriteItem {
    let delete = Delete::builder()
        .table_name(&library.table)
        .set_key(Some(key("ada", number)));
    TransactWriteItem::builder()
        .delete(delete.build().unwrap())
        .build()
}

fn check(library: &Library, number: u32) -> TransactWriteItem {
    let check = ConditionCheck::builder()
        .table_name(&library.table)
        .set_key(Some(key("ada", number)));
    let check = check.condition_expression("attribute_exists(PK)");
    TransactWriteItem::builder()
        .condition_check(check.build().unwrap())
        .build()
}

async fn transact(
    library: &Library,
    token: &str,
    actions: impl IntoIterator<Item = TransactWriteItem>,
) -> Result<(), TransactWriteItemsError> {
    let request = library
        .client
        .transact_write_items()
        .client_request_token(token);
    let sent = request
        .set_transact_items(Some(actions.into_iter().collect()))
        .send()
        .await;
    sent.map(drop).map_err(|error| error.into_service_error())
}

#[tokio::test]
async fn all_four_actions_take_effect() {
    let library = Library::with_loans([1, 2, 3]).await;
    let actions = [
        put(&library, 4),
        visit(&library, 1),
        delete(&library, 2),
        check(&library, 3),
    ];
    transact(&library, &new_name(), actions).await.unwrap();
    assert_eq!(library.get(key("ada", 1)).await.unwrap()["Visits"], n(1));
    assert_eq!(library.get(key("ada", 2)).await, None);
    assert_eq!(library.get(key("ada", 4)).await, Some(loan("ada", 4)));
}

#[tokio::test]
async fn reasons_are_in_the_order_of_the_actions() {
    let library = Library::with_loans([1, 2]).await;
    let actions = [
        put(&library, 9),
        put_new(&library, 2),
        delete(&library, 1),
        check(&library, 8),
    ];
    let error = transact(&library, &new_name(), actions).await.unwrap_err();
    let TransactWriteItemsError::TransactionCanceledException(canceled) = error else {
        panic!("{error:?}")
    };
    let codes: Vec<_> = canceled
        .cancellation_reasons()
        .iter()
        .map(|reason| reason.code().unwrap())
        .collect();
    assert_eq!(
        codes,
        [
            "None",
            "ConditionalCheckFailed",
            "None",
            "ConditionalCheckFailed"
        ]
    );
    let failed = &canceled.cancellation_reasons()[1];
    assert_eq!(failed.message(), Some("The conditional request failed"));
    assert_eq!(failed.item, Some(loan("ada", 2)));
    assert_eq!(canceled.cancellation_reasons()[3].item, None);
    assert_eq!(library.get(key("ada", 1)).await, Some(loan("ada", 1)));
    assert_eq!(library.get(key("ada", 9)).await, None);
}

#[tokio::test]
async fn a_token_makes_a_retry_harmless() {
    let (library, token) = (Library::new().await, new_name());
    transact(&library, &token, [visit(&library, 1)])
        .await
        .unwrap();
    transact(&library, &token, [visit(&library, 1)])
        .await
        .unwrap();
    assert_eq!(library.get(key("ada", 1)).await.unwrap()["Visits"], n(1));
    let error = transact(&library, &token, [delete(&library, 1)])
        .await
        .unwrap_err();
    assert!(error.is_idempotent_parameter_mismatch_exception());
}

#[tokio::test]
async fn reads_come_in_order_with_gaps() {
    let library = Library::with_loans([1, 3]).await;
    let gets = [3, 2, 1].map(|number| {
        let get = Get::builder()
            .table_name(&library.table)
            .set_key(Some(key("ada", number)));
        TransactGetItem::builder()
            .get(get.projection_expression("Title").build().unwrap())
            .build()
    });
    let answer = library
        .client
        .transact_get_items()
        .set_transact_items(Some(gets.into()))
        .send()
        .await
        .unwrap();
    let found: Vec<_> = answer
        .responses
        .unwrap()
        .into_iter()
        .map(|response| response.item)
        .collect();
    assert_eq!(
        found,
        [
            Some(item([("Title", s("Volume 3"))])),
            None,
            Some(item([("Title", s("Volume 1"))]))
        ]
    );
}

#[tokio::test]
async fn a_hundred_actions_and_no_more() {
    let library = Library::new().await;
    transact(
        &library,
        &new_name(),
        (1..=100).map(|number| visit(&library, number)),
    )
    .await
    .unwrap();
    let error = transact(
        &library,
        &new_name(),
        (1..=101).map(|number| visit(&library, number)),
    )
    .await
    .unwrap_err();
    assert!(
        error
            .meta()
            .message()
            .unwrap()
            .contains("less than or equal to 100")
    );
    let error = transact(
        &library,
        &new_name(),
        [visit(&library, 1), delete(&library, 1)],
    )
    .await
    .unwrap_err();
    let expected = "Transaction request cannot include multiple operations on one item";
    assert_eq!(error.meta().message(), Some(expected));
}
