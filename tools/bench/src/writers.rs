//! Many writers at once, in rounds: first all write to one side, then all to the other.

use crate::contest::Side;
use crate::failure::Failure;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// How many threads write.
pub(crate) const WRITERS: usize = 32;

impl Side {
    /// One round: every writer has its own list of requests and goes through it, one after the other.
    pub(crate) fn round<R: Send>(
        &mut self,
        lists: Vec<Vec<R>>,
        write: impl Fn(R) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        let operations: usize = lists.iter().map(Vec::len).sum();
        let barrier = Barrier::new(lists.len() + 1);
        let latencies = Mutex::new(&mut self.latencies);
        let micros = thread::scope(|scope| -> Result<f64, Failure> {
            let spawn = |list: Vec<R>| {
                scope.spawn(|| {
                    barrier.wait();
                    let own = one_writer(list, &write)?;
                    let mut all = latencies.lock().unwrap_or_else(PoisonError::into_inner);
                    all.extend(own);
                    Ok::<_, Failure>(())
                })
            };
            let threads: Vec<_> = lists.into_iter().map(spawn).collect();
            barrier.wait();
            let start = Instant::now();
            for thread in threads {
                thread.join().map_err(|_| "a writer panicked")??;
            }
            Ok(start.elapsed().as_secs_f64() * 1e6)
        })?;
        self.blocks.push(micros / operations as f64);
        Ok(())
    }
}

/// Goes through a list; returns how long each write took.
fn one_writer<R>(
    list: Vec<R>,
    write: impl Fn(R) -> Result<(), Failure>,
) -> Result<Vec<f64>, Failure> {
    let mut latencies = Vec::with_capacity(list.len());
    for request in list {
        let start = Instant::now();
        write(request)?;
        latencies.push(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(latencies)
}
