//! What was proven, in numbers.

use crate::record::Kept;
use std::fmt;

/// Violations that are told one by one.
const MOST_VIOLATIONS: usize = 20;

/// Counts over all rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rounds.
    pub rounds: u32,
    /// Requests sent.
    pub sent: u64,
    /// Requests acknowledged.
    pub acknowledged: u64,
    /// Writers killed in all.
    pub kills: u64,
    /// Writers killed before their engine was open.
    pub kills_in_open: u64,
    /// Writers killed while a table was made or deleted.
    pub kills_in_table_change: u64,
    /// Requests without an answer when the kill came.
    pub in_doubt: u64,
    /// Those of them that were carried out nevertheless.
    pub in_doubt_done: u64,
    /// Acknowledged requests lost where the promise allows it.
    pub lost: u64,
    /// Power cuts.
    pub power_cuts: u64,
    /// Changes of files that no sync covered when the power was cut.
    pub unsynced_changes: u64,
    /// Faults that a writer met.
    pub faults: u64,
    /// Stores that did not open because of a fault.
    pub faults_in_open: u64,
    /// Reads that went well after a fault.
    pub reads_after_fault: u64,
    /// Requests sent again with a token that counted.
    pub tokens_honoured: u64,
    /// Requests sent again whose first sending was lost.
    pub tokens_applied_once: u64,
    /// Journals begun in the store.
    pub journals: u64,
    /// Table files begun in the store.
    pub table_files: u64,
    /// Times that everything was looked at.
    pub checks: u64,
    /// Items read by those checks.
    pub items: u64,
    /// Index entries read by those checks.
    pub entries: u64,
    /// Copies of the ledger that were looked at, and items that have gone.
    pub kept: Kept,
    /// The promise that was broken, if one was.
    pub violations: Vec<String>,
}

impl Summary {
    /// Adds what one check found of the ledger.
    pub const fn add_kept(&mut self, kept: Kept) {
        self.kept.backups += kept.backups;
        self.kept.times += kept.times;
        self.kept.exports += kept.exports;
        self.kept.imports += kept.imports;
        self.kept.unfinished += kept.unfinished;
        self.kept.expired += kept.expired;
    }

    /// Whether nothing was wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [
            (self.rounds.into(), "rounds"),
            (self.sent, "requests sent"),
            (self.acknowledged, "of them acknowledged"),
            (self.in_doubt, "of them without an answer at the kill"),
            (self.in_doubt_done, "of these found carried out, whole"),
            (self.kills, "kills"),
            (self.kills_in_open, "of them during open or recovery"),
            (
                self.kills_in_table_change,
                "of them with a CreateTable or DeleteTable under way",
            ),
            (self.power_cuts, "power cuts"),
            (
                self.unsynced_changes,
                "file changes not synced at a power cut",
            ),
            (
                self.lost,
                "acknowledged requests lost, as relaxed durability allows",
            ),
            (self.faults, "disk faults met by writers"),
            (self.faults_in_open, "disk faults met by open"),
            (self.reads_after_fault, "reads that went on after a fault"),
            (self.tokens_honoured, "resent tokens that changed nothing"),
            (
                self.tokens_applied_once,
                "resent tokens that applied exactly once",
            ),
            (self.journals, "journals begun"),
            (
                self.table_files,
                "table files written by flushes and compactions",
            ),
            (self.checks, "checks of everything"),
            (self.items, "items verified"),
            (self.entries, "index entries verified"),
            (
                self.kept.backups,
                "restored backups equal to their snapshots",
            ),
            (self.kept.times, "tables restored to a point in time"),
            (self.kept.exports, "complete exports read back"),
            (self.kept.imports, "imported tables"),
            (
                self.kept.unfinished,
                "restores, exports and imports met in the middle",
            ),
            (self.kept.expired, "expired items gone, no others"),
        ];
        for (count, what) in lines.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(f, "{count:>12} {what}")?;
        }
        match self.violations.as_slice() {
            [] => write!(f, "no promise was broken"),
            violations => {
                writeln!(f, "BROKEN:")?;
                let mut told = violations.iter().take(MOST_VIOLATIONS);
                told.try_for_each(|line| writeln!(f, "  {line}"))?;
                match violations.len().saturating_sub(MOST_VIOLATIONS) {
                    0 => Ok(()),
                    more => writeln!(f, "  and {more} more"),
                }
            }
        }
    }
}
