//! Consumed capacity, in AWS's units: a read unit is 4 KB, a write unit 1 KB, a transaction costs twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BatchWriteItemInput, BillingMode, Capacity, ConsumedCapacity, CreateTableInput,
    DeleteItemInput, DescribeTableInput, Get, GetItemInput, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, IndexProjection, LocalSecondaryIndex, OnDemandThroughput,
    ProvisionedThroughput, PutItemInput, QueryInput, ReturnConsumedCapacity as Asked,
    ScalarAttributeType as Type, ScanInput, Select, TableDescription, TransactConditionCheck,
    TransactGetItemsInput, TransactPut, TransactUpdate, TransactWriteItemsInput, UpdateItemInput,
    UpdateTableInput, WriteRequest,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};

/// A table with a local index that holds keys only and a global index that holds everything.
fn engine() -> Engine {
    let local = LocalSecondaryIndex::new("local", "pk", "l");
    let table = CreateTableInput::new("Items", "pk", Type::S)
        .range("sk", Type::N)
        .attribute("l", Type::N)
        .attribute("g", Type::S)
        .local_index(local.projection(IndexProjection::keys_only()))
        .global_index(GlobalSecondaryIndex::new("global", "g"));
    let engine = Engine::in_memory().unwrap();
    engine.create_table(table).unwrap();
    engine
}

fn key(number: i32) -> Item {
    Item::new().with("pk", "p").with("sk", number)
}

/// An item of exactly this many bytes.
fn sized(item: Item, bytes: usize) -> Item {
    let used = EncodedItem::from(&item).view().size() + "pad".len();
    item.with("pad", "x".repeat(bytes - used))
}

fn put(engine: &Engine, item: Item) -> ConsumedCapacity {
    let input = PutItemInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..PutItemInput::new("Items", item)
    };
    engine.put_item(input).unwrap().consumed_capacity.unwrap()
}

fn update(engine: &Engine, number: i32, expression: &str, value: &str) -> ConsumedCapacity {
    let input = UpdateItemInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..UpdateItemInput::new("Items", key(number))
            .update(expression)
            .value(":v", value)
    };
    engine
        .update_item(input)
        .unwrap()
        .consumed_capacity
        .unwrap()
}

fn units(capacity: &Option<Capacity>) -> f64 {
    capacity
        .as_ref()
        .and_then(|share| share.capacity_units)
        .unwrap_or_default()
}

/// Units of all, of the table, of the local and of the global index.
fn shares(consumed: &ConsumedCapacity) -> [f64; 4] {
    let share = |shares: &Option<std::collections::BTreeMap<String, Capacity>>, name: &str| {
        units(&shares.as_ref().and_then(|shares| shares.get(name).cloned()))
    };
    [
        consumed.capacity_units.unwrap(),
        units(&consumed.table),
        share(&consumed.local_secondary_indexes, "local"),
        share(&consumed.global_secondary_indexes, "global"),
    ]
}

#[test]
fn a_get_costs_a_unit_for_every_4_kb_and_half_of_it_when_eventually_consistent() {
    let engine = engine();
    for (number, bytes) in [(1, 4096), (2, 4097), (3, 8192), (4, 8193)] {
        put(&engine, sized(key(number), bytes));
    }
    for (number, expected) in [(1, 1.0), (2, 2.0), (3, 2.0), (4, 3.0), (9, 1.0)] {
        for (consistent, expected) in [(true, expected), (false, expected / 2.0)] {
            let input = GetItemInput {
                consistent_read: Some(consistent),
                return_consumed_capacity: Some(Asked::Total.into()),
                ..GetItemInput::new("Items", key(number)).projection("sk")
            };
            let consumed = engine.get_item(input).unwrap().consumed_capacity.unwrap();
            assert_eq!(consumed.capacity_units, Some(expected), "item {number}");
            assert_eq!(consumed.table_name.as_deref(), Some("Items"));
            assert_eq!((consumed.table, consumed.read_capacity_units), (None, None));
        }
    }
    let silent = engine.get_item(GetItemInput::new("Items", key(1))).unwrap();
    assert_eq!(silent.consumed_capacity, None);
}

