//! Explanations of operations.

use super::Store;
use crate::error::Error;
use crate::explain::{self, Explanation, PlannedRequest, Target, View};
use crate::operation::{AnyOperation, Options};
use crate::scope::{Mode, Scope};

impl Store {
    /// The requests that an operation sends, with their cost. Reads are sent; nothing is written.
    pub async fn explain(&self, operation: AnyOperation, options: Options) -> Explanation {
        self.explain_as(operation, options, View::new).await
    }

    /// The requests that an operation sends, as a view shows them.
    async fn explain_as(
        &self,
        operation: AnyOperation,
        mut options: Options,
        view: impl FnOnce(&Scope, &AnyOperation, &Options) -> View + Send,
    ) -> Explanation {
        options.dry_run = true;
        let read = async {
            if operation.has_cursor() {
                self.read_secret().await?;
            }
            self.read_row_history().await
        };
        if let Err(error) = read.await {
            return Explanation {
                requests: Vec::new(),
                outcome: Err(error),
            };
        }
        let scope = Scope {
            mode: Mode::Explain,
            ..self.scope(&options)
        };
        let view = view(&scope, &operation, &options);
        let machine = Self::stepped(scope, operation, options);
        explain::run(self.target(), machine, view).await
    }

    /// The requests of an operation with every value, as a program would send them itself. Reads are sent, writes are not. It is
    /// for the program alone: requests show what callers may not see.
    pub async fn plan_requests(
        &self,
        operation: AnyOperation,
        options: Options,
    ) -> Result<Vec<PlannedRequest>, Error> {
        let explanation = self
            .explain_as(operation, options, |_, _, _| View::Plain)
            .await;
        explanation.outcome?;
        let planned = explanation
            .requests
            .into_iter()
            .map(|explained| PlannedRequest {
                operation: explained.operation,
                body: explained.body,
            });
        Ok(planned.collect())
    }

    /// Where the reads of an explanation go.
    pub(super) fn target(&self) -> Target<'_> {
        Target {
            executor: &self.executor,
            model: &self.runtime.compiled,
        }
    }
}
