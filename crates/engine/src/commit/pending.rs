//! An answer that has not come yet.

use crate::store::StoreFault;

/// The answer of the committer: wait for it, or resolve it.
pub(crate) struct Pending<T>(oneshot::Receiver<Result<T, StoreFault>>);

impl<T> Pending<T> {
    pub(super) const fn new(receiver: oneshot::Receiver<Result<T, StoreFault>>) -> Self {
        Self(receiver)
    }

    /// Blocks until the answer is there.
    pub(crate) fn wait(self) -> Result<T, StoreFault> {
        self.0.recv().unwrap_or(Err(StoreFault::Closed))
    }

    /// Awaits the answer.
    pub(crate) async fn resolve(self) -> Result<T, StoreFault> {
        self.0.await.unwrap_or(Err(StoreFault::Closed))
    }
}
