//! Whether the data can be written, for `/readyz`.

use super::data::Data;
use monotable_engine::Engine;
use std::path::Path;

/// With fewer free bytes than this a disk is full: the next group of writes may need as many.
#[cfg(unix)]
const LEAST_FREE: u64 = 16 << 20;

/// Says why nothing can be written, if it is so. The store stands in this folder, if it is on disk.
pub(super) fn check(data: &Data, folder: Option<&Path>) -> Result<(), String> {
    match data {
        Data::Shared(engine) => check_engine(engine)?,
        // Whether tables elsewhere can be written is not asked again and again: asking costs money.
        Data::Elsewhere(_) => return Ok(()),
        Data::Regional(regions) => {
            for (region, engine) in regions.all() {
                check_engine(&engine).map_err(|reason| format!("region {region}: {reason}"))?;
            }
        }
    }
    folder.map_or(Ok(()), check_space)
}

fn check_engine(engine: &Engine) -> Result<(), String> {
    let health = engine.health();
    if health.writable {
        return Ok(());
    }
    let reasons: Vec<_> = health.reasons.iter().map(ToString::to_string).collect();
    Err(reasons.join("; "))
}

/// Looks whether there is space for more writes, before one of them fails.
#[cfg(unix)]
fn check_space(folder: &Path) -> Result<(), String> {
    match rustix::fs::statvfs(folder) {
        Ok(space) => judge_space(folder, space.f_bavail.saturating_mul(space.f_frsize)),
        Err(error) => Err(format!(
            "the folder {} of the store cannot be looked at: {error}. Look whether it is still there and its disk works",
            folder.display()
        )),
    }
}

#[cfg(not(unix))]
fn check_space(_: &Path) -> Result<(), String> {
    Ok(())
}

#[cfg(unix)]
fn judge_space(folder: &Path, free: u64) -> Result<(), String> {
    if free >= LEAST_FREE {
        return Ok(());
    }
    Err(format!(
        "disk full: {} has {free} bytes left, and writes need up to {LEAST_FREE}. Make room; if a write has failed \
         already, start the server again afterwards",
        folder.display()
    ))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_called_so_with_its_folder() {
        let folder = Path::new("/srv/data");
        assert_eq!(judge_space(folder, LEAST_FREE), Ok(()));
        let reason = judge_space(folder, LEAST_FREE - 1).unwrap_err();
        assert!(
            reason.starts_with("disk full: /srv/data has 16777215 bytes left"),
            "{reason}"
        );
        assert!(check_space(Path::new("/nonexistent")).is_err());
    }
}
