//! SIGHUP: access keys, the file of `--auth` and the certificate are read again, and the access log is begun anew.

#[cfg(unix)]
use super::auth;
use super::certificate::TlsArguments;
use crate::access_keys;
use crate::exit::Failure;
use crate::mounted_models::MountedModels;
use monotable_policy::Scope;
use monotable_server::{AccessLog, KeyHolder};
use std::path::{Path, PathBuf};

/// What is read again, or opened again, at each signal.
pub(super) struct Rereading {
    pub(super) credentials: Option<PathBuf>,
    pub(super) auth: Option<PathBuf>,
    pub(super) scope: Scope,
    pub(super) tls: TlsArguments,
    pub(super) access_log: Option<AccessLog>,
}

impl Rereading {
    /// Without anything to read again, the signal keeps its meaning: it ends the process.
    const fn is_empty(&self) -> bool {
        self.credentials.is_none()
            && self.auth.is_none()
            && !self.tls.is_given()
            && self.access_log.is_none()
    }

    /// What cannot be used changes nothing: what was there before stays.
    #[cfg(unix)]
    async fn reread(&self, keys: &KeyHolder, mounted: Option<&MountedModels>) {
        if let Some(file) = &self.credentials {
            reread_keys(file, keys, &self.scope);
        }
        if let (Some(file), Some(mounted)) = (&self.auth, mounted) {
            reread_callers(file, mounted).await;
        }
        match self.tls.read() {
            Ok(Some(certificate)) => {
                keys.replace_certificate(certificate);
                tracing::info!("certificate read again");
            }
            Ok(None) => {}
            Err(failure) => tracing::error!(%failure, "the certificate stays as it was"),
        }
        if let Some(log) = &self.access_log {
            log.reopen();
        }
    }
}

/// The signal, caught from the moment this is made.
pub(super) struct Hangup {
    #[cfg(unix)]
    caught: Option<(tokio::signal::unix::Signal, Rereading)>,
}

#[cfg(unix)]
impl Hangup {
    pub(super) fn listen(rereading: Rereading) -> Result<Self, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        if rereading.is_empty() {
            return Ok(Self { caught: None });
        }
        let hangup = signal(SignalKind::hangup())
            .map_err(|error| Failure::other("cannot catch signals").caused_by(&error))?;
        Ok(Self {
            caught: Some((hangup, rereading)),
        })
    }

    /// Reads again at each signal, for as long as the process runs.
    pub(super) fn begin(self, keys: KeyHolder, mounted: Option<MountedModels>) {
        let Some((mut hangup, rereading)) = self.caught else {
            return;
        };
        tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                rereading.reread(&keys, mounted.as_ref()).await;
            }
        });
    }
}

#[cfg(not(unix))]
impl Hangup {
    pub(super) fn listen(_: Rereading) -> Result<Self, Failure> {
        Ok(Self {})
    }

    pub(super) fn begin(self, _: KeyHolder, _: Option<MountedModels>) {}
}

#[cfg(unix)]
fn reread_keys(file: &Path, keys: &KeyHolder, scope: &Scope) {
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

#[cfg(unix)]
async fn reread_callers(file: &Path, mounted: &MountedModels) {
    let models = mounted.list_models();
    match auth::read(file, &models).await {
        Ok(authentication) => {
            for unserved in authentication.list_unserved(&models) {
                tracing::warn!("{unserved}");
            }
            mounted.replace_authentication(authentication);
            tracing::info!(file = %file.display(), "issuers, keys and limits read again");
        }
        Err(failure) => {
            tracing::error!(%failure, "issuers, keys and limits stay as they were");
        }
    }
}
