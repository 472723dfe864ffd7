//! One client of a history: a request after the other, and what it did and saw.

use super::lists::{LISTS, Lists};
use super::request::{Answer, Request};
use crate::history::{Operation, Outcome, Step, Value};
use crate::server::connect;
use fastrand::Rng;
use monotable_aws::Remote;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// Longer than any restart takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// Where the server is. A server that was killed comes back under another address.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// How many servers there were before.
    pub(super) generation: u64,
    pub(super) address: String,
}

/// What all clients of a history share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) lists: Lists,
    pub(super) place: watch::Receiver<Place>,
    /// Told before each request.
    pub(super) begun: mpsc::UnboundedSender<()>,
    pub(super) clock: Arc<Instant>,
}

impl Shared {
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.clock.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

pub(super) struct Client {
    shared: Shared,
    number: u32,
    random: Rng,
    remote: Remote,
    generation: u64,
    appended: u64,
    /// How long each list was when it was seen last.
    seen: Vec<u64>,
    operations: Vec<Operation>,
}

impl Client {
    pub(super) async fn new(mut shared: Shared, number: u32, seed: u64) -> io::Result<Self> {
        let place = shared.place.borrow_and_update().clone();
        Ok(Self {
            remote: connect(&place.address).await?,
            generation: place.generation,
            shared,
            number,
            random: Rng::with_seed(seed),
            appended: 0,
            seen: (0..LISTS).map(|_| 0).collect(),
            operations: Vec::new(),
        })
    }

    /// Makes this many requests.
    pub(super) async fn run(mut self, requests: u32) -> io::Result<Vec<Operation>> {
        for _ in 0..requests {
            let request = self.draw();
            let _ = self.shared.begun.send(());
            self.make(&request).await?;
        }
        Ok(self.operations)
    }

    /// Makes these requests, which read.
    pub(super) async fn read(mut self, requests: &[Request]) -> io::Result<Vec<Operation>> {
        for request in requests {
            self.make(request).await?;
        }
        Ok(self.operations)
    }

    fn draw(&mut self) -> Request {
        let (client, appended) = (Value::from(self.number), &mut self.appended);
        let next = || {
            *appended += 1;
            client * 1_000_000 + *appended
        };
        Request::draw(&mut self.random, &self.seen, next)
    }

    async fn make(&mut self, request: &Request) -> io::Result<()> {
        let start = self.shared.now();
        let mut answer = request.send(&self.remote, self.shared.lists).await;
        if matches!(answer, Answer::Lost) {
            self.follow_server().await?;
            if request.has_token() && self.random.bool() {
                answer = request.send(&self.remote, self.shared.lists).await;
                if matches!(answer, Answer::Lost) {
                    self.follow_server().await?;
                }
            }
        }
        let end = self.shared.now();
        let (outcome, steps) = match answer {
            Answer::Done(steps) => (Outcome::Committed, steps),
            Answer::Refused => (Outcome::Aborted, request.appends()),
            Answer::Lost => (Outcome::Unknown, request.appends()),
            Answer::Wrong(problem) => {
                return Err(io::Error::other(format!("{request:?}: {problem}")));
            }
        };
        self.note_lengths(&steps);
        self.operations.push(Operation {
            client: self.number,
            start,
            end: (outcome != Outcome::Unknown).then_some(end),
            outcome,
            steps,
        });
        Ok(())
    }

    /// Waits for the server that comes after the one that was lost.
    async fn follow_server(&mut self) -> io::Result<()> {
        let generation = self.generation;
        let newer = self
            .shared
            .place
            .wait_for(|place| place.generation > generation);
        let place = match tokio::time::timeout(PATIENCE, newer).await {
            Ok(Ok(place)) => place.clone(),
            Ok(Err(_)) | Err(_) => {
                let problem = "an answer was lost, and the server was not killed";
                return Err(io::Error::other(problem));
            }
        };
        self.generation = place.generation;
        self.remote = connect(&place.address).await?;
        Ok(())
    }

    fn note_lengths(&mut self, steps: &[Step]) {
        for step in steps {
            if let Step::Read { key, values } = step {
                let place = usize::try_from(*key).ok();
                if let Some(length) = place.and_then(|place| self.seen.get_mut(place)) {
                    *length = values.len() as u64;
                }
            }
        }
    }
}
