//! Whether the server can write, as the process knows it.

use crate::refusal::Refusal;
use crate::shared::Shared;
use std::sync::Arc;
use std::time::Duration;

/// Says why nothing can be written, in words, if it is so. It may look at the disk.
pub(crate) type Readiness = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

/// How long the answer may take. A disk that does not answer takes no writes either.
const PATIENCE: Duration = Duration::from_secs(5);

/// Refuses if nothing can be written.
pub(crate) async fn check(shared: &Shared) -> Result<(), Refusal> {
    let readiness = Arc::clone(&shared.readiness);
    let asked = tokio::task::spawn_blocking(move || readiness());
    let reason = match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(Ok(()))) => return Ok(()),
        Ok(Ok(Err(reason))) => reason,
        Ok(Err(_)) => "the store cannot be asked: see the log of the server".to_owned(),
        Err(_) => format!(
            "the disk of the store has not answered for {} s: look for a failing disk or network drive",
            PATIENCE.as_secs()
        ),
    };
    Err(Refusal::NotReady { reason })
}
