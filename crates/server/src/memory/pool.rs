//! A number of bytes that requests take from and give back to.

use crate::refusal::Refusal;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

/// Memory is counted in units of so many bytes: permits are counted in 32 bits.
const UNIT: usize = 256;

/// The part of a pool that only small shares may use, so that small requests go on while large ones hold everything else.
const RESERVE_PART: u32 = 8;

/// The part of the reserve that a small share has at most.
const SMALL_PART: u32 = 4;

/// How long a request waits before slow clients are looked for, and how often.
const LOOK: Duration = Duration::from_millis(200);

/// A number of bytes that requests take from and give back to.
pub(crate) struct Pool {
    common: Lane,
    reserve: Lane,
    patience: Duration,
    /// The units that all requests together wait for.
    wanted: AtomicU64,
}

/// What a request waits for, until it has it or gives up.
struct Want<'p> {
    pool: &'p Pool,
    units: u32,
}

impl<'p> Want<'p> {
    fn new(pool: &'p Pool, units: u32) -> Self {
        pool.wanted.fetch_add(units.into(), Ordering::Relaxed);
        Self { pool, units }
    }
}

impl Drop for Want<'_> {
    fn drop(&mut self) {
        let units = self.units.into();
        self.pool.wanted.fetch_sub(units, Ordering::Relaxed);
    }
}

/// Which part of a pool a share is of.
#[derive(Clone, Copy)]
enum LaneName {
    Common,
    Reserve,
}

struct Lane {
    free: Semaphore,
    all: u32,
    /// What was taken although it was not there.
    debt: AtomicU32,
}

/// What one request has of a pool, until dropped.
pub(crate) struct Share {
    pool: Arc<Pool>,
    lane: LaneName,
    units: u32,
}

impl Pool {
    pub(super) fn new(bytes: usize, patience: Duration) -> Self {
        let all = units(bytes).max(2);
        let reserve = (all / RESERVE_PART).max(1);
        Self {
            common: Lane::new(all - reserve),
            reserve: Lane::new(reserve),
            patience,
            wanted: AtomicU64::new(0),
        }
    }

    /// A share of nothing, which can grow.
    pub(super) fn nothing(pool: &Arc<Self>) -> Share {
        Share {
            pool: Arc::clone(pool),
            lane: LaneName::Common,
            units: 0,
        }
    }

    /// Waits for so many bytes. Large shares are given out in the order in which they were asked for, so that one is not
    /// kept waiting by smaller ones for ever. While it waits, `reclaim` is called now and then with the bytes that all who
    /// wait are missing: it may take them from clients that are slow.
    pub(crate) async fn admit(
        pool: &Arc<Self>,
        bytes: usize,
        reclaim: impl Fn(usize),
    ) -> Result<Share, Refusal> {
        if let Some(share) = Self::try_admit(pool, bytes) {
            return Ok(share);
        }
        let name = if pool.is_small(bytes) {
            LaneName::Reserve
        } else {
            LaneName::Common
        };
        Self::wait(pool, name, bytes, reclaim).await
    }

    /// Waits for so many bytes of the part that large shares use, also where the share is small.
    pub(crate) async fn admit_large(
        pool: &Arc<Self>,
        bytes: usize,
        reclaim: impl Fn(usize),
    ) -> Result<Share, Refusal> {
        Self::wait(pool, LaneName::Common, bytes, reclaim).await
    }

    async fn wait(
        pool: &Arc<Self>,
        name: LaneName,
        bytes: usize,
        reclaim: impl Fn(usize),
    ) -> Result<Share, Refusal> {
        let lane = pool.lane(name);
        let wanted = lane.portion(bytes);
        let _want = Want::new(pool, units(bytes));
        let mut acquired = pin!(lane.free.acquire_many(wanted));
        let deadline = Instant::now() + pool.patience;
        loop {
            let look = deadline.min(Instant::now() + LOOK);
            match timeout_at(look, acquired.as_mut()).await {
                Ok(Ok(permit)) => {
                    permit.forget();
                    return Ok(Share {
                        pool: Arc::clone(pool),
                        lane: name,
                        units: wanted,
                    });
                }
                Ok(Err(_)) => return Err(Refusal::Busy),
                Err(_) if Instant::now() >= deadline => return Err(Refusal::Busy),
                Err(_) => reclaim(pool.missing()),
            }
        }
    }

    /// Takes so many bytes if they are there and nobody waits for them.
    fn try_admit(pool: &Arc<Self>, bytes: usize) -> Option<Share> {
        let from = |name| {
            let lane: &Lane = pool.lane(name);
            let wanted = lane.portion(bytes);
            lane.free.try_acquire_many(wanted).ok()?.forget();
            Some(Share {
                pool: Arc::clone(pool),
                lane: name,
                units: wanted,
            })
        };
        from(LaneName::Common).or_else(|| {
            if pool.is_small(bytes) {
                from(LaneName::Reserve)
            } else {
                None
            }
        })
    }

    /// The bytes in use; those that were taken without being there count, too.
    pub(super) fn used(&self) -> usize {
        self.common.used() + self.reserve.used()
    }

    /// The bytes that all requests together wait for.
    fn missing(&self) -> usize {
        let units = usize::try_from(self.wanted.load(Ordering::Relaxed));
        units.unwrap_or(usize::MAX).saturating_mul(UNIT)
    }

    fn is_small(&self, bytes: usize) -> bool {
        units(bytes) <= (self.reserve.all / SMALL_PART).max(1)
    }

