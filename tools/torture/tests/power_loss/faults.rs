use std::fs;

use monotable_torture::power_loss::Loss;

use crate::under_shim::Disk;

const EIO: &str = "Input/output error (os error 5)";
const ENOSPC: &str = "No space left on device (os error 28)";

#[test]
fn syncs_fail_after_as_many_as_asked_and_for_good() {
    let mut disk = Disk::new();
    let mut program = disk.script(&[("FAULTSHIM_FAIL", "fsync:EIO:2")]);
    program.tell_all(&["create a", "append a 1", "sync a", "append a 2", "sync a"]);
    program.tell_all(&["append a 3"]);
    assert_eq!(program.tell("sync a"), EIO);
    assert_eq!(program.tell("sync a"), EIO);
    program.kill();
    disk.cut_power(Loss::Everything);
    assert_eq!(disk.text("a"), "12");
}

#[test]
fn a_full_disk_refuses_writes_and_keeps_what_it_has() {
    let mut disk = Disk::new();
    let mut program = disk.script(&[("FAULTSHIM_FAIL", "write:ENOSPC:1")]);
    program.tell_all(&["create a", "append a 1"]);
    assert_eq!(program.tell("append a 2"), ENOSPC);
    assert_eq!(program.tell("write a 0 3"), ENOSPC);
    program.tell_all(&["sync a"]);
    program.kill();
    disk.cut_power(Loss::Everything);
    assert_eq!(disk.text("a"), "1");
}

#[test]
fn several_faults_count_for_themselves() {
    let mut disk = Disk::new();
    let faults = "ftruncate:ENOSPC:1,fsync:EIO:0";
    let mut program = disk.script(&[("FAULTSHIM_FAIL", faults)]);
    program.tell_all(&["create a", "resize a 1"]);
    assert_eq!(program.tell("sync a"), EIO);
    assert_eq!(program.tell("resize a 2"), ENOSPC);
}

#[test]
fn files_elsewhere_do_not_fail() {
    let mut disk = Disk::new();
    let mut program = disk.script(&[("FAULTSHIM_FAIL", "write:EIO:0")]);
    program.tell_all(&["create ../outside", "append ../outside 1", "create a"]);
    assert_eq!(program.tell("append a 1"), EIO);
}

#[test]
fn the_trigger_starts_and_ends_the_faults() {
    let mut disk = Disk::new();
    let trigger = disk.outside("trigger");
    let settings = [
        ("FAULTSHIM_FAIL", "fsync:EIO:0"),
        ("FAULTSHIM_TRIGGER", trigger.to_str().unwrap()),
    ];
    let mut program = disk.script(&settings);
    program.tell_all(&["create a", "resize a 3", "sync a", "write a 0 1"]);
    fs::write(&trigger, "").unwrap();
    assert_eq!(program.tell("sync a"), EIO);
    fs::remove_file(&trigger).unwrap();
    program.tell_all(&["write a 1 2", "sync a"]);
    program.kill();
    disk.cut_power(Loss::Everything);
    // The failed sync dropped the first write, and the sync that succeeded did not bring it back.
    assert_eq!(disk.text("a"), "\x002\0");
}

#[test]
fn a_fault_that_is_not_understood_stops_the_program() {
    let faults = [
        "fsync",
        "fsync:EIO",
        "sync:EIO:1",
        "fsync:EWHAT:1",
        "fsync:EIO:1:2",
    ];
    for fault in faults {
        let mut disk = Disk::new();
        let mut program = disk.script(&[("FAULTSHIM_FAIL", fault)]);
        assert_eq!(program.try_tell("create a"), None, "{fault}");
    }
}
