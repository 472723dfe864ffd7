//! Shards: when new ones begin, how they follow each other, and that they outlive a restart.

use crate::consumer::{all, describe, ids, iterator, page, shard_ids, shards};
use crate::{HOUR, TABLE, clock, engine, latest, options, put, stores, switch, table};
use monotable_api::{
    BatchWriteItemInput, DescribeStreamInput, GetShardIteratorInput, ShardFilter, ShardFilterType,
    StreamSpecification, StreamStatus, StreamViewType, WriteRequest,
};

#[test]
fn a_new_shard_begins_every_four_hours() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    put(&engine, "a", "x");
    engine.background_step().unwrap();
    assert_eq!(shards(&engine, &stream).len(), 1);
    let first = &shard_ids(&engine, &stream)[0];
    let tail = iterator(&engine, GetShardIteratorInput::latest(&stream, first));
    for id in ["b", "c"] {
        clock.advance(4 * HOUR);
        engine.background_step().unwrap();
        put(&engine, id, "x");
    }
    let found = shards(&engine, &stream);
    assert_eq!(found.len(), 3);
    assert_eq!(found[0].parent_shard_id, None);
    for pair in found.windows(2) {
        assert_eq!(pair[1].parent_shard_id, pair[0].shard_id);
        let range = |at: usize| pair[at].sequence_number_range.clone().unwrap();
        let end = range(0).ending_sequence_number.expect("closed");
        assert!(range(0).starting_sequence_number.unwrap() < end);
        assert!(end < range(1).starting_sequence_number.unwrap());
    }
    let open = found[2].sequence_number_range.as_ref().unwrap();
    assert_eq!(open.ending_sequence_number, None);
    assert_eq!(ids(&all(&engine, &stream)), ["a", "b", "c"]);
    stores::assert_sound(&engine);
    // The iterator is too old by now, but its shard is told from the others by its place alone.
    assert!(
        engine
            .get_records(monotable_api::GetRecordsInput::new(tail))
            .is_err()
    );
}

#[test]
fn a_shard_that_is_closed_meanwhile_ends_where_the_next_one_begins() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let minutes = HOUR / 12;
    clock.advance(4 * HOUR - minutes);
    let first = &shard_ids(&engine, &stream)[0];
    let tail = iterator(&engine, GetShardIteratorInput::latest(&stream, first));
    put(&engine, "a", "x");
    clock.advance(minutes);
    engine.background_step().unwrap();
    put(&engine, "b", "x");
    let end = page(&engine, &tail);
    assert_eq!(ids(&end.records), ["a"]);
    assert_eq!(end.next_shard_iterator, None);
}

#[test]
fn many_records_begin_a_new_shard_too() {
    let engine = engine(&clock(), StreamViewType::KeysOnly);
    let stream = latest(&engine);
    for batch in 0..400 {
        let writes = (0..25).map(|id| WriteRequest::put(crate::key(&format!("{batch}-{id}"))));
        engine
            .batch_write_item(BatchWriteItemInput::new(TABLE, writes))
            .unwrap();
    }
    engine.background_step().unwrap();
    assert_eq!(shards(&engine, &stream).len(), 2);
    put(&engine, "more", "x");
    engine.background_step().unwrap();
    assert_eq!(
        shards(&engine, &stream).len(),
        2,
        "the next one takes twice as many"
    );
    assert_eq!(all(&engine, &stream).len(), 10_001);
}

#[test]
fn shards_are_described_in_pages_and_by_their_parent() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    for _ in 0..4 {
        clock.advance(4 * HOUR);
        engine.background_step().unwrap();
    }
    let all = shard_ids(&engine, &stream);
    assert_eq!(all.len(), 5);
    let ask = |input: DescribeStreamInput| {
        let described = engine.describe_stream(input).unwrap();
        let described = described.stream_description.unwrap();
        let shards = described.shards.unwrap().into_iter();
        let ids: Vec<String> = shards.map(|shard| shard.shard_id.unwrap()).collect();
        (ids, described.last_evaluated_shard_id)
    };
    let page = |start: Option<&String>| {
        ask(DescribeStreamInput {
            limit: Some(2),
            exclusive_start_shard_id: start.cloned(),
            ..DescribeStreamInput::new(&stream)
        })
    };
    assert_eq!(page(None), (all[..2].to_vec(), Some(all[1].clone())));
    assert_eq!(
        page(Some(&all[1])),
        (all[2..4].to_vec(), Some(all[3].clone()))
    );
    assert_eq!(page(Some(&all[3])), (all[4..].to_vec(), None));
    let children = |parent: &String| {
        ask(DescribeStreamInput {
            shard_filter: Some(ShardFilter {
                kind: Some(ShardFilterType::ChildShards.into()),
                shard_id: Some(parent.clone()),
            }),
            ..DescribeStreamInput::new(&stream)
        })
    };
    assert_eq!(children(&all[1]), (vec![all[2].clone()], None));
    assert_eq!(children(&all[4]), (vec![], None));
}

#[test]
fn streams_outlive_a_restart() {
    let clock = clock();
    let directory = tempfile::tempdir().unwrap();
    let open = || options(&clock).open(directory.path()).unwrap();
    let engine = open();
    engine
        .create_table(table().stream(StreamViewType::NewAndOldImages))
        .unwrap();
    let stream = latest(&engine);
    put(&engine, "a", "x");
    clock.advance(4 * HOUR);
    engine.background_step().unwrap();
    put(&engine, "b", "x");
    let (described, records) = (describe(&engine, &stream), all(&engine, &stream));
    let last = &shard_ids(&engine, &stream)[1];
    let tail = iterator(&engine, GetShardIteratorInput::latest(&stream, last));
    drop(engine);

    let engine = open();
    assert_eq!(describe(&engine, &stream), described);
    assert_eq!(all(&engine, &stream), records);
    put(&engine, "c", "x");
    assert_eq!(
        ids(&page(&engine, &tail).records),
        ["c"],
        "the iterator still serves"
    );
    assert_eq!(ids(&all(&engine, &stream)), ["a", "b", "c"]);
    stores::assert_sound(&engine);
    switch(&engine, StreamSpecification::disabled());
    drop(engine);

    let engine = open();
    put(&engine, "d", "not told");
    assert_eq!(ids(&all(&engine, &stream)), ["a", "b", "c"]);
    let status = describe(&engine, &stream).stream_status;
    assert_eq!(status, Some(StreamStatus::Disabled));
    assert_eq!(latest(&engine), stream);
    switch(
        &engine,
        StreamSpecification::enabled(StreamViewType::KeysOnly),
    );
    assert_ne!(latest(&engine), stream);
    assert_eq!(ids(&all(&engine, &latest(&engine))), Vec::<String>::new());
    put(&engine, "e", "x");
    assert_eq!(ids(&all(&engine, &latest(&engine))), ["e"]);
    stores::assert_sound(&engine);
}
