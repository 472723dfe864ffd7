//! An engine as it is at one moment, for whoever reads all of it while others write.

use crate::catalog::Catalog;
use crate::engine::Engine;
use crate::ops::scan_snapshot;
use crate::store::Snapshot;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::sync::Arc;

/// Shows the items of an engine as they were when it was frozen, in all tables at once. It answers scans and descriptions of
/// tables, and refuses everything else. Space of items that are replaced meanwhile is freed when it is dropped.
#[derive(Clone)]
pub struct FrozenEngine {
    engine: Engine,
    catalog: Arc<Catalog>,
    snapshot: Snapshot,
}

impl std::fmt::Debug for FrozenEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrozenEngine").finish_non_exhaustive()
    }
}

impl Engine {
    /// This engine as it is now: every write that was acknowledged before is in it, and no part of a transaction that was not.
    #[must_use]
    pub fn freeze(&self) -> FrozenEngine {
        let published = &self.core().published;
        FrozenEngine {
            engine: self.clone(),
            // The catalog first: a table that is made in between is not in it, and is not asked for.
            catalog: published.catalog.load_full(),
            snapshot: published.snapshot(),
        }
    }
}

impl Dynamo for FrozenEngine {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            match request {
                Request::Scan(input) => {
                    let page = scan_snapshot(&self.catalog, self.snapshot.clone(), input);
                    Ok(Response::Scan(page?))
                }
                request @ (Request::DescribeTable(_) | Request::ListTables(_)) => {
                    self.engine.call(request).await
                }
                request => Err(Error::ValidationException {
                    message: format!("{:?} does not read a frozen state", request.operation()),
                }),
            }
        })
    }
}
