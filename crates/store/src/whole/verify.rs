//! Everything that a model says about its rows together, asked of the raw items.
//!
//! Layout: `tenants.rs` says whose an item is; `reading.rs` reads all tables and states facts; `confirm.rs` and `asks.rs` look
//! again before anything is told; `moving.rs` leaves out what a move explains that has not ended; `unknown.rs` describes items that the model does not know.

mod asks;
mod confirm;
mod moving;
mod reading;
mod tenants;
mod unknown;

pub(super) use tenants::{Content, LocatedItem, Tenants};

use crate::address::Address;
use crate::error::Error;
use crate::mechanism::{self, Statements};
use crate::scope::Scope;
use crate::store::Store;
use crate::verify::{
    Candidate, Facts, Findings, Job, Limits, Note, Sorter, SpillPlace, Told, Unfinished,
    Verification, Violation, ViolationKind,
};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How verify and repairs read.
#[derive(Clone, Default)]
pub struct VerifyOptions {
    spill: Option<Arc<dyn SpillPlace>>,
    keeps_job: bool,
    buffer: Option<usize>,
}

impl std::fmt::Debug for VerifyOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifyOptions")
            .field("spills", &self.spill.is_some())
            .field("keeps_job", &self.keeps_job)
            .finish()
    }
}

impl VerifyOptions {
    /// Facts stay in memory, up to 256 MB.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Facts that are too many for memory go to this place.
    #[must_use]
    pub fn spill_to(mut self, place: Arc<dyn SpillPlace>) -> Self {
        self.spill = Some(place);
        self
    }

    /// The place also keeps how far the tables were read, so that a call that was cut off is gone on with.
    #[must_use]
    pub fn keep_job_in(mut self, place: Arc<dyn SpillPlace>) -> Self {
        self.spill = Some(place);
        self.keeps_job = true;
        self
    }

    /// How many bytes of facts are held before they are spilled; 32 MB if nothing is said.
    #[must_use]
    pub const fn buffer(mut self, bytes: usize) -> Self {
        self.buffer = Some(bytes);
        self
    }

    fn sorter(&self, name: &str) -> Sorter {
        let limits = Limits {
            buffer: self.buffer.unwrap_or(Limits::USUAL.buffer),
            ..Limits::USUAL
        };
        Sorter::new(name, self.spill.clone(), limits)
    }

    fn job_place(&self) -> Option<&Arc<dyn SpillPlace>> {
        self.spill.as_ref().filter(|_| self.keeps_job)
    }
}

/// How many candidates are confirmed at once.
const AT_ONCE: usize = 64;

/// One look at all tables. What it finds comes in batches, each of which is confirmed.
pub(super) struct Inspection<'s> {
    pub(super) store: &'s Store,
    pub(super) tenants: Tenants<'s>,
    pub(super) statements: Arc<Statements>,
    /// For names and messages; it is of no tenant.
    pub(super) neutral: Arc<Scope>,
    options: VerifyOptions,
    facts: Facts,
    /// Facts for the next round.
    again: Sorter,
    is_moving: bool,
    round: usize,
    /// Rows of tokens that name no call any more.
    pub(super) tokens: Vec<Address>,
    /// Rows that a move gives new values which has not ended.
    moving: BTreeSet<Address>,
    /// What was read, without what is found.
    verification: Verification,
}

impl<'s> Inspection<'s> {
    /// Reads all tables.
    pub(super) async fn open(store: &'s Store, options: &VerifyOptions) -> Result<Self, Error> {
        let mut inspection = Self {
            store,
            tenants: Tenants::new(store),
            statements: store.statements(),
            neutral: Arc::new(store.scope_of_whole_tables()),
            options: options.clone(),
            facts: Facts::from_memory(Vec::new()),
            again: options.sorter("round"),
            is_moving: false,
            round: 0,
            tokens: Vec::new(),
            moving: BTreeSet::new(),
            verification: Verification::default(),
        };
        inspection.read_tables().await?;
        Ok(inspection)
    }

