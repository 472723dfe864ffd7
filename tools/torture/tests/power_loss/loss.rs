use monotable_torture::power_loss::{Damage, Loss};

use crate::under_shim::Disk;

#[test]
fn synced_bytes_stay_and_unsynced_bytes_past_them_are_gone() {
    let mut disk = Disk::new();
    let damage = disk.lose_all_unsynced(&[
        "create a",
        "append a synced",
        "sync a",
        "append a ,unsynced",
    ]);
    assert_eq!(disk.text("a"), "synced");
    let expected = Damage {
        files: 1,
        unsynced_changes: 1,
    };
    assert_eq!(damage, expected);
}

#[test]
fn a_kill_alone_loses_nothing() {
    let mut disk = Disk::new();
    let mut program = disk.script(&[]);
    program.tell_all(&["create a", "append a unsynced"]);
    program.kill();
    assert_eq!(disk.text("a"), "unsynced");
}

#[test]
fn a_file_that_was_never_synced_is_empty() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&["create a", "append a unsynced"]);
    assert_eq!(disk.text("a"), "");
}

#[test]
fn unsynced_bytes_in_allocated_zeros_are_zeros_again() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&[
        "create journal",
        "resize journal 12",
        "sync journal",
        "append journal one",
        "sync journal",
        "append journal two",
    ]);
    assert_eq!(disk.text("journal"), "one\0\0\0\0\0\0\0\0\0");
}

#[test]
fn unsynced_bytes_over_synced_ones_are_the_synced_ones_again() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&["create a", "append a 0001", "sync a", "write a 0 0002"]);
    assert_eq!(disk.text("a"), "0001");
}

#[test]
fn an_unsynced_size_is_lost() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&[
        "create short",
        "append short 0123456789",
        "sync short",
        "resize short 4",
        "create long",
        "append long 0123",
        "sync long",
        "resize long 1000",
    ]);
    assert_eq!(disk.text("short"), "0123456789");
    assert_eq!(disk.text("long"), "0123");
}

#[test]
fn emptying_a_file_by_opening_it_is_a_change_like_others() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&["create a", "append a old", "sync a", "empty a"]);
    assert_eq!(disk.text("a"), "old");
    disk.lose_all_unsynced(&["empty a", "append a x", "sync a"]);
    assert_eq!(disk.text("a"), "x");
}

#[test]
fn appends_are_recorded_where_they_land() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&[
        "create a",
        "append a one",
        "open-to-append a",
        "append a two",
        "sync a",
        "append a three",
    ]);
    assert_eq!(disk.text("a"), "onetwo");
}

#[test]
fn a_renamed_file_is_the_same_file() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&[
        "create new",
        "append new synced",
        "sync new",
        "append new ,unsynced",
        "create current",
        "append current old",
        "rename new current",
    ]);
    assert_eq!(disk.text("current"), "synced");
}

#[test]
fn a_new_file_does_not_inherit_from_a_removed_one() {
    let mut disk = Disk::new();
    // File systems like to give the inode just freed to the next file.
    disk.lose_all_unsynced(&[
        "create old",
        "append old synced",
        "sync old",
        "append old ,unsynced",
        "remove old",
        "create new",
        "append new unsynced",
    ]);
    assert_eq!(disk.text("new"), "");
}

#[test]
fn a_copied_file_is_written_like_any_other() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&["create a", "append a synced", "sync a", "copy a b"]);
    assert_eq!(disk.text("a"), "synced");
    assert_eq!(disk.text("b"), "");
}

#[test]
fn a_later_process_can_sync_what_a_killed_one_wrote() {
    let mut disk = Disk::new();
    let mut first = disk.script(&[]);
    first.tell_all(&["create a", "append a one", "create b", "append b one"]);
    first.kill();
    disk.lose_all_unsynced(&["open a", "sync a"]);
    assert_eq!(disk.text("a"), "one");
    assert_eq!(disk.text("b"), "");
}

#[test]
fn what_a_power_cut_left_is_durable() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&["create a", "append a one", "sync a"]);
    disk.lose_all_unsynced(&["open-to-append a", "append a two"]);
    assert_eq!(disk.text("a"), "one");
}

#[test]
fn files_elsewhere_are_left_alone() {
    let mut disk = Disk::new();
    disk.lose_all_unsynced(&["create ../outside", "append ../outside unsynced"]);
    assert_eq!(disk.text("../outside"), "unsynced");
}

#[test]
fn a_program_that_only_pretends_to_sync_loses_data() {
    let mut disk = Disk::new();
    let mut program = disk.script(&[("FAULTSHIM_SKIP_SYNC", "1")]);
    program.tell_all(&["create a", "append a acknowledged", "sync a"]);
    program.kill();
    disk.cut_power(Loss::Everything);
    assert_eq!(disk.text("a"), "");
}

const INTO_ZEROS: &[&str] = &[
    "create a",
    "resize a 8",
    "write a 0 1234",
    "sync a",
    "write a 4 5678",
];
const APPENDED: &[&str] = &[
    "create a",
    "append a 1234",
    "sync a",
    "open-to-append a",
    "append a 5678",
];

fn left_by(seed: u64, commands: &[&str]) -> String {
    let mut disk = Disk::new();
    let mut program = disk.script(&[]);
    program.tell_all(commands);
    program.kill();
    disk.cut_power(Loss::Some { seed });
    disk.text("a")
}

#[test]
fn a_seed_keeps_loses_or_tears_what_was_unsynced() {
    for (commands, lost) in [(INTO_ZEROS, "1234\0\0\0\0"), (APPENDED, "1234")] {
        let left: Vec<String> = (0..24).map(|seed| left_by(seed, commands)).collect();
        assert!(left.iter().all(|text| text.starts_with("1234")), "{left:?}");
        assert!(left.iter().any(|text| text == "12345678"), "kept: {left:?}");
        assert!(left.iter().any(|text| text == lost), "lost: {left:?}");
        let torn = |text: &&String| *text != "12345678" && *text != lost;
        assert!(left.iter().any(|text| torn(&text)), "torn: {left:?}");
    }
}

#[test]
fn a_seed_decides_the_same_each_time() {
    for seed in 0..4 {
        assert_eq!(left_by(seed, INTO_ZEROS), left_by(seed, INTO_ZEROS));
    }
}