#[test]
fn a_write_costs_the_larger_of_the_item_before_and_after() {
    let engine = engine();
    assert_eq!(
        shares(&put(&engine, sized(key(1), 1024))),
        [1.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(
        shares(&put(&engine, sized(key(1), 1025))),
        [2.0, 2.0, 0.0, 0.0]
    );
    assert_eq!(
        shares(&put(&engine, sized(key(1), 5000))),
        [5.0, 5.0, 0.0, 0.0]
    );
    assert_eq!(shares(&put(&engine, key(1))), [5.0, 5.0, 0.0, 0.0]);
    assert_eq!(
        shares(&update(&engine, 1, "SET a = :v", "x")),
        [1.0, 1.0, 0.0, 0.0]
    );
    let delete = |number| {
        let input = DeleteItemInput {
            return_consumed_capacity: Some(Asked::Total.into()),
            ..DeleteItemInput::new("Items", key(number))
        };
        engine
            .delete_item(input)
            .unwrap()
            .consumed_capacity
            .unwrap()
    };
    put(&engine, sized(key(2), 3000));
    assert_eq!(delete(2).capacity_units, Some(3.0));
    assert_eq!(
        delete(2).capacity_units,
        Some(1.0),
        "also what is not there"
    );
    assert_eq!(delete(2).table, None, "only INDEXES have shares");
}

#[test]
fn an_index_costs_when_its_entry_changes_and_twice_when_it_moves() {
    let engine = engine();
    let item = key(1).with("g", "a").with("l", 1);
    assert_eq!(
        shares(&put(&engine, sized(item.clone(), 1500))),
        [5.0, 2.0, 1.0, 2.0]
    );
    // The global index holds everything, the local one only keys.
    assert_eq!(
        shares(&update(&engine, 1, "SET a = :v", "x")),
        [4.0, 2.0, 0.0, 2.0]
    );
    // A move is a delete and a put.
    assert_eq!(
        shares(&update(&engine, 1, "SET g = :v", "b")),
        [6.0, 2.0, 0.0, 4.0]
    );
    assert_eq!(
        shares(&update(&engine, 1, "SET g = :v", "b")),
        [2.0, 2.0, 0.0, 0.0]
    );
    assert_eq!(
        shares(&update(&engine, 1, "SET a = :v REMOVE g", "x")),
        [4.0, 2.0, 0.0, 2.0]
    );
    assert_eq!(
        shares(&update(&engine, 1, "SET a = :v REMOVE l", "x")),
        [3.0, 2.0, 1.0, 0.0]
    );
    let without = update(&engine, 1, "SET a = :v", "y");
    assert_eq!(without.global_secondary_indexes, None);
    let consumed = put(&engine, sized(key(1).with("l", 2), 1500));
    assert_eq!(shares(&consumed), [3.0, 2.0, 1.0, 0.0]);
}

#[test]
fn a_page_costs_what_its_items_come_to_together() {
    let engine = engine();
    for number in 0..10 {
        put(
            &engine,
            sized(key(number).with("l", number).with("g", "a"), 1000),
        );
    }
    let query = |consistent| QueryInput {
        consistent_read: Some(consistent),
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..QueryInput::new("Items", "pk = :p").value(":p", "p")
    };
    let run = |input| shares(&engine.query(input).unwrap().consumed_capacity.unwrap());
    // 10,000 bytes are three units, however many items they are.
    assert_eq!(run(query(true)), [3.0, 3.0, 0.0, 0.0]);
    assert_eq!(run(query(false)), [1.5, 1.5, 0.0, 0.0]);
    assert_eq!(run(query(true).limit(4)), [1.0, 1.0, 0.0, 0.0]);
    // What a filter drops was read all the same.
    let filtered = query(true)
        .filter("#p = :none")
        .name("#p", "pad")
        .value(":none", "");
    assert_eq!(run(filtered), [3.0, 3.0, 0.0, 0.0]);
    let nothing = QueryInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..QueryInput::new("Items", "pk = :p").value(":p", "nobody")
    };
    assert_eq!(run(nothing), [0.5, 0.5, 0.0, 0.0]);
    let scan = ScanInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..ScanInput::new("Items").index("global")
    };
    let consumed = engine.scan(scan).unwrap().consumed_capacity.unwrap();
    assert_eq!(shares(&consumed), [1.5, 0.0, 0.0, 1.5]);
}

#[test]
fn a_local_index_that_fetches_costs_a_read_for_every_item() {
    let engine = engine();
    for number in 0..10 {
        put(&engine, sized(key(number).with("l", number), 1000));
    }
    let query = |select: Select| QueryInput {
        select: Some(select.into()),
        consistent_read: Some(true),
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..QueryInput::new("Items", "pk = :p")
            .value(":p", "p")
            .index("local")
    };
    let run = |input| shares(&engine.query(input).unwrap().consumed_capacity.unwrap());
    assert_eq!(
        run(query(Select::AllProjectedAttributes)),
        [1.0, 0.0, 1.0, 0.0]
    );
    assert_eq!(run(query(Select::AllAttributes)), [11.0, 10.0, 1.0, 0.0]);
    assert_eq!(
        run(query(Select::AllAttributes).limit(3)),
        [4.0, 3.0, 1.0, 0.0]
    );
}

