//! Changes of the source, carried over until the switch.

use crate::exit::{Failure, done};
use crate::progress::Progress;
use monotable_operations::{CopyPlace, Follower};
use monotable_store::Store;
use std::time::{Duration, Instant};

/// Time between two looks at streams that have nothing new.
const PACE: Duration = Duration::from_millis(200);

/// Follows until nothing has changed for so long; without a time, until the program is ended.
pub(super) async fn follow(
    from: &Store,
    to: &Store,
    place: CopyPlace,
    idle: Option<Duration>,
) -> Result<(), Failure> {
    let mut follower = Follower::new(from, to, place).await?;
    let mut progress = Progress::new();
    let mut carried = 0;
    let mut last_change = Instant::now();
    let mut is_told = false;
    loop {
        let now = follower.follow_once().await?;
        carried += now;
        if now > 0 {
            last_change = Instant::now();
        } else {
            if !is_told {
                is_told = true;
                progress.pause();
                done(
                    "the target has caught up with the source; changes are carried over as they happen",
                );
            }
            if idle.is_some_and(|idle| last_change.elapsed() >= idle) {
                break;
            }
            tokio::time::sleep(PACE).await;
        }
        progress.at(format_args!("{carried} changes carried over"));
    }
    drop(progress);
    done(format_args!("{carried} changes carried over"));
    Ok(())
}
