//! Work that may take long, done beside the lanes.
//!
//! A lane answers its connections one after the other (`lanes.rs`), so a request that computes for milliseconds would hold up all others
//! there. Such requests are carried out on the runtime that the server was bound on, whose threads share what there is to do.

use crate::refusal::Refusal;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// The runtime that long work is done on.
pub(crate) struct Aside(Handle);

/// Ends the work when nobody waits for it any more.
struct EndOnDrop<T>(JoinHandle<T>);

impl<T> Drop for EndOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Aside {
    /// The runtime that this is called on.
    pub(crate) fn here() -> Self {
        Self(Handle::current())
    }

    /// Does the work there, and waits for what comes of it.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let mut working = EndOnDrop(self.0.spawn(work));
        (&mut working.0).await.map_err(|_| Refusal::Panicked)
    }
}
