//! Streams: what they show, how they are read, and how long.
//!
//! That a stream tells the whole story is `tests/model`, which replays it after every operation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod consumer;
mod images;
mod iterators;
mod order;
mod retention;
mod shards;
#[path = "../support/stores.rs"]
mod stores;

use monotable_api::{
    CreateTableInput, DescribeTableInput, PutItemInput, ScalarAttributeType, StreamSpecification,
    StreamViewType, UpdateTableInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::Item;
use std::sync::Arc;
use std::time::Duration;

pub const TABLE: &str = "Songs";
pub const HOUR: Duration = Duration::from_secs(60 * 60);

pub fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(Duration::from_millis(1_763_467_200_500)))
}

pub fn options(clock: &Arc<ManualClock>) -> EngineOptions {
    EngineOptions::new().clock(Arc::<ManualClock>::clone(clock))
}

pub fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "id", ScalarAttributeType::S)
}

/// An engine in memory with a table that has a stream.
pub fn engine(clock: &Arc<ManualClock>, view: StreamViewType) -> Engine {
    let engine = options(clock).in_memory().unwrap();
    engine.create_table(table().stream(view)).unwrap();
    engine
}

pub fn song(id: &str, title: &str) -> Item {
    Item::new().with("id", id).with("title", title)
}

pub fn key(id: &str) -> Item {
    Item::new().with("id", id)
}

pub fn put(engine: &Engine, id: &str, title: &str) {
    engine
        .put_item(PutItemInput::new(TABLE, song(id, title)))
        .unwrap();
}

pub fn switch(engine: &Engine, stream: StreamSpecification) {
    engine
        .update_table(UpdateTableInput {
            table_name: Some(TABLE.to_owned()),
            stream_specification: Some(stream),
            ..UpdateTableInput::default()
        })
        .unwrap();
}

/// The ARN of the table's latest stream.
pub fn latest(engine: &Engine) -> String {
    let described = engine.describe_table(DescribeTableInput::new(TABLE));
    described.unwrap().table.unwrap().latest_stream_arn.unwrap()
}
