//! A backup from the request to its end.

use crate::{
    RESTORED, TABLE, await_backup, backup_status, begin_backup, clock, contents, gate, load,
    options, order, put, restore, status, stores,
};
use monotable_api::{
    BackupTypeFilter, CreateBackupInput, DeleteBackupInput, DeleteItemInput, DeleteTableInput,
    DescribeBackupInput, DescribeTableInput, Error, GetItemInput, ListBackupsInput, PutItemInput,
    RestoreTableFromBackupInput, TableStatus, Timestamp,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::Item;
use std::time::Duration;

#[test]
fn a_restored_table_is_the_table_when_the_backup_was_asked_for() {
    stores::on_each(EngineOptions::new, |engine| {
        load(engine, 2_500);
        let before = contents(engine, TABLE);
        let arn = begin_backup(engine, "first");
        put(engine, order(2_500));
        let key = Item::new().with("id", "0").with("part", 0);
        engine
            .delete_item(DeleteItemInput::new(TABLE, key))
            .unwrap();
        await_backup(engine, &arn);
        restore(engine, &arn, RESTORED);
        assert_eq!(contents(engine, RESTORED), before);
        assert_ne!(contents(engine, TABLE), before);
        stores::assert_sound(engine);
        let summary = engine.describe_table(DescribeTableInput::new(RESTORED));
        assert_eq!(summary.unwrap().table.unwrap().restore_summary, None);
    });
}

#[test]
fn a_backup_outlives_its_table_and_the_process() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(directory.path()).unwrap();
    load(&engine, 50);
    let before = contents(&engine, TABLE);
    let arn = begin_backup(&engine, "kept");
    await_backup(&engine, &arn);
    engine.delete_table(DeleteTableInput::new(TABLE)).unwrap();
    drop(engine);
    let engine = Engine::open(directory.path()).unwrap();
    restore(&engine, &arn, TABLE);
    assert_eq!(contents(&engine, TABLE), before);
    stores::assert_sound(&engine);
    let described = engine.describe_backup(DescribeBackupInput::new(&arn));
    let described = described.unwrap().backup_description.unwrap();
    assert_eq!(described.source_table_details.unwrap().item_count, Some(50));
    engine.delete_backup(DeleteBackupInput::new(&arn)).unwrap();
    assert_eq!(
        backup_status(&engine, &arn).unwrap_err().to_string(),
        format!("BackupNotFoundException: Backup not found: {arn}")
    );
    stores::assert_sound(&engine);
}

#[test]
fn a_table_that_is_being_restored_cannot_be_used_nor_its_backup_removed() {
    let gate = gate::Gate::default();
    let engine = EngineOptions::new().stalls(gate.injector());
    let engine = engine.in_memory().unwrap();
    load(&engine, 1_500);
    let arn = begin_backup(&engine, "first");
    await_backup(&engine, &arn);
    // The commit of the request, and no other one.
    gate.let_pass(1);
    let restore =
        || engine.restore_table_from_backup(RestoreTableFromBackupInput::new(RESTORED, &arn));
    restore().unwrap();
    assert_eq!(status(&engine, RESTORED), Some(TableStatus::Creating));
    let described = engine.describe_table(DescribeTableInput::new(RESTORED));
    let summary = described.unwrap().table.unwrap().restore_summary.unwrap();
    assert_eq!(summary.source_backup_arn.as_ref(), Some(&arn));
    assert_eq!(summary.restore_in_progress, Some(true));
    let key = Item::new().with("id", "0").with("part", 0);
    let get = engine.get_item(GetItemInput::new(RESTORED, key));
    assert_eq!(
        get.unwrap_err(),
        Error::not_found("Requested resource not found")
    );
    let refused = engine.put_item(PutItemInput::new(RESTORED, order(1)));
    assert_eq!(
        refused.unwrap_err(),
        Error::not_found("Requested resource not found")
    );
    // Its own commits wait at the gate, and so do these requests: they are asked when all may pass.
    gate.open();
    let errors = [
        restore().unwrap_err().code(),
        engine
            .restore_table_from_backup(RestoreTableFromBackupInput::new(TABLE, &arn))
            .unwrap_err()
            .code(),
    ];
    assert!(
        errors[0] == "TableInUseException" || errors[0] == "TableAlreadyExistsException",
        "{errors:?}"
    );
    assert_eq!(errors[1], "TableAlreadyExistsException");
    crate::await_table(&engine, RESTORED);
    stores::assert_sound(&engine);
}

#[test]
fn what_is_not_there_is_not_found() {
    let engine = Engine::in_memory().unwrap();
    let missing = "arn:aws:dynamodb:local:000000000000:table/Orders/backup/01489602797149-73d8d5bc";
    assert_eq!(
        engine
            .create_backup(CreateBackupInput::new(TABLE, "first"))
            .unwrap_err()
            .to_string(),
        "TableNotFoundException: Table not found: Orders"
    );
    for error in [
        engine
            .delete_backup(DeleteBackupInput::new(missing))
            .unwrap_err(),
        engine
            .describe_backup(DescribeBackupInput::new(missing))
            .unwrap_err(),
        engine
            .restore_table_from_backup(RestoreTableFromBackupInput::new(RESTORED, missing))
            .unwrap_err(),
    ] {
        assert_eq!(error.code(), "BackupNotFoundException");
    }
}

/// The names of the backups that a request lists.
fn list(engine: &Engine, input: ListBackupsInput) -> (Vec<String>, Option<String>) {
    let answer = engine.list_backups(input).unwrap();
    let names = answer.backup_summaries.into_iter();
    let names = names.map(|summary| summary.backup_name.unwrap()).collect();
    (names, answer.last_evaluated_backup_arn)
}

#[test]
fn lists_are_filtered_and_come_in_pages() {
    let clock = clock();
    let engine = options(&clock).in_memory().unwrap();
    load(&engine, 3);
    let start = crate::NOW;
    for name in ["one", "two", "three"] {
        let arn = begin_backup(&engine, name);
        await_backup(&engine, &arn);
        clock.advance(Duration::from_secs(1));
    }
    let all = ["one", "two", "three"].map(str::to_owned).to_vec();
    assert_eq!(list(&engine, ListBackupsInput::new()), (all.clone(), None));
    let other = ListBackupsInput::of_table("Other");
    assert_eq!(list(&engine, other), (vec![], None));
    let system = ListBackupsInput::new().backup_type(BackupTypeFilter::System);
    assert_eq!(list(&engine, system), (vec![], None));
    let range = ListBackupsInput {
        time_range_lower_bound: Some(Timestamp::from_millis(start + 1_000)),
        time_range_upper_bound: Some(Timestamp::from_millis(start + 2_000)),
        ..ListBackupsInput::of_table(TABLE)
    };
    assert_eq!(list(&engine, range), (vec!["two".to_owned()], None));

    let mut found = Vec::new();
    let mut next = None;
    loop {
        let page = ListBackupsInput {
            limit: Some(2),
            exclusive_start_backup_arn: next,
            ..ListBackupsInput::new()
        };
        let (names, last) = list(&engine, page);
        found.extend(names);
        match last {
            Some(last) => next = Some(last),
            None => break,
        }
    }
    assert_eq!(found, all);
    let three = ListBackupsInput {
        limit: Some(3),
        ..ListBackupsInput::new()
    };
    assert_eq!(list(&engine, three), (all, None));
}
