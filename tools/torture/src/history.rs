//! What was asked of the engine since it was last looked at, and what it answered.

use crate::record::Record;
use crate::version::Stamp;
use crate::write::{Outcome, Write};
use std::collections::BTreeSet;
use std::time::Instant;

/// What an engine that has stopped says of every further write; such a write is not carried out.
const STOPPED: &str = "has stopped after a failed write";

/// One request.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its stamp.
    pub stamp: Stamp,
    /// The request.
    pub write: Write,
    /// When it was sent: a position in the pipe.
    pub sent_at: u64,
    /// The answer, if one came.
    pub answer: Option<Answer>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What it was.
    pub outcome: Outcome,
    /// When it came: a position in the pipe.
    pub position: u64,
    /// When the parent got it, which is no earlier.
    pub received: Instant,
}

/// What is known of a request from its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was answered: it is carried out, or refused for its own fault.
    Acknowledged,
    /// There was no answer, or one that says that the disk failed: it may be carried out or not.
    InDoubt,
    /// It was refused by an engine that had stopped.
    NotDone,
}

impl Sent {
    /// What is known of it.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match self.answer.as_ref().map(|answer| &answer.outcome) {
            None => Standing::InDoubt,
            Some(Outcome::Failed(message)) if message.contains(STOPPED) => Standing::NotDone,
            Some(Outcome::Failed(_)) => Standing::InDoubt,
            Some(_) => Standing::Acknowledged,
        }
    }
}

/// Everything since the last look.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The requests of each thread, in order.
    pub threads: Vec<Vec<Sent>>,
    /// The lasting tables whose making was answered.
    pub created: BTreeSet<String>,
    /// What went wrong with reads.
    pub failed_reads: Vec<String>,
    /// Reads after a fault that went well.
    pub good_reads: u64,
    position: u64,
}

impl History {
    /// Of so many threads.
    #[must_use]
    pub fn of(threads: u8) -> Self {
        Self {
            threads: vec![Vec::new(); usize::from(threads)],
            ..Self::default()
        }
    }

    /// Takes the next record of a writer.
    pub fn take(&mut self, record: Record) {
        self.position += 1;
        let position = self.position;
        match record {
            Record::Created(table) => {
                self.created.insert(table);
            }
            Record::Intent(stamp, write) => {
                if let Some(thread) = self.threads.get_mut(usize::from(stamp.thread)) {
                    thread.push(Sent {
                        stamp,
                        write,
                        sent_at: position,
                        answer: None,
                    });
                }
            }
            Record::Answer(stamp, outcome) => {
                let thread = self.threads.get_mut(usize::from(stamp.thread));
                // A thread waits for each answer, so it is that of its last request.
                if let Some(sent) = thread.and_then(|thread| thread.last_mut()) {
                    sent.answer = Some(Answer {
                        outcome,
                        position,
                        received: Instant::now(),
                    });
                }
            }
            Record::Read(None) => self.good_reads += 1,
            Record::Read(Some(problem)) => self.failed_reads.push(problem),
            _ => {}
        }
    }

    /// Whether anything was asked of the engine.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position == 0 || self.requests().next().is_none() && self.created.is_empty()
    }

    /// All requests.
    pub fn requests(&self) -> impl Iterator<Item = &Sent> {
        self.threads.iter().flatten()
    }

    /// How many were answered with anything but a fault.
    #[must_use]
    pub fn acknowledged(&self) -> u64 {
        let all = self.requests();
        all.filter(|sent| sent.standing() == Standing::Acknowledged)
            .count() as u64
    }

    /// Requests that were acknowledged although they were sent after another had been told that the
    /// disk failed.
    #[must_use]
    pub fn acknowledged_after_fault(&self) -> Vec<&Sent> {
        let failed = self.requests().filter_map(|sent| match &sent.answer {
            Some(answer) if sent.standing() != Standing::Acknowledged => Some(answer.position),
            _ => None,
        });
        let Some(first) = failed.min() else {
            return Vec::new();
        };
        self.requests()
            .filter(|sent| sent.sent_at > first && is_write_done(sent))
            .collect()
    }

    /// What faults were reported with.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        self.requests().filter_map(|sent| match &sent.answer {
            Some(Answer {
                outcome: Outcome::Failed(message),
                ..
            }) => Some(message.as_str()),
            _ => None,
        })
    }
}

/// Refusals for the request's own fault write nothing, and may still be given.
fn is_write_done(sent: &Sent) -> bool {
    let answer = sent.answer.as_ref();
    answer.is_some_and(|answer| answer.outcome == Outcome::Done)
}
