//! Items written in batches, several of them at a time.
//!
//! A batch may not hold one key twice, and of two items with one key the later one must stay: an item
//! whose key is still on its way waits until everything before it is written.

use crate::exit::Failure;
use crate::table_keys::{Key, key_of};
use monotable_api::{BatchWriteItemInput, Dynamo, DynamoExt, Error, WriteRequest};
use monotable_item::{EncodedItem, limits};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// Batches on their way at one time.
const CONCURRENT: usize = 8;
/// A batch is sent when its items have this many bytes: JSON may be six times as long, and a request
/// may have 16 MB.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// How long a table is asked to take what it did not accept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// How often a batch is tried again of which nothing was accepted.
    tries: u32,
    /// The longest pause after the first try; it doubles with each further one.
    first_pause: Duration,
    /// The longest pause of all.
    longest_pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries: 12,
            first_pause: Duration::from_millis(50),
            longest_pause: Duration::from_secs(10),
        }
    }
}

impl Patience {
    /// A random part of the longest pause, so that several writers do not come at the same time.
    fn pause(&self, tries: u32) -> Duration {
        let longest = self.first_pause.saturating_mul(2u32.saturating_pow(tries));
        longest.min(self.longest_pause).mul_f64(fastrand::f64())
    }
}

/// Writes items to one table.
pub(super) struct Batches {
    dynamo: Arc<dyn Dynamo>,
    table: String,
    key: Key,
    patience: Patience,
    batch: Batch,
    /// The keys of the batch and of those on their way.
    keys: HashSet<EncodedItem>,
    on_their_way: JoinSet<Result<Vec<EncodedItem>, Failure>>,
    written: u64,
}

#[derive(Default)]
struct Batch {
    items: Vec<EncodedItem>,
    keys: Vec<EncodedItem>,
    bytes: usize,
    lines: Option<(u64, u64)>,
}

impl Batches {
    pub(super) fn new(
        dynamo: Arc<dyn Dynamo>,
        table: String,
        key: Key,
        patience: Patience,
    ) -> Self {
        Self {
            dynamo,
            table,
            key,
            patience,
            batch: Batch::default(),
            keys: HashSet::new(),
            on_their_way: JoinSet::new(),
            written: 0,
        }
    }

    /// How many items are written for sure.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    /// Writes an item, now or with some of those that follow.
    pub(super) async fn push(&mut self, line: u64, item: EncodedItem) -> Result<(), Failure> {
        // INVARIANT: the rules have found the key in the item.
        let key = key_of(&item, &self.key).unwrap_or_default();
        if self.keys.contains(&key) {
            self.send().await?;
            self.wait(0).await?;
        }
        self.keys.insert(key.clone());
        self.batch.push(line, item, key);
        if self.batch.is_full() {
            self.send().await?;
        }
        Ok(())
    }

    /// Writes what is left; returns how many items were written in all.
    pub(super) async fn finish(mut self) -> Result<u64, Failure> {
        self.send().await?;
        self.wait(0).await?;
        Ok(self.written)
    }

