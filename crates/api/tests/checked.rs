//! What requests are once they are checked.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BatchGetItemInput, BatchWrite, BatchWriteItemInput, Billing, CreateTableInput, GetItemInput,
    GlobalSecondaryIndex, GlobalSecondaryIndexUpdate, IndexProjection, IndexUpdate,
    KeysAndAttributes, LocalSecondaryIndex, ProjectedAttributes, PutItemInput, QueryInput,
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValue, ScalarAttributeType,
    ScanInput, ScanSegment, Selection, Throughput, TransactConditionCheck, TransactDelete,
    TransactPut, TransactUpdate, TransactWrite, TransactWriteItem, TransactWriteItemsInput,
    UpdateItemInput, UpdateTableInput, WriteRequest,
};
use monotable_item::key::KeyType;
use monotable_item::{EncodedItem, Item};

fn key() -> Item {
    Item::new().with("pk", "a")
}

#[test]
fn a_put_with_all_of_its_defaults() {
    let valid = PutItemInput::new("Music", key()).validate().unwrap();
    assert_eq!(valid.table.as_str(), "Music");
    assert_eq!(valid.item, EncodedItem::from(key()));
    assert!(valid.condition.is_none());
    assert!(!valid.return_old && !valid.return_old_on_failure);
    assert_eq!(valid.capacity, ReturnConsumedCapacity::None);
    assert_eq!(valid.metrics, ReturnItemCollectionMetrics::None);
}

#[test]
fn a_condition_sees_the_substitutions() {
    let valid = PutItemInput::new("Music", key())
        .condition("#y = :y")
        .name("#y", "Year")
        .value(":y", 1984)
        .return_values(ReturnValue::AllOld)
        .validate()
        .unwrap();
    assert!(valid.return_old);
    let condition = valid.condition.unwrap();
    assert!(condition.matches(EncodedItem::from(Item::new().with("Year", 1984)).view()));
    assert!(!condition.matches(EncodedItem::default().view()));
}

#[test]
fn an_update_and_its_condition() {
    let valid = UpdateItemInput::new("Music", key())
        .update("SET #n = #n + :one")
        .condition("#n < :limit")
        .name("#n", "Count")
        .value(":one", 1)
        .value(":limit", 10)
        .return_values(ReturnValue::UpdatedNew)
        .validate()
        .unwrap();
    assert_eq!(valid.return_values, ReturnValue::UpdatedNew);
    let stored = EncodedItem::from(Item::new().with("Count", 1));
    assert!(valid.condition.unwrap().matches(stored.view()));
    let updated = valid.update.unwrap().apply(stored.view()).unwrap();
    assert_eq!(updated.item.to_item(), Item::new().with("Count", 2));
}

#[test]
fn a_table_keeps_the_arn_it_was_named_by() {
    let arn = "arn:aws:dynamodb:eu-west-2:000000000000:table/Music";
    let valid = GetItemInput::new(arn, key()).validate().unwrap();
    assert_eq!((valid.table.as_str(), valid.table.given()), ("Music", arn));
}

#[test]
fn what_a_query_returns_when_it_does_not_say() {
    let query = || QueryInput::new("Music", "pk = :pk").value(":pk", "a");
    let selection = |query: QueryInput| query.validate().unwrap().selection;
    assert!(matches!(selection(query()), Selection::AllAttributes));
    assert!(matches!(
        selection(query().index("byYear")),
        Selection::AllProjectedAttributes
    ));
    assert!(matches!(
        selection(query().projection("a")),
        Selection::Specific(_)
    ));
}

#[test]
fn the_direction_and_the_limits_of_a_query() {
    let valid = QueryInput::new("Music", "pk = :pk")
        .value(":pk", "a")
        .backward()
        .consistent()
        .limit(3)
        .start_after(key())
        .validate()
        .unwrap();
    assert!(!valid.forward && valid.consistent);
    assert_eq!(valid.limit.unwrap().get(), 3);
    assert_eq!(valid.start, Some(EncodedItem::from(key())));
}

#[test]
fn a_segment_of_a_scan() {
    let valid = ScanInput::new("Music").segment(2, 4).validate().unwrap();
    assert_eq!(valid.segment, Some(ScanSegment { index: 2, total: 4 }));
}

#[test]
fn what_a_batch_did_not_read_is_asked_for_in_the_same_way() {
    let request = KeysAndAttributes::new([key()])
        .projection("#a")
        .name("#a", "a")
        .consistent();
    let valid = BatchGetItemInput::new("Music", request.clone())
        .validate()
        .unwrap();
    let [table] = valid.tables.as_slice() else {
        panic!("one table")
    };
    assert!(table.consistent && table.projection.is_some());
    assert_eq!(table.unprocessed(table.keys.clone()), request);
}

