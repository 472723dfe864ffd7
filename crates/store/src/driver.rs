//! What decides about retries and pauses, without sending anything.
//!
//! A [`Machine`] asks for requests; a [`Driver`] turns them into errands for a host: a request, and how long to wait
//! before it is sent. The host carries errands out in any order and reports what happened. The driver classifies each
//! report: an answer, a refusal that may pass, an attempt whose answer was lost, a batch that was carried out in part. It
//! hands out the next attempt, or gives the answers to the machine when all of a round are there. So every host, native or
//! in another language, tries again in the same way.

use crate::error::Error;
use crate::execute::PARALLEL;
use crate::host::Host;
use crate::sending::{Answer, Delivery, Next, Retry, Sending};
use crate::steps::{Machine, Step};
use monotable_api::Request;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Something that a host is to do.
#[derive(Debug)]
pub struct Errand {
    /// By which the host reports it.
    pub id: u64,
    /// How long to wait first.
    pub after: Duration,
    /// What to send then; nothing if the errand is only a pause.
    pub request: Option<Request>,
}

/// What came of an errand.
#[derive(Debug)]
pub struct Report {
    /// The errand's.
    pub id: u64,
    /// What happened.
    pub delivery: Delivery,
    /// The host has sent the request more than once by itself, and an earlier attempt may have been carried out.
    pub unsure: bool,
}

/// What a driver wants next.
#[derive(Debug)]
pub enum Reply<T> {
    /// These errands carried out, beside those that are under way. None: a report of one under way is awaited.
    Do(Vec<Errand>),
    /// Nothing more.
    Done(Result<T, Error>),
}

/// An operation with everything that is decided about sending its requests.
pub struct Driver<T> {
    machine: Machine<T>,
    retry: Retry,
    host: Arc<dyn Host>,
    /// The requests of this round; the first one's errand has the id `first`.
    round: Vec<Slot>,
    first: u64,
    /// Slots of the round that are to be sent, with their pauses.
    ready: VecDeque<(usize, Duration)>,
    under_way: usize,
    missing: usize,
}

/// A request of a round.
enum Slot {
    Pause,
    Sending(Request, Box<Sending>),
    Answered(Answer),
}

impl<T> std::fmt::Debug for Driver<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver")
            .field("round", &self.round.len())
            .field("under_way", &self.under_way)
            .finish_non_exhaustive()
    }
}

impl<T> Driver<T> {
    /// A driver of an operation that was not begun.
    pub fn new(machine: Machine<T>, retry: Retry, host: Arc<dyn Host>) -> Self {
        Self {
            machine,
            retry,
            host,
            round: Vec::new(),
            first: 0,
            ready: VecDeque::new(),
            under_way: 0,
            missing: 0,
        }
    }

    /// The first errands.
    pub fn start(&mut self) -> Reply<T> {
        self.advance(Vec::new())
    }

    /// Goes on with reports, in any number and order. Those of errands that it does not know are passed over.
    pub fn step(&mut self, reports: Vec<Report>) -> Reply<T> {
        for report in reports {
            self.take(report);
        }
        if self.missing == 0 {
            let round = std::mem::take(&mut self.round);
            self.first = self.first.saturating_add(round.len() as u64);
            let answers = round.into_iter().filter_map(|slot| match slot {
                Slot::Answered(answer) => Some(answer),
                Slot::Pause | Slot::Sending(..) => None,
            });
            return self.advance(answers.collect());
        }
        Reply::Do(self.hand_out())
    }

    /// Lets the operation go on, up to its next errands.
    fn advance(&mut self, answers: Vec<Answer>) -> Reply<T> {
        match self.machine.step(answers) {
            Step::Done(result) => return Reply::Done(result),
            Step::Wait(attempt) => {
                let pause = self.retry.pause(attempt, &*self.host);
                self.round.push(Slot::Pause);
                self.ready.push_back((0, pause));
            }
            Step::Send(requests) => {
                for (position, request) in requests.into_iter().enumerate() {
                    self.round.push(Slot::Sending(request, Box::default()));
                    self.ready.push_back((position, Duration::ZERO));
                }
            }
        }
        self.missing = self.round.len();
        Reply::Do(self.hand_out())
    }

    fn hand_out(&mut self) -> Vec<Errand> {
        let mut errands = Vec::new();
        while self.under_way < PARALLEL
            && let Some((position, after)) = self.ready.pop_front()
        {
            let request = match self.round.get(position) {
                Some(Slot::Sending(whole, sending)) => Some(sending.request(|| whole.clone())),
                _ => None,
            };
            self.under_way += 1;
            errands.push(Errand {
                id: self.first.saturating_add(position as u64),
                after,
                request,
            });
        }
        errands
    }

    fn take(&mut self, report: Report) {
        let position = report.id.checked_sub(self.first);
        let position = position.and_then(|position| usize::try_from(position).ok());
        let Some((position, slot)) =
            position.and_then(|position| Some((position, self.round.get_mut(position)?)))
        else {
            return;
        };
        match slot {
            Slot::Answered(_) => return,
            Slot::Pause => self.missing -= 1,
            Slot::Sending(_, sending) => {
                let Report {
                    delivery, unsure, ..
                } = report;
                match sending.take(delivery, unsure, &self.retry, &*self.host) {
                    Next::Send { after } => self.ready.push_back((position, after)),
                    Next::Answered(answer) => {
                        *slot = Slot::Answered(answer);
                        self.missing -= 1;
                    }
                }
            }
        }
        self.under_way = self.under_way.saturating_sub(1);
    }
}
