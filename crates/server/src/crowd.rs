//! The open connections, and which of them must go when there are too many or others wait for memory.
//!
//! - Where a connection is wanted and there are as many as may be, those without a request are closed first: those of the
//!   address with the most connections before others, those that have never sent anything before those that rest, and the
//!   longest silent before others.
//! - Where none is idle, an address that has more connections than the newcomer's loses one that is not being worked on.
//!   Programs on this machine share one address, so they are not held against each other.
//! - While requests wait for memory, clients that hold some and send or read too slowly lose it.

mod slowness;
mod source;

use crate::connection::{Order, Phase, Watch};
use crate::limits::Limits;
use slowness::Sample;
use source::Source;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long a new connection may be silent before it counts as idle: a client that connects has something to say.
const NEW: Duration = Duration::from_millis(100);

/// From this silence on a connection rests; before, its client is probably between two requests.
const REST: Duration = Duration::from_secs(1);

/// The part of the connections that is closed at once when there are too many: looking at all of them for each new one would
/// be dear.
const BATCH_PART: usize = 64;

/// The open connections.
pub(crate) struct Crowd {
    limit: usize,
    /// Bytes a second below which a client is slow while others wait.
    pressed_rate: u32,
    members: Mutex<Members>,
}

#[derive(Default)]
struct Members {
    next: u64,
    open: HashMap<u64, Entry>,
    /// How many of them were told to close.
    leaving: usize,
    counts: HashMap<Source, usize>,
    /// When slow clients were last looked for, of bodies and of answers.
    looked: [Option<Instant>; 2],
}

struct Entry {
    source: Source,
    watch: Arc<Watch>,
    is_leaving: bool,
    sample: Option<Sample>,
}

/// A place among the open connections, until dropped.
pub(crate) struct Place {
    crowd: Arc<Crowd>,
    id: u64,
    pub(crate) watch: Arc<Watch>,
}

/// What had to be done to let a connection in.
pub(crate) struct Admission {
    pub(crate) place: Place,
    /// Connections that were told to close.
    pub(crate) closed: usize,
}

impl Crowd {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            limit: limits.connections.max(1),
            pressed_rate: limits.pressed_rate,
            members: Mutex::default(),
        }
    }

    /// Lets a connection in, if need be in the place of another one.
    pub(crate) fn admit(crowd: &Arc<Self>, peer: SocketAddr) -> Option<Admission> {
        let source = Source::new(peer.ip());
        let mut members = crowd.lock();
        let mut closed = 0;
        if members.staying() >= crowd.limit {
            closed = members.make_room(source, crowd.limit);
            if closed == 0 {
                return None;
            }
        }
        let watch = Arc::new(Watch::new());
        let id = members.add(source, Arc::clone(&watch));
        let place = Place {
            crowd: Arc::clone(crowd),
            id,
            watch,
        };
        Some(Admission { place, closed })
    }

    /// Tells all connections to close when they have answered what they are at.
    pub(crate) fn finish(&self) {
        for entry in self.lock().open.values() {
            entry.watch.mailbox.give(Order::Finish);
        }
    }

    /// Takes memory from the slowest clients in this phase, at least so many bytes if they hold them. Gives back how many
    /// connections it was taken from.
    pub(crate) fn reclaim(&self, phase: Phase, bytes: usize) -> usize {
        self.lock().reclaim(phase, bytes, self.pressed_rate)
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.crowd.lock().remove(self.id);
    }
}

impl Members {
    /// The connections that were not told to close.
    fn staying(&self) -> usize {
        self.open.len() - self.leaving
    }

    fn add(&mut self, source: Source, watch: Arc<Watch>) -> u64 {
        self.next += 1;
        let entry = Entry {
            source,
            watch,
            is_leaving: false,
            sample: None,
        };
        self.open.insert(self.next, entry);
        *self.counts.entry(source).or_default() += 1;
        self.next
    }

    fn remove(&mut self, id: u64) {
        let Some(entry) = self.open.remove(&id) else {
            return;
        };
        if entry.is_leaving {
            self.leaving -= 1;
        }
        if let Some(count) = self.counts.get_mut(&entry.source) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&entry.source);
            }
        }
    }

    /// Tells connections to close, and says how many.
    fn make_room(&mut self, newcomer: Source, limit: usize) -> usize {
        let batch = (limit / BATCH_PART).max(1);
        let idle = self.select(|entry| entry.idleness());
        if !idle.is_empty() {
            return self.dismiss(idle, batch, Order::Finish);
        }
        let own = self.count(newcomer);
        let greediest = self.counts.iter().max_by_key(|(_, count)| **count);
        let Some((greediest, most)) = greediest.map(|(source, count)| (*source, *count)) else {
            return 0;
        };
        if greediest.is_this_machine() || most <= own + 1 {
            return 0;
        }
        let unworked = self.select(|entry| {
            let is_worked_on = entry.watch.phase() == Phase::Work;
            (entry.source == greediest && !is_worked_on).then_some(Idleness::Busy)
        });
        self.dismiss(unworked, batch.min((most - own) / 2).max(1), Order::Close)
    }

    /// Those who may go, in the order in which they should.
    fn select(&self, judge: impl Fn(&Entry) -> Option<Idleness>) -> Vec<u64> {
        let staying = self.open.iter().filter(|(_, entry)| !entry.is_leaving);
        let mut found: Vec<_> = staying
            .filter_map(|(id, entry)| {
                let idleness = judge(entry)?;
                let most_first = Reverse(self.count(entry.source));
                Some((most_first, idleness, Reverse(entry.watch.silence()), *id))
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, _, _, id)| id).collect()
    }

    fn dismiss(&mut self, ids: Vec<u64>, most: usize, order: Order) -> usize {
        let mut dismissed = 0;
        for id in ids.into_iter().take(most) {
            if let Some(entry) = self.open.get_mut(&id) {
                entry.is_leaving = true;
                entry.watch.mailbox.give(order);
                dismissed += 1;
            }
        }
        self.leaving += dismissed;
        dismissed
    }

    fn count(&self, source: Source) -> usize {
        self.counts.get(&source).copied().unwrap_or(0)
    }
}

/// How little a connection is used; who comes first goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Idleness {
    /// It has never sent anything.
    Silent,
    /// It has not been used for a while.
    Resting,
    /// It has no request at the moment.
    Pausing,
    /// It has one.
    Busy,
}

impl Entry {
    /// None for a connection that has a request, or has just come.
    fn idleness(&self) -> Option<Idleness> {
        let silence = self.watch.silence();
        match self.watch.phase() {
            Phase::New if silence >= NEW => Some(Idleness::Silent),
            Phase::Idle if silence >= REST => Some(Idleness::Resting),
            Phase::Idle => Some(Idleness::Pausing),
            Phase::New | Phase::Head | Phase::Body | Phase::Work | Phase::Answer => None,
        }
    }
}

#[cfg(test)]
mod tests;