    const fn lane(&self, name: LaneName) -> &Lane {
        match name {
            LaneName::Common => &self.common,
            LaneName::Reserve => &self.reserve,
        }
    }
}

impl Lane {
    fn new(all: u32) -> Self {
        Self {
            free: Semaphore::new(all as usize),
            all,
            debt: AtomicU32::new(0),
        }
    }

    /// The units of so many bytes. What is larger than everything is let in alone.
    fn portion(&self, bytes: usize) -> u32 {
        units(bytes).min(self.all)
    }

    /// Takes units whether they are there or not. Those that are not are owed: what is given back next pays for them.
    fn take(&self, units: u32) {
        let there = u32::try_from(self.free.available_permits()).unwrap_or(u32::MAX);
        let taken = units.min(there);
        let owed = match self.free.try_acquire_many(taken) {
            Ok(permit) => {
                permit.forget();
                units - taken
            }
            // Somebody was faster.
            Err(_) => units,
        };
        self.debt.fetch_add(owed, Ordering::Relaxed);
    }

    fn give_back(&self, units: u32) {
        let mut paid = 0;
        // It has an answer for every value.
        let _ = self
            .debt
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |debt| {
                paid = debt.min(units);
                Some(debt - paid)
            });
        self.free.add_permits((units - paid) as usize);
    }

    fn used(&self) -> usize {
        let taken = (self.all as usize).saturating_sub(self.free.available_permits());
        (taken + self.debt.load(Ordering::Relaxed) as usize) * UNIT
    }
}

impl Share {
    /// Whether it is of the part that is kept for small requests.
    pub(crate) const fn is_of_reserve(&self) -> bool {
        matches!(self.lane, LaneName::Reserve)
    }

    /// The bytes that it stands for.
    pub(crate) const fn bytes(&self) -> usize {
        self.units as usize * UNIT
    }

    /// Makes it so many bytes, whether they are there or not.
    pub(crate) fn resize(&mut self, bytes: usize) {
        let wanted = units(bytes);
        let lane = self.pool.lane(self.lane);
        if wanted > self.units {
            lane.take(wanted - self.units);
        } else {
            lane.give_back(self.units - wanted);
        }
        self.units = wanted;
    }

    /// Makes it so many bytes if the further ones are there, and says whether they are.
    pub(crate) fn try_grow(&mut self, bytes: usize) -> bool {
        let more = units(bytes).saturating_sub(self.units);
        let lane = self.pool.lane(self.lane);
        // What has the whole lane already is alone, and as large as it has to be.
        if self.units < lane.all {
            match lane.free.try_acquire_many(more) {
                Ok(permit) => permit.forget(),
                Err(_) => return false,
            }
        } else {
            lane.take(more);
        }
        self.units += more;
        true
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.pool.lane(self.lane).give_back(self.units);
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(bytes: usize) -> Arc<Pool> {
        Arc::new(Pool::new(bytes, Duration::from_millis(20)))
    }

    #[tokio::test]
    async fn small_shares_have_a_reserve_that_large_ones_cannot_take() {
        let pool = pool(1 << 20);
        let large = Pool::admit(&pool, 1 << 30, |_| {}).await.ok().unwrap();
        let second = Pool::admit(&pool, 1 << 19, |_| {}).await;
        assert!(second.is_err(), "there is memory for one large share only");
        let small = Pool::admit(&pool, 4 << 10, |_| {}).await.ok().unwrap();
        assert_eq!(pool.used(), large.bytes() + small.bytes());
        drop((large, small));
        assert_eq!(pool.used(), 0);
    }

    #[tokio::test]
    async fn what_was_taken_without_being_there_is_paid_back_before_others_get_memory() {
        let pool = pool(8 << 20);
        let mut share = Pool::admit(&pool, 4 << 20, |_| {}).await.ok().unwrap();
        share.resize(100 << 20);
        assert_eq!(pool.used(), 100 << 20);
        assert!(Pool::admit(&pool, 2 << 20, |_| {}).await.is_err());
        share.resize(4 << 20);
        assert_eq!(pool.used(), 4 << 20);
        let other = Pool::admit(&pool, 2 << 20, |_| {}).await;
        drop((share, other));
        assert_eq!(pool.used(), 0);
    }

    #[tokio::test]
    async fn whoever_waits_asks_for_memory_back() {
        let pool = Arc::new(Pool::new(1 << 20, Duration::from_secs(60)));
        let held = Pool::admit(&pool, 1 << 20, |_| {}).await.ok();
        let held = std::sync::Mutex::new(held);
        let admitted = Pool::admit(&pool, 1 << 20, |missing| {
            assert_eq!(missing, 1 << 20);
            held.lock().unwrap().take();
        });
        assert!(admitted.await.is_ok());
    }

    #[tokio::test]
    async fn memory_is_asked_back_for_all_who_wait() {
        let most = AtomicU64::new(0);
        let patient = Arc::new(Pool::new(8 << 20, Duration::from_millis(500)));
        let all = Pool::admit_large(&patient, 8 << 20, |_| {}).await.ok();
        let wait = || {
            Pool::admit_large(&patient, 1 << 20, |missing| {
                most.fetch_max(missing as u64, Ordering::Relaxed);
            })
        };
        let (first, second) = tokio::join!(wait(), wait());
        assert!(first.is_err() && second.is_err());
        assert_eq!(most.into_inner(), 2 << 20);
        drop(all);
        assert_eq!(patient.missing(), 0);
    }
}
