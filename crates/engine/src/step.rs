//! An operation under way.
//!
//! Every operation starts on the calling thread, where its request is checked and, if it writes,
//! evaluated. What is left after that decides how the caller gets its answer: at once, after a commit, or
//! after a long read that must not hold an async worker.

use crate::commit::{Evaluation, Pending};
use crate::pool::ReadPool;
use crate::wording;
use monotable_api::Error;

/// What is left of an operation.
pub(crate) enum Step<O> {
    /// Nothing: this is the answer.
    Done(O),
    /// A write is queued; its outcome makes the answer.
    Commit {
        pending: Pending<Evaluation>,
        answer: Box<dyn FnOnce(Evaluation) -> Result<O, Error> + Send>,
    },
    /// A change of tables is queued.
    Table(Pending<Result<O, Error>>),
    /// A long read.
    Read(Box<dyn FnOnce() -> Result<O, Error> + Send>),
}

impl<O: Send + 'static> Step<O> {
    /// Blocks until the answer is there.
    pub(crate) fn wait(self) -> Result<O, Error> {
        match self {
            Self::Done(output) => Ok(output),
            Self::Commit { pending, answer } => {
                answer(pending.wait().map_err(|fault| wording::internal(&fault))?)
            }
            Self::Table(pending) => pending.wait().map_err(|fault| wording::internal(&fault))?,
            Self::Read(read) => read(),
        }
    }

    /// Makes another answer of the answer, or of the error.
    pub(crate) fn then<P: Send + 'static>(
        self,
        make: impl FnOnce(Result<O, Error>) -> Result<P, Error> + Send + 'static,
    ) -> Result<Step<P>, Error> {
        Ok(match self {
            Self::Done(output) => Step::Done(make(Ok(output))?),
            Self::Commit { pending, answer } => Step::Commit {
                pending,
                answer: Box::new(move |evaluation| make(answer(evaluation))),
            },
            Self::Table(_) | Self::Read(_) => Step::Read(Box::new(move || make(self.wait()))),
        })
    }

    /// Awaits the answer; long reads go to `pool`.
    pub(crate) async fn resolve(self, pool: &ReadPool) -> Result<O, Error> {
        match self {
            Self::Done(output) => Ok(output),
            Self::Commit { pending, answer } => answer(
                pending
                    .resolve()
                    .await
                    .map_err(|fault| wording::internal(&fault))?,
            ),
            Self::Table(pending) => pending
                .resolve()
                .await
                .map_err(|fault| wording::internal(&fault))?,
            Self::Read(read) => pool.run(read).await,
        }
    }
}
