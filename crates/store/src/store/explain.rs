//! Explanations of operations.

use super::Store;
use crate::explain::{self, Explanation, Target, View};
use crate::operation::{AnyOperation, Options};
use crate::scope::{Mode, Scope};

impl Store {
    /// The requests that an operation sends, with their cost. Reads are sent; nothing is written.
    pub async fn explain(&self, operation: AnyOperation, mut options: Options) -> Explanation {
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
        let view = View::new(&scope, &operation, &options);
        let machine = Self::stepped(scope, operation, options);
        explain::run(self.target(), machine, view).await
    }

    /// Where the reads of an explanation go.
    pub(super) fn target(&self) -> Target<'_> {
        Target {
            executor: &self.executor,
            model: &self.runtime.compiled,
        }
    }
}
