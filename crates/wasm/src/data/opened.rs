//! A store that is open.

use super::body::{OpenBody, RetryBody};
use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::TableNaming;
use monotable_store::{Host, Retry, Store};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The fewest characters of a key for cursors.
const KEY_LENGTH: usize = 32;

/// A store with what its host wants to know.
pub(super) struct OpenStore {
    pub(super) store: Store,
    /// That of the compiled model.
    pub(super) hash: String,
    /// Integers that the host reads without a bound: `Entity.attribute`.
    pub(super) bigint: BTreeSet<String>,
}

impl OpenStore {
    /// Opens a store; the problem is one of what the program has given.
    // Never inlined, as `CompiledModel::bind`.
    #[inline(never)]
    pub(super) fn open(body: OpenBody, host: Arc<dyn Host>) -> Result<Self, String> {
        let mut compiled =
            CompiledModel::from_text(&body.model).map_err(|problem| problem.to_string())?;
        let hash = compiled.written_checksum().unwrap_or_default().to_owned();
        let naming = TableNaming {
            names: body.tables,
            ..TableNaming::default()
        };
        let known = |name: &&String| {
            let mut tables = compiled.model().tables.iter();
            tables.any(|table| table.name.value == **name)
        };
        if let Some(unknown) = naming.names.keys().find(|name| !known(name)) {
            let tables = compiled.model().tables.iter();
            let tables: Vec<_> = tables.map(|table| table.name.value.as_str()).collect();
            return Err(format!(
                "`tables` names `{unknown}`, and the model has {}",
                tables.join(", ")
            ));
        }
        let named = compiled.rename_tables(&naming);
        named.map_err(|problem| problem.to_string())?;
        let mut store = Store::bind(compiled, Unconnected, host)
            .with_settings(body.settings)
            .with_retry(read_retry(&body.retry));
        if let Some(key) = body.cursor_key {
            let length = key.chars().count();
            if length < KEY_LENGTH {
                return Err(format!(
                    "`cursorKey` has {length} characters, and needs {KEY_LENGTH} or more; without it the store keeps a secret of its own"
                ));
            }
            store = store.with_secret(Sha256::digest(key.as_bytes()).into());
        }
        Ok(Self {
            store,
            hash,
            bigint: body.bigint.into_iter().collect(),
        })
    }
}

fn read_retry(body: &RetryBody) -> Retry {
    let usual = Retry::default();
    Retry {
        attempts: body.attempts.unwrap_or(usual.attempts).max(1),
        base: body.base.map_or(usual.base, Duration::from_millis),
        cap: body.cap.map_or(usual.cap, Duration::from_millis),
    }
}

/// Stands where a store has its service. Calls are driven, so that their requests are errands, and nothing comes here.
struct Unconnected;

impl Dynamo for Unconnected {
    fn call(&self, _: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        let error = ServiceError::internal("a request was sent past the host");
        Box::pin(std::future::ready(Err(error)))
    }
}