    /// The next findings that are confirmed; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Candidate>>, Error> {
        loop {
            let open = self.judge_some()?;
            let is_end = open.len() < AT_ONCE;
            let confirmed = self.confirm(open).await?;
            let confirmed = self.leave_out_moving(confirmed).await?;
            if !confirmed.is_empty() {
                return Ok(Some(confirmed));
            }
            if is_end && !self.next_round()? {
                return Ok(None);
            }
        }
    }

    /// Judges subjects until there is something to confirm.
    fn judge_some(&mut self) -> Result<Vec<Candidate>, Error> {
        let neutral = Arc::clone(&self.neutral);
        let mut open = Vec::new();
        while open.len() < AT_ONCE {
            let mut findings = Findings::new(&neutral, self.round);
            let Some(mut subject) = self.facts.next_subject()? else {
                break;
            };
            mechanism::judge(&mut subject, &mut findings);
            drop(subject);
            self.is_moving |= findings.is_moving();
            for fact in findings.take_again() {
                self.again.push(&fact)?;
            }
            if self.again.is_full() {
                self.again.spill()?;
            }
            open.extend(findings.take_candidates());
        }
        Ok(open)
    }

    /// Goes on with what was stated again. False: there is nothing more to find.
    fn next_round(&mut self) -> Result<bool, Error> {
        let again = std::mem::replace(&mut self.again, self.options.sorter("round"));
        if !std::mem::take(&mut self.is_moving) {
            return Ok(false);
        }
        self.round += 1;
        self.facts = Facts::new(again.finish()?);
        Ok(true)
    }

    /// What was read; a job that was kept is done.
    pub(super) fn close(self) -> Result<Verification, Error> {
        let Self {
            facts,
            again,
            options,
            verification,
            ..
        } = self;
        drop((facts, again));
        if let Some(place) = options.job_place() {
            Job::remove(&**place)?;
        }
        Ok(verification)
    }
}

impl Store {
    /// Reads everything and holds it against the model: all tenants, unless this handle is of one. What changes meanwhile is
    /// read again before it is told, so a store that is written to verifies as clean as one that is not.
    pub async fn verify(&self) -> Result<Verification, Error> {
        self.verify_with(&VerifyOptions::default()).await
    }

    /// Verifies with a place for what memory does not hold.
    pub async fn verify_with(&self, options: &VerifyOptions) -> Result<Verification, Error> {
        let mut inspection = Inspection::open(self, options).await?;
        let mut told = Verification::default();
        while let Some(found) = inspection.next().await? {
            for candidate in found {
                tell(&inspection.neutral, candidate, &mut told);
            }
        }
        let mut verification = inspection.close()?;
        verification.violations = told.violations;
        verification.notes = told.notes;
        verification.unfinished.extend(told.unfinished);
        sort(&mut verification);
        self.note_adopted(&verification).await?;
        Ok(verification)
    }

    /// What a job is about: the model, and the tenant of this handle.
    fn job_fingerprint(&self) -> String {
        let scope = self.scope_of_whole_tables();
        let text = format!("{:?} {:?}", self.model(), scope.circumstances.tenant);
        let digest = Sha256::digest(text.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Adds a candidate to the list that it belongs to.
fn tell(scope: &Scope, candidate: Candidate, verification: &mut Verification) {
    let Candidate {
        told,
        entity: id,
        address,
        message,
        ..
    } = candidate;
    let entity = scope.name(id).to_owned();
    let key = match told {
        // What is wrong with a snapshot is wrong with its rows together.
        Told::Violation(ViolationKind::Snapshot) => address.partition_key().to_owned(),
        _ => scope.key_text(id, &address),
    };
    match told {
        Told::Violation(wrong) => verification.violations.push(Violation {
            wrong,
            entity,
            key,
            message,
        }),
        Told::Unfinished(what) => verification.unfinished.push(Unfinished {
            what,
            entity,
            key,
            message,
        }),
        Told::Note(kind) => verification.notes.push(Note {
            kind,
            entity,
            key,
            message,
        }),
    }
}

fn sort(verification: &mut Verification) {
    let Verification {
        violations,
        unfinished,
        notes,
        unknown_items,
        ..
    } = verification;
    violations.sort_by(|left, right| {
        (left.wrong, &left.entity, &left.key, &left.message).cmp(&(
            right.wrong,
            &right.entity,
            &right.key,
            &right.message,
        ))
    });
    violations.dedup();
    unfinished.sort_by(|left, right| (left.what, &left.key).cmp(&(right.what, &right.key)));
    notes.sort_by(|left, right| {
        (left.kind, &left.entity, &left.key).cmp(&(right.kind, &right.entity, &right.key))
    });
    notes.dedup();
    unknown_items.sort_by(|left, right| (&left.table, &left.key).cmp(&(&right.table, &right.key)));
}
