//! Calls that tell what they have sent and changed.

use super::Store;
use crate::change_log::ChangeLog;
use crate::explain::{self, Sending, View};
use crate::operation::{AnyOperation, Options};
use crate::scope::Scope;
use crate::trace::{Trace, TracedChange};
use std::sync::Arc;

impl Store {
    /// Runs an operation, and tells every request with its cost, and what became of rows and why. It costs more than
    /// [`Store::run`]: writes are priced from the items that they change.
    pub async fn trace(&self, operation: AnyOperation, options: Options) -> Trace {
        if let Err(error) = self.prepare_trace(&operation, &options).await {
            return Trace {
                outcome: Err(error),
                attempts: 0,
                requests: Vec::new(),
                changes: Vec::new(),
            };
        }
        let log = Arc::new(ChangeLog::default());
        let scope = Scope {
            changes: Some(Arc::clone(&log)),
            ..self.scope(&options)
        };
        let tells_changes = !scope.asks_rights();
        let view = View::new(&scope, &operation, &options);
        let sending = if options.dry_run {
            Sending::Pretended
        } else {
            Sending::Live
        };
        let machine = Self::stepped(scope, operation, options);
        let (explanation, attempts) =
            explain::carry_out(self.target(), machine, view, sending).await;
        let changes = log.take().into_iter().filter(|_| tells_changes);
        let changes = changes.map(|(address, noted)| TracedChange {
            is: noted.fate.name(),
            entity: noted.entity,
            address: [Some(address.partition_key()), address.sort_key()]
                .into_iter()
                .flatten()
                .map(str::to_owned)
                .collect(),
            cause: noted.cause,
            declaration: noted.declaration,
            before: noted.before,
            after: noted.after,
        });
        let changes = if explanation.outcome.is_ok() {
            changes.collect()
        } else {
            Vec::new()
        };
        Trace {
            outcome: explanation.outcome,
            attempts,
            requests: explanation.requests,
            changes,
        }
    }

    async fn prepare_trace(
        &self,
        operation: &AnyOperation,
        options: &Options,
    ) -> Result<(), crate::error::Error> {
        if operation.has_cursor() {
            self.read_secret().await?;
        }
        if options.dry_run {
            self.read_row_history().await?;
        } else if operation.writes_rows() && !self.runtime.own.is_compared() {
            self.compare_templates().await?;
        }
        Ok(())
    }
}
