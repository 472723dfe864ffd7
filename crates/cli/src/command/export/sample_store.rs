//! The sample data of a model as items: a store in memory, filled in the same way every time.

use crate::exit::Failure;
use crate::sample::{Sample, find_sample};
use monotable_engine::{Clock, EngineOptions};
use monotable_model::model::Model;
use monotable_store::Store;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time of lines that say none: 2026-01-01, in microseconds since 1970.
const TIME: i64 = 1_767_225_600_000_000;

/// A clock before everything that sample data say, so that nothing in them expires.
struct EarlyClock;

impl Clock for EarlyClock {
    fn now(&self) -> Duration {
        Duration::from_secs(1)
    }
}

/// A store with the sample data of a model. Ids, salts and times that the store makes are the same in every run.
pub(super) async fn fill_sample_store(model: Model, path: &Path) -> Result<Store, Failure> {
    let sample: Sample = find_sample(path)?;
    let engine = EngineOptions::new().clock(Arc::new(EarlyClock)).in_memory();
    let engine = engine.map_err(Failure::configuration)?;
    let count = AtomicU64::new(0);
    let store = Store::new(model, engine)
        .with_clock(|| TIME)
        .with_secret([0; 32])
        .with_entropy(move |bytes| {
            for byte in bytes {
                *byte = mix(count.fetch_add(1, Ordering::Relaxed));
            }
            Ok(())
        });
    store.setup().await?;
    sample.apply(&store).await?;
    Ok(store)
}

/// A byte that looks like chance and follows from its number (SplitMix64).
const fn mix(number: u64) -> u8 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let [first, ..] = z.to_be_bytes();
    first
}
