//! `torture faults`.

use super::options::{Options, program};
use super::progress::{conclude, run_rounds};
use crate::report;
use monotable_torture::campaign::{Campaign, Plan};
use monotable_torture::machine::Machine;
use monotable_torture::preload::Shim;
use monotable_torture::small_disk::{DISK_MEGABYTES, SmallDisk};
use std::io;

/// Disks that are filled up.
const DISKS: u64 = 3;

pub(super) fn run(mut options: Options) -> io::Result<()> {
    let folder = options.folder()?;
    let machine = Machine::new(&program()?, &folder.join("faults"), Some(Shim::build()?))?;
    let campaign = Campaign::new(machine, Plan::new(options.seed));
    run_rounds("faults", &mut options, campaign, Campaign::fault_round)?;
    for number in 0..DISKS {
        let disk = match SmallDisk::mount(&folder.join(format!("disk-{number}")), DISK_MEGABYTES) {
            Ok(disk) => disk,
            Err(error) => {
                report(&format!(
                    "small disk: skipped, it cannot be mounted: {error}"
                ));
                return Ok(());
            }
        };
        let machine = Machine::with_store(&program()?, &folder, &disk.store());
        let mut campaign = Campaign::new(machine, Plan::new(options.seed + number));
        campaign.full_disk_round(&disk)?;
        conclude("small disk", &mut options, &campaign.summary)?;
    }
    Ok(())
}
