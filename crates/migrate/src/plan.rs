//! The way from one version to the other.

use crate::bridge::bridge_layouts;
use crate::compare::{compare, find_gaps};
use crate::difference::{DecidedBy, Difference, Finding, Verdict, Work};
use crate::phase::{Actor, Phase, PhaseName};
use monotable_model::model::Model;
use serde::Serialize;

/// The way from one version of a model to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// What differs.
    pub differences: Vec<Difference>,
    /// Whether programs of both versions may run at once.
    pub side_by_side: SideBySide,
    /// Why there is no way; empty if there is one.
    pub refusals: Vec<String>,
    /// What is done, in this order; empty if there is no way.
    pub phases: Vec<Phase>,
}

/// Whether programs of both versions may run at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "programs", rename_all = "snake_case")]
pub enum SideBySide {
    /// It is proved that each reads and writes the rows of the other.
    Together,
    /// It is proved of programs of the new version that write these layouts; those that write the new keys begin when the old ones have ended.
    Bridge {
        /// The layouts, as `layout` names them.
        layouts: Vec<String>,
        /// Patterns that do not find all rows from the switch to the end of the backfill.
        gaps: Vec<String>,
    },
    /// It cannot be: programs of the old version end first.
    Apart {
        /// What they fail on.
        because: Vec<String>,
    },
}

impl Plan {
    /// Plans the way. `bridge` is the new version as it writes the layouts of [`bridge_layouts`], if there are any.
    #[must_use]
    pub fn new(old: &Model, new: &Model, bridge: Option<&Model>) -> Self {
        let differences = compare(old, new);
        let refusals = find_refusals(&differences);
        let mut side_by_side = judge_programs(&differences);
        if let (SideBySide::Apart { .. }, Some(bridge)) = (&side_by_side, bridge)
            && judge_programs(&compare(old, bridge)) == SideBySide::Together
        {
            side_by_side = SideBySide::Bridge {
                layouts: bridge_layouts(old, new),
                gaps: find_gaps(old, new),
            };
        }
        let mut plan = Self {
            differences,
            side_by_side,
            refusals,
            phases: Vec::new(),
        };
        if plan.refusals.is_empty() && !plan.differences.is_empty() {
            plan.phases = plan.list_phases();
        }
        plan
    }

    /// Whether rows of the store may be written anew while programs of the old version run.
    #[must_use]
    pub fn backfills_beside(&self) -> bool {
        self.side_by_side == SideBySide::Together && self.has_work(&[Work::Rows])
    }

    /// Whether a kind of work is to be done.
    #[must_use]
    pub fn has_work(&self, wanted: &[Work]) -> bool {
        self.differences.iter().any(|difference| {
            matches!(&difference.stored_rows, Finding::Backfill { work, .. } if wanted.contains(work))
        })
    }

    /// Whether nothing has to be done but to begin new programs and to end old ones.
    #[must_use]
    pub fn is_compatible(&self) -> bool {
        self.differences
            .iter()
            .all(|difference| difference.verdict() == Verdict::Compatible)
    }

    fn list_phases(&self) -> Vec<Phase> {
        let mut phases = vec![inspect(), backup(), prepare()];
        phases.extend(self.beside());
        if self.backfills_beside() {
            phases.push(Phase {
                name: PhaseName::Backfill,
                actor: Actor::Run,
                what: "Every row that the new version would write otherwise is written anew, if it has not changed since it was read.".to_owned(),
                programs: "Both versions run: each reads what the backfill writes.".to_owned(),
                checked: "A second run finds nothing to write but what the old version has written since.".to_owned(),
            });
        }
        phases.extend([self.switch(), self.complete(), verify()]);
        if self.has_work(&[Work::Deletion]) {
            phases.push(clean_up());
        }
        phases
    }

    fn beside(&self) -> Option<Phase> {
        let (what, programs) = match &self.side_by_side {
            SideBySide::Together => (
                "Begin programs of the new version beside those of the old one.".to_owned(),
                "Both versions run: it is proved that each reads and writes the rows of the other.".to_owned(),
            ),
            SideBySide::Bridge { layouts, .. } => (
                format!(
                    "Begin programs of the new version with `layout = {layouts:?}` before its first section (`migrate plan --bridge FILE` writes that model)."
                ),
                "They run beside the old version: they read both keys and write the old one, so each reads the rows of the other.".to_owned(),
            ),
            SideBySide::Apart { .. } => return None,
        };
        Some(Phase {
            name: PhaseName::Beside,
            actor: Actor::You,
            what,
            programs,
            checked: "`monotable verify` with either version.".to_owned(),
        })
    }

