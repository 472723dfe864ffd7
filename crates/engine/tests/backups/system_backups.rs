//! A deleted table with point-in-time recovery leaves a backup.

use crate::{RESTORED, TABLE, clock, contents, load, options, restore, stores};
use monotable_api::{
    BackupSummary, BackupType, BackupTypeFilter, DeleteBackupInput, DeleteTableInput,
    ListBackupsInput, UpdateContinuousBackupsInput,
};
use monotable_engine::Engine;
use std::time::Duration;

fn system_backups(engine: &Engine) -> Vec<BackupSummary> {
    let input = ListBackupsInput::of_table(TABLE).backup_type(BackupTypeFilter::System);
    engine.list_backups(input).unwrap().backup_summaries
}

#[test]
fn it_can_be_restored_for_35_days() {
    let clock = clock();
    let directory = tempfile::tempdir().unwrap();
    let engine = options(&clock).open(directory.path()).unwrap();
    load(&engine, 20);
    engine
        .update_continuous_backups(UpdateContinuousBackupsInput::enable(TABLE))
        .unwrap();
    let before = contents(&engine, TABLE);
    engine.delete_table(DeleteTableInput::new(TABLE)).unwrap();
    drop(engine);
    let engine = options(&clock).open(directory.path()).unwrap();
    let backups = system_backups(&engine);
    let backup = &backups[0];
    assert_eq!(
        backup.backup_name.as_deref(),
        Some("Orders$DeletedTableBackup")
    );
    assert_eq!(backup.backup_type, Some(BackupType::System));
    let all = engine.list_backups(ListBackupsInput::of_table(TABLE));
    assert_eq!(all.unwrap().backup_summaries, vec![]);
    let arn = backup.backup_arn.clone().unwrap();
    let refused = engine.delete_backup(DeleteBackupInput::new(&arn));
    assert_eq!(
        refused.unwrap_err().to_string(),
        format!(
            "ValidationException: User is not allowed to delete the system backup with arn {arn}. It will automatically expire on 2025-12-23T12:00:00.500Z"
        )
    );
    restore(&engine, &arn, RESTORED);
    assert_eq!(contents(&engine, RESTORED), before);
    stores::assert_sound(&engine);

    engine
        .delete_table(DeleteTableInput::new(RESTORED))
        .unwrap();
    clock.advance(Duration::from_secs(35 * 24 * 60 * 60));
    // Once for the backup, and once more for its rows.
    engine.background_step().unwrap();
    engine.background_step().unwrap();
    assert_eq!(system_backups(&engine), vec![]);
    stores::assert_sound(&engine);
    assert_eq!(engine.verify().unwrap().items, 0);
}
