//! Repairs of what verify finds and what can be decided.
//!
//! A repair takes confirmed findings and writes what mends them, each on the condition that what was read has not changed. So
//! whoever writes at the same time wins, and what is left is said. A second call writes nothing.

mod folders;
mod mend;

use super::verify::{Inspection, VerifyOptions};
use crate::error::Error;
use crate::store::Store;
use crate::verify::{Candidate, NoteKind, Remedy, Told};
use mend::Mended;

/// What a repair did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Rows that were written.
    pub written: u64,
    /// What could not be repaired, and why.
    pub left: Vec<String>,
    /// What a repair would write, in a sentence each; empty after one that writes.
    pub planned: Vec<String>,
}

/// Whether a repair writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairMode {
    /// It says what it would write.
    Plan,
    /// It writes.
    Write,
}

/// What is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairScope {
    /// Everything that can be.
    All,
    /// Counters alone.
    Counters,
    /// All but counters.
    AllButCounters,
}

/// How often everything is looked at, if a repair makes another one necessary.
const ROUNDS: usize = 4;

impl Store {
    /// Sets every counter to the count. One that others change meanwhile is left to the next call.
    pub async fn recount(&self) -> Result<Repaired, Error> {
        self.compare_templates().await?;
        let options = VerifyOptions::default();
        self.repair(&options, RepairScope::Counters, RepairMode::Write)
            .await
    }

    /// Writes what rows from before the model lack: guards of their unique values, rows that follow from them, keys of
    /// indexes; and takes away what nothing needs. Revisions and their rows never change.
    pub async fn backfill(&self) -> Result<Repaired, Error> {
        let options = VerifyOptions::default();
        self.repair(&options, RepairScope::AllButCounters, RepairMode::Write)
            .await
    }

    /// Repairs what verify finds and what can be decided: in all tenants, unless this handle is of one.
    pub async fn repair(
        &self,
        options: &VerifyOptions,
        scope: RepairScope,
        mode: RepairMode,
    ) -> Result<Repaired, Error> {
        self.refuse_lost_keys().await?;
        let mut repaired = Repaired::default();
        for _ in 0..ROUNDS {
            let mut round = self.repair_once(options, scope, mode).await?;
            let is_last = round.written == 0;
            repaired.written += round.written;
            repaired.left = std::mem::take(&mut round.left);
            repaired.planned = round.planned;
            if is_last {
                break;
            }
        }
        repaired.left.sort();
        repaired.left.dedup();
        Ok(repaired)
    }

    async fn repair_once(
        &self,
        options: &VerifyOptions,
        scope: RepairScope,
        mode: RepairMode,
    ) -> Result<Repaired, Error> {
        let mut repaired = Repaired::default();
        let mut inspection = Inspection::open(self, options).await?;
        while let Some(found) = inspection.next().await? {
            for candidate in found {
                let Some(remedy) = wanted(scope, &candidate) else {
                    repaired.left.extend(left(scope, &inspection, &candidate));
                    continue;
                };
                if mode == RepairMode::Plan {
                    repaired
                        .planned
                        .push(plan(&inspection, &candidate, &remedy));
                    continue;
                }
                match inspection.mend(&candidate, &remedy).await? {
                    Mended::Written(written) => repaired.written += written,
                    Mended::Left(reason) => {
                        repaired
                            .left
                            .push(format!("{}: {reason}", candidate.address));
                    }
                }
            }
        }
        Ok(repaired)
    }
}

/// What mends a finding, if it is to be mended.
fn wanted(scope: RepairScope, candidate: &Candidate) -> Option<Remedy> {
    let remedy = candidate.remedy.clone()?;
    let is_counter = matches!(remedy, Remedy::SetCounter { .. });
    let is_wanted = match scope {
        RepairScope::All => true,
        RepairScope::Counters => is_counter,
        RepairScope::AllButCounters => !is_counter,
    };
    is_wanted.then_some(remedy)
}

/// What is said of a finding that only a person, or another command, can mend.
fn left(scope: RepairScope, inspection: &Inspection<'_>, candidate: &Candidate) -> Option<String> {
    if scope == RepairScope::Counters || candidate.remedy.is_some() {
        return None;
    }
    match candidate.told {
        Told::Violation(kind) => Some(format!(
            "{}: {}: {}",
            candidate.address,
            kind.name(),
            candidate.message
        )),
        Told::Note(NoteKind::Layout)
            if !inspection.neutral.model().keeps_history(candidate.entity) =>
        {
            Some(format!(
                "{}: it stands under the key of an old layout",
                candidate.address
            ))
        }
        Told::Note(_) | Told::Unfinished(_) => None,
    }
}

/// What a repair would write.
fn plan(inspection: &Inspection<'_>, candidate: &Candidate, remedy: &Remedy) -> String {
    let what = match remedy {
        Remedy::SetCounter { counter, after, .. } => format!("set `{counter}` to {after}"),
        Remedy::Rewrite => "write it as the model writes it".to_owned(),
        Remedy::PutGuards => "put the guards that it lacks".to_owned(),
        Remedy::ReplaceGuard(place) => format!("put its guard in the place of {place}"),
        Remedy::Delete(_) => "delete it".to_owned(),
        Remedy::ClearReference { attribute, .. } => format!("clear `{attribute}`"),
        Remedy::PutDerived => "put the rows that follow from it".to_owned(),
        Remedy::SpreadRows => {
            "write the rows of its item that are missing or of another element".to_owned()
        }
        Remedy::MakePath(_) => "make the folders and the leaf of its path".to_owned(),
        Remedy::SetTombstone => "set what its tombstone lacks".to_owned(),
    };
    let scope = &inspection.neutral;
    format!(
        "{} {}: {what}, because {}",
        scope.name(candidate.entity),
        scope.key_text(candidate.entity, &candidate.address),
        candidate.message
    )
}