    fn switch(&self) -> Phase {
        let (what, programs) = match &self.side_by_side {
            SideBySide::Together => (
                "End programs of the old version.".to_owned(),
                "Programs of the new version go on.".to_owned(),
            ),
            SideBySide::Bridge { gaps, .. } if gaps.is_empty() => (
                "End programs of the old version, then begin programs of the new version without the line `layout`.".to_owned(),
                "Programs with and without the line run at once: both read both keys, and every pattern meets rows under both.".to_owned(),
            ),
            SideBySide::Bridge { gaps, .. } => (
                "End programs of the old version and those with the line `layout`. Programs of the new version begin when the backfill is done.".to_owned(),
                format!("None, or callers bear with it: until then {} do not find rows under the other key.", list(gaps)),
            ),
            SideBySide::Apart { because } => (
                "End programs of the old version. Programs of the new version begin when the backfill is done.".to_owned(),
                format!("None: one version fails on rows that the other one may write ({}).", because.join(", ")),
            ),
        };
        Phase {
            name: PhaseName::Switch,
            actor: Actor::You,
            what,
            programs,
            checked:
                "`migrate run --old-stopped` says that they have ended; nothing else can know it."
                    .to_owned(),
        }
    }

    fn complete(&self) -> Phase {
        let mut parts = Vec::new();
        if self.has_work(&[Work::Rows]) {
            parts.push("rows are written as the new version writes them, each if it has not changed since it was read");
        }
        if self.has_work(&[Work::Templates]) {
            parts.push("the store remembers the new key templates");
        }
        if self.has_work(&[Work::Guards]) {
            parts.push("guards are put");
        }
        if self.has_work(&[Work::Derived]) {
            parts.push("rows that follow from others are put");
        }
        if self.has_work(&[Work::Counters]) {
            parts.push("counters are set to the count");
        }
        let what = if parts.is_empty() {
            "Nothing is left to write; it is looked for all the same.".to_owned()
        } else {
            let text = parts.join("; ");
            let mut characters = text.chars();
            let first = characters
                .next()
                .map(|first| first.to_uppercase().to_string());
            format!("{}{}.", first.unwrap_or_default(), characters.as_str())
        };
        Phase {
            name: PhaseName::Complete,
            actor: Actor::Run,
            what,
            programs:
                "Programs of the new version may run, but for patterns that wait for the backfill."
                    .to_owned(),
            checked: "A second run writes nothing.".to_owned(),
        }
    }
}

fn inspect() -> Phase {
    Phase {
        name: PhaseName::Inspect,
        actor: Actor::Run,
        what: "Every row is read by the new version. Rows that it refuses are named, and nothing is written.".to_owned(),
        programs: "Programs of the old version run.".to_owned(),
        checked: "It writes nothing.".to_owned(),
    }
}

fn backup() -> Phase {
    Phase {
        name: PhaseName::Backup,
        actor: Actor::Run,
        what: "A backup in AWS's export layout is written.".to_owned(),
        programs: "Programs of the old version run.".to_owned(),
        checked: "Counts and checksums; `restore --verify` proves it.".to_owned(),
    }
}

fn prepare() -> Phase {
    Phase {
        name: PhaseName::Prepare,
        actor: Actor::Run,
        what: "Tables and indexes that are new are made, one at a time, and waited for. None is dropped.".to_owned(),
        programs: "Programs of the old version run: they do not read what is new.".to_owned(),
        checked: "`monotable setup --dry-run` with the new version has nothing to add.".to_owned(),
    }
}

fn verify() -> Phase {
    Phase {
        name: PhaseName::Verify,
        actor: Actor::Run,
        what: "All tables are read and held against the new version: keys, values, guards, references, counters, derived rows.".to_owned(),
        programs: "Programs of the new version may run.".to_owned(),
        checked: "It is the check: a violation ends the run.".to_owned(),
    }
}

fn clean_up() -> Phase {
    Phase {
        name: PhaseName::CleanUp,
        actor: Actor::Run,
        what: "With --clean-up: rows and guards that only the old version knows are deleted, and indexes that the new version does not know are dropped.".to_owned(),
        programs: "Programs of the new version run. There is no way back but the backup.".to_owned(),
        checked: "`verify` with the new version finds no item that it does not know.".to_owned(),
    }
}

/// Names with commas between them, in backquotes.
fn list(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Differences that no run gets over.
fn find_refusals(differences: &[Difference]) -> Vec<String> {
    let refused = differences
        .iter()
        .filter_map(|difference| match &difference.stored_rows {
            Finding::Breaks {
                counterexample,
                decided_by: DecidedBy::Model,
                remedy,
            } => Some(format!(
                "{}: {}: {}; {remedy}",
                difference.subject, difference.what, counterexample.what
            )),
            _ => None,
        });
    refused.collect()
}

/// What programs of both versions make of each other's rows. A row that breaks the new version may not be there yet: as long as the old
/// one runs, it can write such a row at any moment.
fn judge_programs(differences: &[Difference]) -> SideBySide {
    let fail = differences.iter().filter(|difference| {
        let bears_new_rows = matches!(difference.old_programs, Finding::Works { .. });
        !bears_new_rows || difference.stored_rows.verdict() > Verdict::Backfill
    });
    let mut because: Vec<String> = fail.map(|difference| difference.subject.clone()).collect();
    because.dedup();
    if because.is_empty() {
        SideBySide::Together
    } else {
        SideBySide::Apart { because }
    }
}
