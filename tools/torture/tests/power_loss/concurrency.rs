use std::collections::BTreeSet;

use monotable_torture::power_loss::Loss;
use monotable_torture::storm::{ALLOCATED, APPENDED, offset, record};

use crate::under_shim::Disk;

const THREADS: usize = 8;
const RECORDS: usize = 150;

/// Kills a storm after some acknowledgements; returns all that it gave.
fn killed_storm(disk: &mut Disk, settings: &[(&str, &str)]) -> Vec<(usize, usize)> {
    let directory = disk.directory();
    let threads = THREADS.to_string();
    let arguments = ["storm", directory.to_str().unwrap(), &threads];
    let program = disk.start(&arguments, settings);
    let mut lines: Vec<String> = (0..RECORDS).map(|_| program.next_line().unwrap()).collect();
    lines.extend(program.kill());
    lines.iter().filter_map(|line| acknowledged(line)).collect()
}

/// None for a last line that the kill cut short; cut within the count, it names an earlier record.
fn acknowledged(line: &str) -> Option<(usize, usize)> {
    let (thread, count) = line.split_once(' ')?;
    Some((thread.parse().ok()?, count.parse().ok()?))
}

fn survivors(disk: &Disk, acknowledged: &[(usize, usize)]) -> (usize, usize) {
    let appended = disk.content(APPENDED);
    let appended: BTreeSet<&[u8]> = appended.chunks(record(0, 0).len()).collect();
    let allocated = disk.content(ALLOCATED);
    let in_appended =
        |&&(thread, count): &&(usize, usize)| appended.contains(record(thread, count).as_slice());
    let in_allocated = |&&(thread, count): &&(usize, usize)| {
        let start = usize::try_from(offset(thread, count)).unwrap();
        allocated
            .get(start..)
            .unwrap_or_default()
            .starts_with(&record(thread, count))
    };
    (
        acknowledged.iter().filter(in_appended).count(),
        acknowledged.iter().filter(in_allocated).count(),
    )
}

#[test]
fn what_many_threads_synced_survives() {
    for loss in [
        Loss::Everything,
        Loss::Some { seed: 1 },
        Loss::Some { seed: 2 },
    ] {
        let mut disk = Disk::new();
        let acknowledged = killed_storm(&mut disk, &[]);
        disk.cut_power(loss);
        let all = (acknowledged.len(), acknowledged.len());
        assert_eq!(survivors(&disk, &acknowledged), all, "{loss:?}");
    }
}

#[test]
fn what_many_threads_did_not_really_sync_is_gone() {
    let mut disk = Disk::new();
    let acknowledged = killed_storm(&mut disk, &[("FAULTSHIM_SKIP_SYNC", "1")]);
    disk.cut_power(Loss::Everything);
    assert!(acknowledged.len() >= RECORDS);
    assert_eq!(survivors(&disk, &acknowledged), (0, 0));
}
