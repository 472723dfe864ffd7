//! Batches: writes and removals, reads of many, and what was left over read again.

use crate::library::{Item, Library, item, key, loan, n, number_of, numbers, s, sorted};
use aws_sdk_dynamodb::types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest};
use std::collections::HashMap;

fn removal(number: u32) -> WriteRequest {
    let delete = DeleteRequest::builder()
        .set_key(Some(key("ada", number)))
        .build()
        .unwrap();
    WriteRequest::builder().delete_request(delete).build()
}

async fn scanned(library: &Library) -> Vec<u32> {
    let scan = library.client.scan().table_name(&library.table);
    let items: Result<Vec<Item>, _> = scan.into_paginator().items().send().collect().await;
    sorted(numbers(&items.unwrap()))
}

#[tokio::test]
async fn writes_and_removals_in_one_batch() {
    let library = Library::with_loans([1, 2]).await;
    let put = PutRequest::builder()
        .set_item(Some(loan("ada", 3)))
        .build()
        .unwrap();
    let writes = vec![removal(1), WriteRequest::builder().put_request(put).build()];
    let answer = library
        .client
        .batch_write_item()
        .request_items(&library.table, writes)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.unprocessed_items, Some(HashMap::new()));
    assert_eq!(scanned(&library).await, [2, 3]);
}

#[tokio::test]
async fn sixty_items_are_written_and_read() {
    let library = Library::with_loans(1..=60).await;
    assert_eq!(scanned(&library).await, (1..=60).collect::<Vec<_>>());
    let keys = (1..=100).map(|number| key("ada", number)).collect();
    let asked = KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .projection_expression("SK, Pages")
        .build()
        .unwrap();
    let answer = library
        .client
        .batch_get_item()
        .request_items(&library.table, asked)
        .send()
        .await
        .unwrap();
    let mut found = answer.responses.unwrap().remove(&library.table).unwrap();
    found.sort_by_key(number_of);
    assert_eq!(found.len(), 60);
    assert_eq!(found[0], item([("SK", s("LOAN#0001")), ("Pages", n(999))]));
    assert_eq!(answer.unprocessed_keys, Some(HashMap::new()));
}

#[tokio::test]
async fn sixteen_megabytes_leave_keys_unprocessed() {
    let library = Library::new().await;
    for number in 1..=45 {
        let mut large = key("ada", number);
        large.insert("Text".to_owned(), s("x".repeat(399_000)));
        library.put(large).await;
    }
    let keys = (1..=45).map(|number| key("ada", number)).collect();
    let asked = KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .build()
        .unwrap();
    let mut requests = HashMap::from([(library.table.clone(), asked)]);
    let mut answers = Vec::new();
    for _ in 0..100 {
        let batch = library
            .client
            .batch_get_item()
            .set_request_items(Some(requests));
        let answer = batch.send().await.unwrap();
        answers.push(numbers(&answer.responses.unwrap()[&library.table]));
        requests = answer.unprocessed_keys.unwrap();
        if requests.is_empty() {
            break;
        }
    }
    assert!(answers.len() > 1);
    assert_eq!(sorted(answers.concat()), (1..=45).collect::<Vec<_>>());
}

#[tokio::test]
async fn batches_that_are_refused() {
    let library = Library::new().await;
    let refusal = async |writes: Vec<WriteRequest>| {
        let refused = library
            .client
            .batch_write_item()
            .request_items(&library.table, writes)
            .send()
            .await;
        refused
            .unwrap_err()
            .into_service_error()
            .meta()
            .message()
            .unwrap()
            .to_owned()
    };
    assert!(
        refusal((1..=26).map(removal).collect())
            .await
            .contains("less than or equal to 25")
    );
    let twice = refusal(vec![removal(1), removal(1)]).await;
    assert_eq!(twice, "Provided list of item keys contains duplicates");
}
