use crate::{assert_clean, campaign, program, rounds, shim};
use monotable_engine::Durability;
use monotable_torture::campaign::Plan;
use monotable_torture::kill_time::KillTime;
use monotable_torture::planted::Bug;
use monotable_torture::power_loss::Loss;
use std::time::Duration;

#[test]
fn a_kill_loses_nothing_acknowledged() {
    let (mut campaign, _folder) = campaign(Plan::new(7), None);
    for _ in 0..rounds() {
        campaign.kill_round().unwrap();
        assert_clean(&campaign);
    }
    assert!(campaign.summary.acknowledged > 0, "{}", campaign.summary);
}

#[test]
fn a_kill_loses_nothing_that_a_relaxed_engine_acknowledged() {
    let plan = Plan {
        durability: Durability::Relaxed,
        ..Plan::new(8)
    };
    let (mut campaign, _folder) = campaign(plan, None);
    for _ in 0..rounds() {
        campaign.kill_round().unwrap();
        assert_clean(&campaign);
    }
}

#[test]
fn a_power_cut_loses_nothing_acknowledged() {
    let (mut campaign, _folder) = campaign(Plan::new(9), Some(shim()));
    for _ in 0..rounds() {
        campaign.power_round().unwrap();
        assert_clean(&campaign);
    }
}

#[test]
fn a_power_cut_leaves_a_relaxed_engine_at_one_moment_of_its_past() {
    let (mut campaign, _folder) = campaign(Plan::new(10).relaxed(), Some(shim()));
    for _ in 0..rounds() {
        campaign.power_round().unwrap();
        assert_clean(&campaign);
    }
}

#[test]
fn planted_bugs_are_found() {
    for bug in Bug::ALL {
        let folder = tempfile::tempdir().unwrap();
        let found = bug.hunt(program(), folder.path(), &shim(), 11, 20).unwrap();
        assert!(!found.is_clean(), "{bug:?} was not found: {found}");
    }
}

/// Backups, restores, exports and imports under writes; a crash leaves none of them half.
#[test]
fn what_is_kept_of_a_table_is_whole_after_a_crash() {
    let (mut campaign, _folder) = campaign(Plan::new(15), Some(shim()));
    let kill = KillTime::AfterOpen(Duration::from_millis(2500));
    for _ in 0..rounds().div_ceil(2) {
        campaign.write_until(kill, Duration::from_secs(5)).unwrap();
        campaign.cut(Loss::Some { seed: 15 }).unwrap();
        campaign.look().unwrap();
        assert_clean(&campaign);
    }
    let kept = campaign.summary.kept;
    let counts = [
        kept.backups,
        kept.times,
        kept.exports,
        kept.imports,
        kept.expired,
    ];
    assert!(
        counts.iter().all(|count| *count > 0),
        "{}",
        campaign.summary
    );
}
