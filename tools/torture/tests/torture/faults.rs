use crate::{assert_clean, campaign, program, rounds, shim};
use monotable_torture::campaign::{Campaign, Fault, Plan};
use monotable_torture::kill_time::KillTime;
use monotable_torture::machine::Machine;
use monotable_torture::power_loss::Loss;
use monotable_torture::small_disk::{DISK_MEGABYTES, SmallDisk};
use std::time::Duration;

#[test]
fn a_failing_disk_is_told_and_loses_nothing_acknowledged() {
    let (mut campaign, _folder) = campaign(Plan::new(12), Some(shim()));
    for _ in 0..rounds() {
        campaign.fault_round().unwrap();
        assert_clean(&campaign);
    }
}

/// The kernel forgets what a failed sync did not write: later syncs succeed without it.
#[test]
fn a_failed_sync_does_not_take_later_writes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let machine = Machine::new(program(), folder.path(), Some(shim())).unwrap();
    // A busy machine takes its time to reach the hundredth sync; the fault ends the wait.
    let plan = Plan {
        longest: Duration::from_secs(60),
        ..Plan::new(13)
    };
    let mut campaign = Campaign::new(machine, plan);
    let kill = KillTime::AfterOpen(Duration::from_millis(300));
    campaign.write_until(kill, Duration::from_secs(1)).unwrap();
    campaign.look().unwrap();
    // More than opening takes.
    campaign.meet(&Fault::sync(100)).unwrap();
    campaign.look().unwrap();
    assert_clean(&campaign);
    assert_eq!(campaign.summary.faults, 1, "{}", campaign.summary);
    campaign.write_until(kill, Duration::from_secs(1)).unwrap();
    campaign.cut(Loss::Everything).unwrap();
    campaign.look().unwrap();
    assert_clean(&campaign);
}

#[test]
fn a_full_disk_is_told_and_loses_nothing_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let disk = match SmallDisk::mount(&folder.path().join("disk"), DISK_MEGABYTES) {
        Ok(disk) => disk,
        Err(error) => return eprintln!("skipped: no disk can be mounted: {error}"),
    };
    let machine = Machine::with_store(program(), folder.path(), &disk.store());
    let mut campaign = Campaign::new(machine, Plan::new(14));
    campaign.full_disk_round(&disk).unwrap();
    assert_clean(&campaign);
}
