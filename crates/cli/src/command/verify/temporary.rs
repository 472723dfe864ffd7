//! Where facts go that memory does not hold.

use crate::exit::Failure;
use monotable_store::{SpillFolder, SpillPlace, VerifyOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder for temporary files, which goes with this value; that of a job stays.
pub(crate) struct SpillArguments {
    temporary: PathBuf,
    place: Arc<dyn SpillPlace>,
    job: Option<Arc<dyn SpillPlace>>,
}

impl SpillArguments {
    /// Makes the folders.
    pub(crate) fn open(job: Option<&Path>) -> Result<Self, Failure> {
        let name = format!("monotable-{}", std::process::id());
        let temporary = std::env::temp_dir().join(name);
        let place = folder(&temporary)?;
        let job = job.map(folder).transpose()?;
        Ok(Self {
            temporary,
            place,
            job,
        })
    }

    /// Facts go to the temporary folder.
    pub(crate) fn options(&self) -> VerifyOptions {
        VerifyOptions::new().spill_to(Arc::clone(&self.place))
    }

    /// Facts go to the folder of the job, if there is one, and so does how far it is.
    pub(crate) fn job_options(&self) -> VerifyOptions {
        match &self.job {
            Some(job) => VerifyOptions::new().keep_job_in(Arc::clone(job)),
            None => self.options(),
        }
    }
}

fn folder(path: &Path) -> Result<Arc<dyn SpillPlace>, Failure> {
    let folder = SpillFolder::new(path).map_err(|error| {
        Failure::usage(format!(
            "the folder {} cannot be made: {error}",
            path.display()
        ))
    })?;
    Ok(Arc::new(folder))
}

impl Drop for SpillArguments {
    fn drop(&mut self) {
        // What cannot be removed is left to whoever cleans the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.temporary);
    }
}