#[test]
fn a_transaction_costs_twice() {
    let engine = engine();
    let item = sized(key(1).with("g", "a"), 1500);
    let put_one = TransactWriteItemsInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..TransactWriteItemsInput::new([TransactPut::new("Items", item)])
    };
    let consumed = engine
        .transact_write_items(put_one)
        .unwrap()
        .consumed_capacity
        .unwrap();
    assert_eq!(shares(&consumed[0]), [8.0, 4.0, 0.0, 4.0]);
    assert_eq!(consumed[0].write_capacity_units, Some(8.0));
    assert_eq!(consumed[0].read_capacity_units, None);

    let move_one = TransactUpdate::new("Items", key(1), "SET g = :v").value(":v", "b");
    let both = TransactWriteItemsInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..TransactWriteItemsInput::new([move_one]).and(TransactConditionCheck::new(
            "Items",
            key(2),
            "attribute_not_exists(pk)",
        ))
    };
    let consumed = engine
        .transact_write_items(both)
        .unwrap()
        .consumed_capacity
        .unwrap();
    assert_eq!(consumed.len(), 1, "one table, one entry");
    assert_eq!(shares(&consumed[0]), [14.0, 6.0, 0.0, 8.0]);

    let gets = TransactGetItemsInput {
        return_consumed_capacity: Some(Asked::Total.into()),
        ..TransactGetItemsInput::new([Get::new("Items", key(1)), Get::new("Items", key(9))])
    };
    let consumed = engine
        .transact_get_items(gets)
        .unwrap()
        .consumed_capacity
        .unwrap();
    assert_eq!(consumed[0].capacity_units, Some(4.0));
    assert_eq!(consumed[0].read_capacity_units, Some(4.0));
}

#[test]
fn a_batch_costs_what_its_writes_cost() {
    let engine = engine();
    put(&engine, sized(key(1).with("g", "a"), 2500));
    let writes = [
        WriteRequest::delete(key(1)),
        WriteRequest::put(sized(key(2), 1500)),
        WriteRequest::delete(key(3)),
    ];
    let input = BatchWriteItemInput {
        return_consumed_capacity: Some(Asked::Indexes.into()),
        ..BatchWriteItemInput::new("Items", writes)
    };
    let consumed = engine
        .batch_write_item(input)
        .unwrap()
        .consumed_capacity
        .unwrap();
    assert_eq!(shares(&consumed[0]), [9.0, 6.0, 0.0, 3.0]);
}

fn limits(read: Option<i64>, write: Option<i64>) -> Option<OnDemandThroughput> {
    Some(OnDemandThroughput {
        max_read_request_units: read,
        max_write_request_units: write,
    })
}

fn described(engine: &Engine) -> TableDescription {
    let description = engine.describe_table(DescribeTableInput::new("Items"));
    description.unwrap().table.unwrap()
}

fn change(engine: &Engine, update: UpdateTableInput) -> Result<TableDescription, String> {
    let updated = engine.update_table(update);
    updated
        .map(|output| output.table_description.unwrap())
        .map_err(|error| error.to_string())
}

fn limit(wanted: Option<OnDemandThroughput>) -> UpdateTableInput {
    UpdateTableInput {
        on_demand_throughput: wanted,
        ..UpdateTableInput::new("Items")
    }
}

#[test]
fn limits_of_what_is_paid_by_use_are_kept_changed_one_by_one_and_taken_away() {
    let engine = engine();
    assert_eq!(described(&engine).on_demand_throughput, None);
    change(&engine, limit(limits(Some(20), Some(15)))).unwrap();
    // What is not given stays.
    let changed = change(&engine, limit(limits(Some(40), None))).unwrap();
    assert_eq!(changed.on_demand_throughput, limits(Some(40), Some(15)));
    assert_eq!(
        described(&engine).on_demand_throughput,
        limits(Some(40), Some(15))
    );
    // The answer repeats what takes a limit away; from then on there is none.
    let changed = change(&engine, limit(limits(Some(-1), None))).unwrap();
    assert_eq!(changed.on_demand_throughput, limits(Some(-1), Some(15)));
    assert_eq!(
        described(&engine).on_demand_throughput,
        limits(None, Some(15))
    );
    change(&engine, limit(limits(None, Some(-1)))).unwrap();
    assert_eq!(described(&engine).on_demand_throughput, None);
}

#[test]
fn limits_go_when_a_table_is_paid_ahead_and_are_refused_from_then_on() {
    let engine = engine();
    change(&engine, limit(limits(Some(20), Some(15)))).unwrap();
    let units = |read, write| ProvisionedThroughput {
        read_capacity_units: Some(read),
        write_capacity_units: Some(write),
    };
    let mut ahead = UpdateTableInput {
        billing_mode: Some(BillingMode::Provisioned.into()),
        provisioned_throughput: Some(units(5, 5)),
        ..UpdateTableInput::new("Items")
    };
    ahead = ahead.index(GlobalSecondaryIndexUpdate::provision("global", 5, 5));
    change(&engine, ahead).unwrap();
    assert_eq!(described(&engine).on_demand_throughput, None);
    let refused = change(&engine, limit(limits(Some(40), None))).unwrap_err();
    assert!(
        refused.contains(
            "MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED"
        ),
        "{refused}"
    );
}

#[test]
fn limits_without_a_member_are_none() {
    let engine = Engine::in_memory().unwrap();
    let table = CreateTableInput {
        on_demand_throughput: limits(None, None),
        ..CreateTableInput::new("Items", "pk", Type::S)
    };
    engine.create_table(table).unwrap();
    assert_eq!(described(&engine).on_demand_throughput, None);
}
