//! Single items: every type there and back, returned values, conditions, consumed capacity.

use crate::library::{Library, item, key, loan, n, s};
use aws_sdk_dynamodb::operation::RequestId;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};

#[tokio::test]
async fn every_type_comes_back_as_it_went() {
    let library = Library::new().await;
    let mut every_type = key("ada", 1);
    every_type.extend(item([
        ("Text", s("Grüße, 世界 \u{1f4da}")),
        ("Empty", s("")),
        ("Digits", n("12345678901234567890123456789012345678")),
        ("Fraction", n("-0.25")),
        (
            "Bytes",
            AttributeValue::B(Blob::new((0..=255).collect::<Vec<u8>>())),
        ),
        ("Yes", AttributeValue::Bool(true)),
        ("No", AttributeValue::Bool(false)),
        ("Nothing", AttributeValue::Null(true)),
        ("Words", AttributeValue::Ss(vec!["one".to_owned()])),
        ("Numbers", AttributeValue::Ns(vec!["2.5".to_owned()])),
        ("Blobs", AttributeValue::Bs(vec![Blob::new([1])])),
        (
            "List",
            AttributeValue::L(vec![s("a"), AttributeValue::L(vec![n(1)])]),
        ),
        (
            "Map",
            AttributeValue::M(item([("a.b", AttributeValue::M(item([])))])),
        ),
    ]));
    library.put(every_type.clone()).await;
    assert_eq!(library.get(key("ada", 1)).await, Some(every_type));
    assert_eq!(library.get(key("nobody", 1)).await, None);
}

#[tokio::test]
async fn a_number_of_39_digits_is_refused() {
    let library = Library::new().await;
    let put = library
        .client
        .put_item()
        .table_name(&library.table)
        .set_item(Some(key("ada", 1)));
    let error = put
        .item("N", n("1".repeat(39)))
        .send()
        .await
        .unwrap_err()
        .into_service_error();
    assert_eq!(error.meta().code(), Some("ValidationException"));
    assert!(
        error
            .meta()
            .message()
            .unwrap()
            .contains("more than 38 significant digits")
    );
}

#[tokio::test]
async fn writes_return_what_they_are_asked_for() {
    let library = Library::new().await;
    let put = library
        .client
        .put_item()
        .table_name(&library.table)
        .set_item(Some(loan("ada", 1)));
    let put = put.return_values(ReturnValue::AllOld);
    assert_eq!(put.clone().send().await.unwrap().attributes, None);
    assert_eq!(put.send().await.unwrap().attributes, Some(loan("ada", 1)));
    let update = |returned| {
        let update = library
            .client
            .update_item()
            .table_name(&library.table)
            .set_key(Some(key("ada", 1)));
        let update = update
            .update_expression("ADD Pages :one")
            .expression_attribute_values(":one", n(1));
        update.return_values(returned).send()
    };
    assert_eq!(update(ReturnValue::None).await.unwrap().attributes, None);
    assert_eq!(
        update(ReturnValue::AllOld)
            .await
            .unwrap()
            .attributes
            .unwrap()["Pages"],
        n(1000)
    );
    assert_eq!(
        update(ReturnValue::UpdatedOld).await.unwrap().attributes,
        Some(item([("Pages", n(1001))]))
    );
    assert_eq!(
        update(ReturnValue::AllNew)
            .await
            .unwrap()
            .attributes
            .unwrap()["Pages"],
        n(1003)
    );
    assert_eq!(
        update(ReturnValue::UpdatedNew).await.unwrap().attributes,
        Some(item([("Pages", n(1004))]))
    );
    let delete = library
        .client
        .delete_item()
        .table_name(&library.table)
        .set_key(Some(key("ada", 1)));
    let delete = delete.return_values(ReturnValue::AllOld);
    assert_eq!(
        delete.clone().send().await.unwrap().attributes.unwrap()["Pages"],
        n(1004)
    );
    assert_eq!(delete.send().await.unwrap().attributes, None);
}

#[tokio::test]
async fn a_failed_condition_is_an_exception_with_the_item() {
    let library = Library::with_loans([1]).await;
    let put = library
        .client
        .put_item()
        .table_name(&library.table)
        .set_item(Some(key("ada", 1)));
    let put = put.condition_expression("attribute_not_exists(PK)");
    let put =
        put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    let error = put.send().await.unwrap_err().into_service_error();
    assert_eq!(error.request_id().unwrap().len(), 52);
    let aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(
        failed,
    ) = error
    else {
        panic!("{error:?}");
    };
    assert_eq!(failed.message(), Some("The conditional request failed"));
    assert_eq!(failed.item, Some(loan("ada", 1)));
    assert_eq!(library.get(key("ada", 1)).await, Some(loan("ada", 1)));
}

#[tokio::test]
async fn a_missing_key_is_refused() {
    let library = Library::new().await;
    let put = library
        .client
        .put_item()
        .table_name(&library.table)
        .item("PK", s("a"));
    let error = put.send().await.unwrap_err().into_service_error();
    assert_eq!(error.meta().code(), Some("ValidationException"));
    let expected = "One or more parameter values were invalid: Missing the key SK in the item";
    assert_eq!(error.meta().message(), Some(expected));
}

#[tokio::test]
async fn consumed_capacity_counts_the_indexes() {
    let library = Library::new().await;
    let put = library
        .client
        .put_item()
        .table_name(&library.table)
        .set_item(Some(loan("ada", 1)));
    let written = put
        .return_consumed_capacity(ReturnConsumedCapacity::Indexes)
        .send()
        .await
        .unwrap();
    let capacity = written.consumed_capacity.unwrap();
    assert_eq!(capacity.capacity_units, Some(3.0));
    assert_eq!(
        capacity.global_secondary_indexes.unwrap()["ByBranch"].capacity_units,
        Some(1.0)
    );
    assert_eq!(
        capacity.local_secondary_indexes.unwrap()["ByPages"].capacity_units,
        Some(1.0)
    );
    for (consistent, units) in [(false, 0.5), (true, 1.0)] {
        let get = library
            .client
            .get_item()
            .table_name(&library.table)
            .set_key(Some(key("ada", 1)));
        let get = get
            .consistent_read(consistent)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        assert_eq!(
            get.send()
                .await
                .unwrap()
                .consumed_capacity
                .unwrap()
                .capacity_units,
            Some(units)
        );
    }
}
