//! Tables: made, described, listed, waited for, changed, removed.

use crate::library::{Library, PATIENCE, key_schema};
use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::types::{BillingMode, IndexStatus, ProvisionedThroughput, TableStatus};

#[tokio::test]
async fn a_new_table_is_described_as_it_was_asked_for() {
    let library = Library::new().await;
    let described = library
        .client
        .describe_table()
        .table_name(&library.table)
        .send()
        .await
        .unwrap();
    let table = described.table.unwrap();
    assert_eq!(table.table_status, Some(TableStatus::Active));
    assert_eq!(table.key_schema, Some(key_schema("PK", "SK")));
    assert_eq!(
        table.billing_mode_summary.unwrap().billing_mode,
        Some(BillingMode::PayPerRequest)
    );
    assert!(
        table
            .table_arn
            .unwrap()
            .ends_with(&format!(":table/{}", library.table))
    );
    assert_eq!(table.item_count, Some(0));
    assert_eq!(
        table.global_secondary_indexes.unwrap()[0].index_status,
        Some(IndexStatus::Active)
    );
    let included = table.local_secondary_indexes.unwrap()[0]
        .projection
        .clone()
        .unwrap();
    assert_eq!(included.non_key_attributes(), ["Title"]);
}

#[tokio::test]
async fn the_waiters_see_a_table_come_and_go() {
    let library = Library::new().await;
    library
        .client
        .delete_table()
        .table_name(&library.table)
        .send()
        .await
        .unwrap();
    let gone = library
        .client
        .wait_until_table_not_exists()
        .table_name(&library.table);
    gone.wait(PATIENCE).await.unwrap();
    let described = library
        .client
        .describe_table()
        .table_name(&library.table)
        .send()
        .await;
    let error = described.unwrap_err().into_service_error();
    assert!(error.is_resource_not_found_exception());
    let expected = format!(
        "Requested resource not found: Table: {} not found",
        library.table
    );
    assert_eq!(error.meta().message(), Some(expected.as_str()));
}

#[tokio::test]
async fn tables_are_listed_in_pages() {
    let (first, second) = (Library::new().await, Library::new().await);
    let mut pages = first.client.list_tables().limit(1).into_paginator().send();
    let mut names = Vec::new();
    while let Some(page) = pages.try_next().await.unwrap() {
        assert!(page.table_names().len() <= 1);
        names.extend(page.table_names.unwrap());
    }
    assert!(names.is_sorted());
    assert!(names.contains(&first.table) && names.contains(&second.table));
}

#[tokio::test]
async fn a_name_is_taken_once() {
    let library = Library::new().await;
    let error = library.create().await.unwrap_err().into_service_error();
    assert!(error.is_resource_in_use_exception());
    assert_eq!(
        error.meta().message(),
        Some(format!("Table already exists: {}", library.table).as_str())
    );
}

#[tokio::test]
async fn a_protected_table_stays() {
    let library = Library::new().await;
    let protect = |protected| {
        let update = library.client.update_table().table_name(&library.table);
        update.deletion_protection_enabled(protected).send()
    };
    protect(true).await.unwrap();
    let refused = library
        .client
        .delete_table()
        .table_name(&library.table)
        .send()
        .await
        .unwrap_err();
    assert_eq!(
        refused.into_service_error().meta().code(),
        Some("ValidationException")
    );
    protect(false).await.unwrap();
    library
        .client
        .delete_table()
        .table_name(&library.table)
        .send()
        .await
        .unwrap();
}

#[tokio::test]
async fn throughput_below_one_is_refused() {
    let library = Library::new().await;
    let none = ProvisionedThroughput::builder()
        .read_capacity_units(0)
        .write_capacity_units(1)
        .build()
        .unwrap();
    let update = library
        .client
        .update_table()
        .table_name(&library.table)
        .provisioned_throughput(none);
    let error = update.send().await.unwrap_err().into_service_error();
    assert_eq!(error.meta().code(), Some("ValidationException"));
    assert!(
        error
            .meta()
            .message()
            .unwrap()
            .contains("Member must have value greater than or equal to 1")
    );
}
