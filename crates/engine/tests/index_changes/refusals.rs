//! What is refused while an index is being filled.

use crate::gate::Gate;
use crate::{INDEX, TABLE, addition, await_status, change, described, order, put, table};
use monotable_api::{
    AttributeDefinition, DeleteTableInput, Error, GlobalSecondaryIndex, GlobalSecondaryIndexUpdate,
    IndexStatus, ScalarAttributeType, ScanInput, UpdateTableInput,
};
use monotable_engine::EngineOptions;
use std::thread;
use std::time::Duration;

fn other() -> UpdateTableInput {
    let index = GlobalSecondaryIndex::new("other", "state");
    UpdateTableInput {
        attribute_definitions: Some(vec![AttributeDefinition::new(
            "state",
            ScalarAttributeType::S,
        )]),
        ..change(GlobalSecondaryIndexUpdate::create(index))
    }
}

/// Sends a request, and lets one commit after the other begin until it is answered. Each has a piece of the index, too.
fn while_filling(
    gate: &Gate,
    request: impl FnOnce() -> Result<(), Error> + Send,
) -> Result<(), Error> {
    thread::scope(|scope| {
        let request = scope.spawn(request);
        while !request.is_finished() {
            thread::sleep(Duration::from_millis(150));
            gate.let_pass(1);
        }
        request.join().unwrap()
    })
}

#[test]
fn an_index_that_is_filled_is_not_read_and_not_joined_by_another_one() {
    let gate = Gate::default();
    let engine = EngineOptions::new()
        .stalls(gate.injector())
        .in_memory()
        .unwrap();
    engine.create_table(table()).unwrap();
    // More than the commits below can put into the index.
    for number in 0..12_000 {
        put(&engine, order(number)).unwrap();
    }
    // Only the addition itself.
    gate.let_pass(1);
    engine.update_table(addition()).unwrap();
    let index = described(&engine).unwrap();
    assert_eq!(index.index_status, Some(IndexStatus::Creating));
    assert_eq!(index.backfilling, Some(true));
    let refused = engine.scan(ScanInput::new(TABLE).index(INDEX)).unwrap_err();
    assert_eq!(
        refused.message(),
        "Cannot read from backfilling global secondary index: byState"
    );
    let same = while_filling(&gate, || engine.update_table(addition()).map(drop));
    let other = while_filling(&gate, || engine.update_table(other()).map(drop));
    let delete = while_filling(&gate, || {
        engine.delete_table(DeleteTableInput::new(TABLE)).map(drop)
    });
    let (same, other, delete) = (same.unwrap_err(), other.unwrap_err(), delete.unwrap_err());
    assert_eq!(
        same.message(),
        "Attempt to change a resource which is still in use: Index is being created.  Table: Orders Index: byState"
    );
    assert!(matches!(same, Error::ResourceInUseException { .. }));
    assert!(
        matches!(other, Error::LimitExceededException { .. }),
        "{other}"
    );
    assert!(
        matches!(delete, Error::ResourceInUseException { .. }),
        "{delete}"
    );
    // It may be removed before it is full.
    while_filling(&gate, || engine.update_table(crate::removal()).map(drop)).unwrap();
    gate.open();
    await_status(&engine, None);
    assert_eq!(engine.verify().unwrap().entries, 0);
    crate::stores::assert_sound(&engine);
}