    async fn send(&mut self) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        if batch.items.is_empty() {
            return Ok(());
        }
        self.wait(CONCURRENT - 1).await?;
        let (dynamo, table) = (Arc::clone(&self.dynamo), self.table.clone());
        let patience = self.patience;
        self.on_their_way
            .spawn(write(dynamo, table, batch, patience));
        Ok(())
    }

    /// Waits until at most `most` batches are on their way. After a failure the others are still waited
    /// for, so that the number of written items is right.
    async fn wait(&mut self, most: usize) -> Result<(), Failure> {
        let mut failure = None;
        while self.on_their_way.len() > if failure.is_some() { 0 } else { most } {
            let Some(outcome) = self.on_their_way.join_next().await else {
                break;
            };
            let panicked = |panic| Err(Failure::bug(panic));
            match outcome.unwrap_or_else(panicked) {
                Ok(keys) => {
                    self.written += keys.len() as u64;
                    for key in keys {
                        self.keys.remove(&key);
                    }
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        match failure {
            None => Ok(()),
            Some(failure) => {
                Err(failure.because(format_args!("{} items were written", self.written)))
            }
        }
    }
}

impl Batch {
    fn push(&mut self, line: u64, item: EncodedItem, key: EncodedItem) {
        let first = self.lines.map_or(line, |(first, _)| first);
        self.lines = Some((first, line));
        self.bytes += item.as_bytes().len();
        self.items.push(item);
        self.keys.push(key);
    }

    const fn is_full(&self) -> bool {
        self.items.len() >= limits::MAX_BATCH_WRITE || self.bytes >= MAX_BYTES
    }
}

/// Writes one batch; gives its keys back when all of it is written.
async fn write(
    dynamo: Arc<dyn Dynamo>,
    table: String,
    batch: Batch,
    patience: Patience,
) -> Result<Vec<EncodedItem>, Failure> {
    let written = write_all(&*dynamo, &table, batch.items, patience).await;
    match (written, batch.lines) {
        (Ok(()), _) => Ok(batch.keys),
        (Err(failure), Some((first, last))) => {
            Err(failure.because(format_args!("in the items of lines {first} to {last}")))
        }
        (Err(failure), None) => Err(failure),
    }
}

/// Writes items, those again that were not accepted.
async fn write_all(
    dynamo: &dyn Dynamo,
    table: &str,
    items: Vec<EncodedItem>,
    patience: Patience,
) -> Result<(), Failure> {
    let mut requests: Vec<WriteRequest> = items.into_iter().map(WriteRequest::put).collect();
    let mut tries = 0;
    while !requests.is_empty() {
        let before = requests.len();
        let batch = BatchWriteItemInput::new(table, requests.iter().cloned());
        match dynamo.batch_write_item(batch).await {
            Ok(answer) => requests = answer.unprocessed_items.into_values().flatten().collect(),
            Err(error) if is_throttling(&error) && tries < patience.tries => {}
            Err(error) => return Err(error.into()),
        }
        if requests.len() < before {
            tries = 0;
        } else {
            tries += 1;
        }
        if tries > patience.tries {
            return Err(
                Failure::other("the table accepts no more writes for now").help("try again later")
            );
        }
        if !requests.is_empty() {
            tokio::time::sleep(patience.pause(tries)).await;
        }
    }
    Ok(())
}

const fn is_throttling(error: &Error) -> bool {
    matches!(
        error,
        Error::ProvisionedThroughputExceededException { .. }
            | Error::RequestLimitExceeded { .. }
            | Error::ThrottlingException { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_api::{
        BoxFuture, CreateTableInput, Request, Response, ScalarAttributeType, ScanInput,
    };
    use monotable_engine::Engine;
    use monotable_item::Item;
    use monotable_item::key::KeyType;
    use std::sync::atomic::{AtomicU32, Ordering};

    const IMPATIENT: Patience = Patience {
        tries: 3,
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(2),
    };

    /// An engine that takes only one item of each batch, and now and then none.
    struct Reluctant {
        engine: Engine,
        calls: AtomicU32,
        /// Calls from this one on are throttled.
        full_after: u32,
    }

    impl Dynamo for Reluctant {
        fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
            let Request::BatchWriteItem(mut batch) = request else {
                return self.engine.call(request);
            };
            let call = self.calls.fetch_add(1, Ordering::Relaxed);
            if call % 5 == 4 || call >= self.full_after {
                let message = "slower".to_owned();
                let error = Error::ProvisionedThroughputExceededException { message };
                return Box::pin(async { Err(error) });
            }
            let requests = batch.request_items.get_or_insert_default();
            let rest = requests.get_mut("Table").unwrap().split_off(1);
            let answer = self.engine.call(batch.into());
            Box::pin(async move {
                let Response::BatchWriteItem(mut output) = answer.await? else {
                    panic!("another answer");
                };
                if !rest.is_empty() {
                    output.unprocessed_items.insert("Table".to_owned(), rest);
                }
                Ok(output.into())
            })
        }
    }

    async fn write(full_after: u32) -> (Result<u64, Failure>, u64) {
        let engine = Engine::in_memory().unwrap();
        let table = CreateTableInput::new("Table", "pk", ScalarAttributeType::N);
        engine.create_table(table).unwrap();
        let dynamo = Arc::new(Reluctant {
            engine: engine.clone(),
            calls: AtomicU32::new(0),
            full_after,
        });
        let key = vec![monotable_api::KeyAttribute {
            name: "pk".to_owned(),
            kind: KeyType::N,
        }];
        let mut batches = Batches::new(dynamo, "Table".to_owned(), key, IMPATIENT);
        let mut outcome = Ok(());
        for n in 0..60u32 {
            let item = EncodedItem::from(Item::new().with("pk", n));
            outcome = batches.push(n.into(), item).await;
            if outcome.is_err() {
                break;
            }
        }
        let finished = match outcome {
            Ok(()) => batches.finish().await,
            Err(failure) => Err(failure),
        };
        (
            finished,
            engine.scan(ScanInput::new("Table")).unwrap().count,
        )
    }

    #[tokio::test]
    async fn what_is_not_processed_is_sent_again() {
        let (outcome, stored) = write(u32::MAX).await;
        assert_eq!((outcome.unwrap(), stored), (60, 60));
    }

    #[tokio::test]
    async fn a_table_that_accepts_nothing_is_given_up() {
        let (outcome, stored) = write(30).await;
        assert!(outcome.is_err());
        assert!(stored < 60);
    }
}
