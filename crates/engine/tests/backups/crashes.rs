//! A store that is opened again in the middle of a backup or a restore.
//!
//! The gate holds the next commit up; what is on the disk then is what a process leaves that is killed there.

use crate::{
    Contents, RESTORED, TABLE, await_backup, await_table, backup_status, begin_backup, clock,
    contents, gate::Gate, load, options, order, put, restore, status, stores,
};
use monotable_api::{
    BackupStatus, RestoreTableFromBackupInput, RestoreTableToPointInTimeInput, TableStatus,
    UpdateContinuousBackupsInput,
};
use monotable_engine::{Engine, ManualClock};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// Items, more than one piece of a copy.
const ITEMS: u32 = 2_500;

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

struct World {
    clock: Arc<ManualClock>,
    gate: Gate,
    directory: TempDir,
    engine: Engine,
}

impl World {
    fn new() -> Self {
        let (clock, gate) = (clock(), Gate::default());
        let directory = tempfile::tempdir().unwrap();
        let options = options(&clock).stalls(gate.injector());
        let engine = options.open(directory.path()).unwrap();
        load(&engine, ITEMS);
        Self {
            clock,
            gate,
            directory,
            engine,
        }
    }

    /// Lets so many commits pass from a request on, and opens what is on the disk then.
    fn crash_after(&self, commits: u32, request: impl FnOnce()) -> (TempDir, Engine) {
        self.gate.let_pass(commits);
        request();
        self.gate.await_stop();
        let copy = tempfile::tempdir().unwrap();
        copy_folder(self.directory.path(), copy.path());
        self.gate.open();
        let engine = options(&self.clock).open(copy.path()).unwrap();
        (copy, engine)
    }
}

#[test]
fn half_a_backup_goes() {
    let world = World::new();
    // The request and one piece.
    let arn = std::cell::OnceCell::new();
    let (_copy, engine) = world.crash_after(2, || {
        arn.set(begin_backup(&world.engine, "half")).unwrap();
    });
    let arn = arn.get().unwrap();
    assert_eq!(
        backup_status(&engine, arn).unwrap_err().code(),
        "BackupNotFoundException"
    );
    engine.background_step().unwrap();
    stores::assert_sound(&engine);
    assert_eq!(contents(&engine, TABLE), contents(&world.engine, TABLE));
    // It is whole where nothing has crashed.
    await_backup(&world.engine, arn);
    let other = begin_backup(&engine, "whole");
    await_backup(&engine, &other);
    restore(&engine, &other, RESTORED);
    assert_eq!(contents(&engine, RESTORED), contents(&engine, TABLE));
}

#[test]
fn a_backup_that_closing_interrupts_goes() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(directory.path()).unwrap();
    load(&engine, 50);
    for round in 0..3 {
        begin_backup(&engine, &format!("round{round}"));
    }
    drop(engine);
    let engine = Engine::open(directory.path()).unwrap();
    let backups = engine.list_backups(monotable_api::ListBackupsInput::new());
    for backup in backups.unwrap().backup_summaries {
        let arn = backup.backup_arn.unwrap();
        assert_eq!(backup_status(&engine, &arn), Ok(BackupStatus::Available));
    }
    engine.background_step().unwrap();
    stores::assert_sound(&engine);
}

fn assert_restored(engine: &Engine, expected: &Contents) {
    await_table(engine, RESTORED);
    assert_eq!(contents(engine, RESTORED), *expected);
    stores::assert_sound(engine);
}

#[test]
fn half_a_restore_goes_on() {
    let world = World::new();
    let before = contents(&world.engine, TABLE);
    let arn = begin_backup(&world.engine, "first");
    await_backup(&world.engine, &arn);
    for commits in 1..4 {
        let target = RestoreTableFromBackupInput::new(RESTORED, &arn);
        let (_copy, engine) = world.crash_after(commits, || {
            world.engine.restore_table_from_backup(target).unwrap();
        });
        assert_restored(&engine, &before);
        assert_restored(&world.engine, &before);
        let delete = monotable_api::DeleteTableInput::new(RESTORED);
        world.engine.delete_table(delete).unwrap();
    }
}

#[test]
fn half_a_restore_to_a_point_in_time_goes_on() {
    let world = World::new();
    let enable = UpdateContinuousBackupsInput::enable(TABLE);
    world.engine.update_continuous_backups(enable).unwrap();
    let before = contents(&world.engine, TABLE);
    world.clock.advance(Duration::from_secs(1));
    for number in 0..ITEMS {
        put(&world.engine, order(number).with("state", "CHANGED"));
    }
    let time = monotable_api::Timestamp::from_millis(crate::NOW);
    // The request, three pieces and the end of the copy, and two pieces of what is undone.
    for commits in [2, 5, 6, 7] {
        let target = RestoreTableToPointInTimeInput::at(TABLE, RESTORED, time);
        let (_copy, engine) = world.crash_after(commits, || {
            let restored = world.engine.restore_table_to_point_in_time(target);
            restored.unwrap();
        });
        // What is written meanwhile is not part of it.
        if status(&engine, RESTORED) == Some(TableStatus::Creating) {
            put(&engine, order(1).with("state", "LATER"));
        }
        assert_restored(&engine, &before);
        assert_restored(&world.engine, &before);
        let delete = monotable_api::DeleteTableInput::new(RESTORED);
        world.engine.delete_table(delete).unwrap();
    }
}
