//! SIGHUP: the file of access keys is read again.

use crate::access_keys;
use crate::exit::Failure;
use monotable_policy::Scope;
use monotable_server::KeyHolder;
use std::path::{Path, PathBuf};

/// The file to read again, and the signal that asks for it, caught from the moment this is made. Without a file the
/// signal keeps its meaning: it ends the process.
pub(super) struct Rereading {
    #[cfg(unix)]
    caught: Option<(PathBuf, tokio::signal::unix::Signal)>,
    #[cfg(unix)]
    scope: Scope,
}

#[cfg(unix)]
impl Rereading {
    pub(super) fn listen(file: Option<&Path>, scope: Scope) -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let caught = file.map(|file| {
            let hangup = signal(SignalKind::hangup());
            hangup.map(|hangup| (file.to_owned(), hangup))
        });
        let caught = caught
            .transpose()
            .map_err(|error| Failure::other("cannot catch signals").caused_by(&error))?;
        Ok(Self { caught, scope })
    }

    /// Reads the file at each signal, for as long as the process runs. A file that cannot be used changes nothing: the
    /// keys before stay.
    pub(super) fn begin(self, keys: KeyHolder) {
        let Some((file, mut hangup)) = self.caught else {
            return;
        };
        tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                reread(&file, &keys, &self.scope);
            }
        });
    }
}

#[cfg(not(unix))]
impl Rereading {
    pub(super) fn listen(_: Option<&Path>, _: Scope) -> Result<Self, Failure> {
        Ok(Self {})
    }

    pub(super) fn begin(self, _: KeyHolder) {}
}

#[cfg(unix)]
fn reread(file: &Path, keys: &KeyHolder, scope: &Scope) {
    match access_keys::read_quietly(file) {
        Ok(credentials) => {
            for warning in credentials.warnings(scope) {
                tracing::warn!("{warning}");
            }
            keys.replace(credentials);
            tracing::info!(file = %file.display(), "credentials read again");
        }
        Err(failure) => tracing::error!(%failure, "the credentials stay as they were"),
    }
}