#[test]
fn what_a_batch_did_not_write_is_asked_for_in_the_same_way() {
    let writes = [WriteRequest::put(key()), WriteRequest::delete(key())];
    let valid = BatchWriteItemInput::new("Music", writes.clone())
        .validate()
        .unwrap();
    let [table] = valid.tables.as_slice() else {
        panic!("one table")
    };
    assert!(matches!(
        table.writes.as_slice(),
        [BatchWrite::Put(_), BatchWrite::Delete(_)]
    ));
    let again: Vec<_> = table
        .writes
        .iter()
        .cloned()
        .map(WriteRequest::from)
        .collect();
    assert_eq!(again, writes);
}

#[test]
fn the_actions_of_a_transaction_stay_in_order() {
    let actions: [TransactWriteItem; 4] = [
        TransactPut::new("Music", key())
            .condition("attribute_not_exists(pk)")
            .into(),
        TransactUpdate::new("Music", key(), "REMOVE a").into(),
        TransactDelete::new("Music", key())
            .return_old_on_failure()
            .into(),
        TransactConditionCheck::new("Music", key(), "attribute_exists(pk)").into(),
    ];
    let valid = TransactWriteItemsInput::new(actions).validate().unwrap();
    let writes: Vec<_> = valid.actions.iter().map(|action| &action.write).collect();
    assert!(matches!(
        writes.as_slice(),
        [
            TransactWrite::Put {
                condition: Some(_),
                ..
            },
            TransactWrite::Update {
                condition: None,
                ..
            },
            TransactWrite::Delete {
                condition: None,
                ..
            },
            TransactWrite::ConditionCheck { .. },
        ]
    ));
    let returns: Vec<_> = valid
        .actions
        .iter()
        .map(|action| action.return_old_on_failure)
        .collect();
    assert_eq!(returns, [false, false, true, false]);
    assert_eq!((valid.token, valid.payload), (None, None));
}

#[test]
fn a_token_stands_for_what_is_asked_not_for_how_it_is_written() {
    let payload = |text: &str| {
        let input: TransactWriteItemsInput = serde_json::from_str(text).unwrap();
        input.validate().unwrap().payload.unwrap()
    };
    let one = r#"{"ClientRequestToken":"t","TransactItems":[
        {"Put":{"TableName":"abc","Item":{"a":{"N":"1.0"},"b":{"S":"x"}}}}]}"#;
    let same = r#"{"TransactItems":[{"Put":{"Item":{"b":{"S":"x"},"a":{"N":"1"}},"TableName":"abc"}}],
        "ClientRequestToken":"t","ReturnConsumedCapacity":"TOTAL"}"#;
    let other = r#"{"ClientRequestToken":"t","TransactItems":[
        {"Put":{"TableName":"abc","Item":{"a":{"N":"2"},"b":{"S":"x"}}}}]}"#;
    assert_eq!(payload(one), payload(same));
    assert_ne!(payload(one), payload(other));
}

#[test]
fn a_new_table_with_indexes() {
    let valid = CreateTableInput::new("Music", "pk", ScalarAttributeType::S)
        .range("sk", ScalarAttributeType::N)
        .attribute("year", ScalarAttributeType::N)
        .local_index(LocalSecondaryIndex::new("byYear", "pk", "year"))
        .global_index(
            GlobalSecondaryIndex::new("years", "year")
                .range("pk")
                .projection(IndexProjection::include(["title"])),
        )
        .validate()
        .unwrap();
    assert_eq!(valid.billing, Billing::OnDemand(None));
    let names: Vec<_> = valid
        .attributes
        .iter()
        .map(|key| (key.name.as_str(), key.kind))
        .collect();
    assert_eq!(
        names,
        [("pk", KeyType::S), ("sk", KeyType::N), ("year", KeyType::N)]
    );
    assert_eq!(valid.key.hash[0].name, "pk");
    assert_eq!(valid.key.range[0].kind, KeyType::N);
    assert_eq!(valid.local_indexes[0].key.range[0].name, "year");
    assert_eq!(valid.global_indexes[0].key.hash[0].kind, KeyType::N);
    assert_eq!(
        valid.global_indexes[0].projection,
        ProjectedAttributes::Include(vec!["title".to_owned()]),
    );
}

#[test]
fn a_table_that_is_paid_ahead() {
    let valid = CreateTableInput::new("Music", "pk", ScalarAttributeType::S)
        .provisioned(5, 3)
        .validate()
        .unwrap();
    assert_eq!(
        valid.billing,
        Billing::Provisioned(Throughput { read: 5, write: 3 })
    );
}

#[test]
fn a_new_index_on_an_old_table() {
    let valid = UpdateTableInput::new("Music")
        .attribute("year", ScalarAttributeType::N)
        .index(GlobalSecondaryIndexUpdate::create(
            GlobalSecondaryIndex::new("years", "year"),
        ))
        .validate()
        .unwrap();
    let [IndexUpdate::Create(index)] = valid.index_updates.as_slice() else {
        panic!("one index")
    };
    assert_eq!(index.name.as_str(), "years");
    assert_eq!(index.throughput, None);
}
