//! What records show.

use crate::consumer::{all, ids};
use crate::{TABLE, clock, engine, key, latest, options, put, song, table};
use monotable_api::{
    BatchWriteItemInput, DeleteItemInput, OperationType, PutItemInput, Record, StreamViewType,
    UpdateItemInput, UpdateTimeToLiveInput, WriteRequest,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};

/// Kind, key, old and new image of a record.
type Shown = (OperationType, Item, Option<Item>, Option<Item>);

fn shown(record: Record) -> Shown {
    let change = record.dynamodb.unwrap();
    let plain = |item: Option<EncodedItem>| item.map(|item| item.to_item());
    (
        record.event_name.unwrap(),
        plain(change.keys).unwrap(),
        plain(change.old_image),
        plain(change.new_image),
    )
}

fn story(engine: &Engine) {
    put(engine, "a", "one");
    put(engine, "a", "two");
    engine
        .delete_item(DeleteItemInput::new(TABLE, key("a")))
        .unwrap();
}

#[test]
fn each_view_shows_what_it_says() {
    for (view, old, new) in [
        (StreamViewType::KeysOnly, false, false),
        (StreamViewType::OldImage, true, false),
        (StreamViewType::NewImage, false, true),
        (StreamViewType::NewAndOldImages, true, true),
    ] {
        let engine = engine(&clock(), view);
        story(&engine);
        let before = |title: &str| old.then(|| song("a", title));
        let after = |title: &str| new.then(|| song("a", title));
        let expected = [
            (OperationType::Insert, key("a"), None, after("one")),
            (OperationType::Modify, key("a"), before("one"), after("two")),
            (OperationType::Remove, key("a"), before("two"), None),
        ];
        let records = all(&engine, &latest(&engine));
        assert!(records.iter().all(|record| {
            let change = record.dynamodb.as_ref().unwrap();
            change.stream_view_type == Some(view)
                && change.approximate_creation_date_time.unwrap().as_millis() == 1_763_467_200_000
        }));
        let actual: Vec<Shown> = records.into_iter().map(shown).collect();
        assert_eq!(actual, expected, "{view}");
    }
}

#[test]
fn what_changes_nothing_is_not_told() {
    let engine = engine(&clock(), StreamViewType::KeysOnly);
    let stream = latest(&engine);
    put(&engine, "a", "one");
    put(&engine, "a", "one");
    engine
        .delete_item(DeleteItemInput::new(TABLE, key("b")))
        .unwrap();
    let update = |expression: &str| UpdateItemInput::new(TABLE, key("a")).update(expression);
    engine
        .update_item(update("SET title = :one").value(":one", "one"))
        .unwrap();
    engine.update_item(update("REMOVE nothing")).unwrap();
    engine
        .update_item(UpdateItemInput::new(TABLE, key("gone")).update("REMOVE nothing"))
        .unwrap();
    let refused = PutItemInput::new(TABLE, song("c", "no")).condition("attribute_exists(id)");
    engine.put_item(refused).unwrap_err();
    assert_eq!(ids(&all(&engine, &stream)), ["a"]);
    // An update that says nothing makes an item of the key.
    engine
        .update_item(UpdateItemInput::new(TABLE, key("d")))
        .unwrap();
    assert_eq!(ids(&all(&engine, &stream)), ["a", "d"]);
}

#[test]
fn batches_are_told_item_by_item() {
    let engine = engine(&clock(), StreamViewType::NewImage);
    let writes = ["a", "b", "c"].map(|id| WriteRequest::put(song(id, "x")));
    let batch = BatchWriteItemInput::new(TABLE, writes);
    engine.batch_write_item(batch).unwrap();
    let mut told = ids(&all(&engine, &latest(&engine)));
    told.sort();
    assert_eq!(told, ["a", "b", "c"]);
}

#[test]
fn tables_without_a_stream_tell_nothing() {
    let engine = options(&clock()).in_memory().unwrap();
    engine.create_table(table()).unwrap();
    story(&engine);
    assert_eq!(engine.verify().unwrap().records, 0);
}

#[test]
fn items_that_go_by_their_time_are_marked_as_the_services() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::OldImage);
    let stream = latest(&engine);
    let item = song("a", "x").with("expires", 1_763_467_000);
    engine.put_item(PutItemInput::new(TABLE, item)).unwrap();
    put(&engine, "b", "stays");
    engine
        .delete_item(DeleteItemInput::new(TABLE, key("b")))
        .unwrap();
    engine
        .update_time_to_live(UpdateTimeToLiveInput::enable(TABLE, "expires"))
        .unwrap();
    engine.background_step().unwrap();
    let records = all(&engine, &stream);
    assert_eq!(ids(&records), ["a", "b", "b", "a"]);
    let authors: Vec<_> = records
        .iter()
        .map(|record| record.user_identity.as_ref())
        .collect();
    assert_eq!(authors[..3], [None; 3]);
    let service = authors[3].unwrap();
    assert_eq!(service.kind.as_deref(), Some("Service"));
    assert_eq!(
        service.principal_id.as_deref(),
        Some("dynamodb.amazonaws.com")
    );
    assert_eq!(records[3].event_name, Some(OperationType::Remove));
    assert!(records[3].dynamodb.as_ref().unwrap().old_image.is_some());
}
